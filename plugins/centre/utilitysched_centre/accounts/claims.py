"""Claims: what jobs of a run owe, or may come to owe, in minor units of a ledger."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pricing.charges import Charges
from pricing.ledger import Ledger, positions
from pricing.months import months
from pricing.recorded import BILL_AGAIN
from swfx import InputError, Workload
from swfx.base.columns import Floats
from swfx.base.numbers import CENTS
from swfx.clock import clock_of
from swfx.labels import label_names, meaning
from utilitysched_centre.accounts.account import PROJECT, Account, ledger_name, read_payer
from utilitysched_centre.accounts.money import Money, within
from utilitysched_centre.accounts.references import job_references
from utilitysched_centre.rules.invoice import Invoice, rounded
from utilitysched_centre.rules.most import Most, up_to


class Claim(NamedTuple):
    """Debt of one job to the centre.

    Attributes
    ----------
    reference : str
        Name of the job in ledgers; see `utilitysched_centre.accounts.references`.
    job : int
        Number of the job in the log.
    user, group : int or str
        Owners of the job: names of the log, or numbers where the log has no names.
    month : str
        Month of the entries.
    units : int
        Minor units; below 0 for a job that gets more than it pays.
    account : Account, optional
        Payer, where the bill names one; default: the payer by the ledger.
    """

    reference: str
    job: int
    user: int | str
    group: int | str
    month: str
    units: int
    account: Account | None = None


class Claims(NamedTuple):
    """What the jobs of a run owe by one price mechanism.

    Attributes
    ----------
    mechanism : str
        Label.
    jobs : list of Claim
        In the order of the workload.
    """

    mechanism: str
    jobs: list[Claim]

    @property
    def total(self) -> int:
        """Minor units."""
        return sum(job.units for job in self.jobs)

    def digest(self) -> str:
        """SHA-256 (hex) of all that they say: equal claims are posted once."""
        content = json.dumps(self, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()


def charged(
    charges: Charges,
    money: Money,
    *,
    month: str | None = None,
    accounts: Sequence[Account] | None = None,
    payers: Sequence[Account] | None = None,
) -> Claims:
    """Return a bill as claims.

    Amounts are the bill's decimal lines; if the ledger has fewer decimals, the sum of each payer is
    rounded once, half to even, and what rounding the jobs takes from it is spread over them.

    Parameters
    ----------
    charges : Charges
        The bill.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job completed.
    accounts : sequence of Account, length n, optional
        Who pays for each job; default: as the ledger says.
    payers : sequence of Account, length n, optional
        Whose sums are rounded, where the ledger says who pays; default: `accounts`, else that of
        all jobs. See `Book.charged`.
    """
    units = in_units(charges.ledger, money, payers or accounts)
    when = charges.month if month is None else np.full(len(charges), month)
    return Claims(charges.mechanism, claims_of(charges.workload, when, units, accounts))


def invoiced(
    bill: Invoice, money: Money, *, month: str | None = None, named: str = PROJECT
) -> Claims:
    """Return an invoice as claims: what is to be paid, tax included, by the accounts that it names.

    Parameters
    ----------
    bill : Invoice
        What is to be paid.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job completed.
    named : {"project", "account"}
        Kind of accounts that it calls by their names alone; see `Book.invoiced`.

    Raises
    ------
    InputError
        The ledger counts in something else, or in larger units.
    """
    require_counted(bill.currency, bill.decimals, money)
    charges = bill.charges
    finer = 10 ** (money.decimals - bill.decimals)
    units = [within(each * finer, money) for each in bill.to_pay.tolist()]
    when = charges.month if month is None else np.full(len(charges), month)
    accounts = [read_payer(name, named) for name in bill.payer]
    return Claims(charges.mechanism, claims_of(charges.workload, when, units, accounts))


def at_most_invoiced(
    workload: Workload, most: Most, money: Money, *, month: str | None = None
) -> Claims:
    """Return what jobs can come to cost by the rules of a centre as claims.

    Parameters
    ----------
    workload : Workload
        n jobs.
    most : Most
        See `utilitysched_centre.rules.most`.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job was submitted.

    Raises
    ------
    InputError
        The ledger counts in something else, or in larger units.
    """
    require_counted(most.currency, most.decimals, money)
    finer = 10 ** (money.decimals - most.decimals)
    units = [within(each * finer, money) for each in most.units]
    accounts = [read_payer(name) if name else None for name in most.listed]
    when = _submitted(workload, month)
    return Claims("", claims_of(workload, when, units, accounts))


def require_counted(unit: str, decimals: int, money: Money) -> None:
    """Refuse a ledger that does not count in a unit, or not with so many decimals.

    Raises
    ------
    InputError
        Saying which ledger would do.
    """
    if unit == money.unit and decimals <= money.decimals:
        return
    if not decimals:  # any number of them will do
        wanted, own = unit, f"utilitysched ledger init LEDGER --unit {unit}"
    else:
        wanted = f"{unit} with {decimals} decimals"
        own = f"utilitysched ledger init LEDGER --unit {unit} --decimals {decimals}"
    raise InputError(
        f"the bill is in {wanted}, the ledger in {money.unit} with {money.decimals}",
        field="unit",
        remedy=f"keep a ledger of its own ({own})"
        if unit != money.unit
        else "write decimals below [currency] in the rules, or bill with --ledger",
    )


def at_most(
    workload: Workload, ceilings: Floats, money: Money, *, month: str | None = None
) -> Claims:
    """Return what jobs can come to cost as claims, rounded up as `upwards` says.

    Parameters
    ----------
    workload : Workload
        n jobs.
    ceilings : ndarray of float64, shape (n,)
        SU; see `pricing.ceilings`.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job was submitted.
    """
    units = [upwards(ceiling, money) for ceiling in ceilings.tolist()]
    return Claims("", claims_of(workload, _submitted(workload, month), units))


def upwards(amount: float, money: Money) -> int:
    """Return an amount in minor units, rounded up to cents, as a bill may be by rounding.

    If the ledger has fewer decimals than that, it is rounded up to its unit.

    Raises
    ------
    InputError
        64 bits do not hold it.
    """
    decimals = min(CENTS, money.decimals)
    return within(up_to(amount, decimals) * 10 ** (money.decimals - decimals), money)


def _submitted(workload: Workload, month: str | None) -> npt.NDArray[np.str_]:
    clock = clock_of(workload.header)
    return months(workload.submit, clock) if month is None else np.full(len(workload), month)


def in_units(lines: Ledger, money: Money, payers: Sequence[Account] | None) -> list[int]:
    """Return exact decimal lines in minor units of a ledger, each payer's sum being rounded once.

    Raises
    ------
    InputError
        64 bits do not hold them.
    """
    decimals = min(lines.decimals, money.decimals)
    finer = 10 ** (money.decimals - decimals)
    units = lines.units.copy()
    if decimals < lines.decimals:
        step = 10 ** (lines.decimals - decimals)
        for mine in positions(payers or [None] * len(units)).values():
            units[mine] = rounded([Fraction(each, step) for each in units[mine].tolist()])
    return [within(each * finer, money) for each in units.tolist()]


def require_single(claims: Claims) -> None:
    """Refuse claims that no bill of ours has: two of one job.

    Raises
    ------
    InputError
        Naming the job.
    """
    seen: set[str] = set()
    for job in claims.jobs:
        if job.reference in seen:
            raise InputError(f"job {job.job} occurs twice", field="charge", remedy=BILL_AGAIN)
        seen.add(job.reference)


def claims_of(
    workload: Workload,
    when: npt.NDArray[np.str_],
    units: list[int],
    accounts: Sequence[Account | None] | None = None,
) -> list[Claim]:
    """Return one claim for each job: month, units and payer beside what the log says of it."""
    columns = (
        job_references(workload),
        workload.job_id.tolist(),
        members(workload, "user"),
        members(workload, "group"),
        when.tolist(),
        units,
        accounts or [None] * len(workload),
    )
    return [Claim(*job) for job in zip(*columns, strict=True)]


def members(workload: Workload, field: str) -> list[int | str]:
    """Return what a ledger calls the user or the group of each job.

    Numbers of people are those of one listing: where the log names them, their names count, as
    `ledger_name` has them.
    """
    named = label_names(workload.header, meaning(workload.header, field)).names
    names = {number: ledger_name(name) for number, name in named.items()}
    return [names.get(number, number) for number in workload.column(field).tolist()]
