"""The most that a job can come to cost by the rules of a centre, known when it is submitted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np

from pricing.ceilings import ceilings
from pricing.charges import Charges, charge
from pricing.outcome import Outcome
from pricing.registry import make_mechanism
from pricing.resources import CPU
from swfx import InputError, Workload
from swfx.base.columns import Floats
from swfx.base.numbers import CENTS
from swfx.fields import MISSING
from utilitysched_centre.rules.account_of import accounts_of, listed_by_number
from utilitysched_centre.rules.rules import Allowance, Rules
from utilitysched_centre.rules.steps import steps

BY_RATE = "value-blindness"
"""A mechanism that promises this and has rates has them whatever happens."""


class Most(NamedTuple):
    """What jobs can cost at most, tax included.

    Attributes
    ----------
    units : list of int
        Of each job, in units of ``10**-decimals``.
    currency : str
        Its code; SU without one.
    decimals : int
        Of the unit.
    listed : list of str or None
        Account that the rules list for each job.
    """

    units: list[int]
    currency: str
    decimals: int
    listed: list[str | None]


def most(
    workload: Workload, mechanism: str, rules: Rules, *, cap: bool = False, finest: int = CENTS
) -> Most:
    """Return the most that each job can come to cost by rules.

    That is what it costs if it runs as long as it requested, pays in full whatever becomes of it,
    and nothing is left of the allowance; each step rounded up, the charge to cents as in a bill.

    Parameters
    ----------
    workload : Workload
        n jobs.
    mechanism : str
        As for `pricing.charge`.
    rules : Rules
        See `utilitysched_centre.rules.invoice`.
    cap : bool, default False
        Charges will be cut to the realised utility.
    finest : int
        Decimals at most, without a currency; more than cents are not needed.

    Raises
    ------
    InputError
        Nobody knows beforehand: idle time, or what the mechanism asks.

    Examples
    --------
    >>> jobs = Workload.from_columns(run=[1800], requested_time=[3600], processors=[4])
    >>> most(jobs, "single-price", Rules(minimum_charge=Fraction(5)), finest=2).units
    [500]
    """
    if rules.idle_wake:
        raise InputError(
            "what processors will stand idle before a job is not known beforehand",
            field="idle_wake",
            remedy="hold amounts of your own, or none",
        )
    account = accounts_of(workload, rules.account_of_user)
    in_full = replace(rules, status={}, state={}, allowance=Allowance(Fraction(0)))
    workload = workload.replace(state=np.full(len(workload), MISSING))  # nobody knows how it ends
    longest, finest = _longest(workload, mechanism, rules, cap=cap), min(finest, CENTS)
    charges = [up_to(each, finest) / 10**finest for each in longest.charge.tolist()]
    due = steps(replace(longest, charge=np.array(charges)), in_full, account).due
    decimals, price = rules.unit(finest)
    net = [ceil(each * price) for each in due]
    units = [each + ceil(each * rules.tax_share) for each in net]
    listed_accounts = listed_by_number(workload, rules.account_of_user)
    listed = [listed_accounts.get(user) for user in workload.user.tolist()]
    return Most(units, rules.code, decimals, listed)


def up_to(money: float, decimals: int) -> int:
    """Return an amount in units of so many decimals, rounded up.

    >>> up_to(0.1, 2), up_to(0.1001, 2)
    (10, 11)
    """
    units: int = ceil(Fraction(repr(money)) * 10**decimals)
    return units


def _longest(workload: Workload, mechanism: str, rules: Rules, *, cap: bool) -> Charges:
    """Return charges of jobs that start at once, run to their limit and cost the most."""
    end = workload.submit + workload.request
    charges = charge(workload, workload.submit, end, "single-price")
    rate, per = _rates(charges.outcome, mechanism, rules, cap=cap)
    most = ceilings(workload, mechanism, cap=cap)
    return replace(charges, mechanism=mechanism, charge=most, rate=rate, per=per)


def _rates(outcome: Outcome, mechanism: str, rules: Rules, *, cap: bool) -> tuple[Floats, str]:
    """Return the rate of each job (SU per hour), NaN if no rule needs any, and its resource."""
    if rules.quantity is None:
        return np.full(len(outcome), np.nan), CPU
    rule = make_mechanism(mechanism)
    if cap or BY_RATE not in getattr(rule, "promises", ()):
        raise InputError(
            f"what {rule.label}{' with a cap' * cap} asks by the hour is not known beforehand",
            field="quantity",
            remedy="hold amounts of your own, or none",
        )
    prices = rule.price(outcome)
    return prices.rate, prices.per
