"""Invoice: the amount of every job by the rules of a centre, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.evidence import own_losses
from pricing.ledger import MOST_UNITS, amount, in_units, plain, positions
from pricing.pivots import Pivots
from pricing.replays import Replays
from swfx import InputError
from swfx.base.columns import Floats, Ints
from swfx.clock import Clock, clock_of
from utilitysched_centre.rules.account_of import accounts_of
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.job_names import job_names, whole_job
from utilitysched_centre.rules.list_price import ListPrices
from utilitysched_centre.rules.rules import Rules
from utilitysched_centre.rules.steps import InvoiceSteps, steps

NEVER_STARTED = "not charged: never started"

FINEST = 9
"""Decimals of an SU at most: a bill in a finer unit leaves no room for minimums and rates."""


class RoundedSteps(NamedTuple):
    """Steps of n jobs in units of the bill, (n,); those of each payer add up to their rounded sum.

    Attributes
    ----------
    base, idle, allowed, displaced, due : ndarray of int64
        See `InvoiceSteps`.
    own : ndarray of int64
        Part of the list price that is for delaying jobs of the same payer.
    """

    base: Ints
    idle: Ints
    allowed: Ints
    displaced: Ints
    due: Ints
    own: Ints


@dataclass(frozen=True, eq=False)
class Invoice:
    """What every job comes to.

    Attributes
    ----------
    charges : Charges
        What the mechanism asks of the n jobs that ran.
    rules : Rules
        What was applied to that.
    steps : InvoiceSteps
        Each job's way from one to the other, exact (SU).
    payer : tuple of str, length n
        Account of each job, or ``user NAME``.
    net, tax : ndarray of int64, shape (n,)
        Without and on top, in units of ``10**-decimals`` of the currency.
    decimals : int
        Of the unit.
    """

    charges: Charges
    rules: Rules
    steps: InvoiceSteps
    payer: tuple[str, ...]
    net: Ints
    tax: Ints
    decimals: int

    def __len__(self) -> int:
        return len(self.payer)

    @property
    def currency(self) -> str:
        """Code of the currency; SU without one."""
        return self.rules.code

    @property
    def total(self) -> Decimal:
        """Sum of what all jobs come to, tax included."""
        return self.money(self.net) + self.money(self.tax)

    @cached_property
    def price(self) -> Fraction:
        """Currency per SU; 1 without a currency."""
        return self.rules.currency.rate if self.rules.currency else Fraction(1)

    def in_currency(self, units: Fraction) -> str:
        """Write an amount of SU in the currency, with its code."""
        return f"{in_decimals(units * self.price)} {self.currency}"

    @cached_property
    def list_prices(self) -> ListPrices:
        """List prices of the jobs, taken apart."""
        return ListPrices(self.charges, self.rules.quantity)

    @cached_property
    def formulas(self) -> dict[int, str]:
        """Formulas of jobs by place, as far as made: files and pages have the same ones."""
        return {}

    @cached_property
    def job_names(self) -> list[str]:
        """Names of the jobs, as Slurm prints them, runs told apart."""
        return job_names(self.charges.workload)

    @cached_property
    def job_keys(self) -> list[int]:
        """A number for each job, (n,), that parts of a job and runs of a requeued job share."""
        names, keys, first = self.charges.workload.job_names.names, [], dict[str, int]()
        numbers = self.charges.outcome.job_of.tolist()
        for job, number in zip(self.charges.workload.job_id.tolist(), numbers, strict=True):
            name = names.get(job)
            keys.append(first.setdefault(whole_job(name), number) if name else number)
        return keys

    def jobs(self, places: Iterable[int]) -> int:
        """Return the number of jobs in some places; a job in several parts or runs counts once."""
        return len({self.job_keys[place] for place in places})

    def money(self, units: Ints) -> Decimal:
        """Sum of units of the currency as an exact decimal."""
        return amount(int(units.sum()), self.decimals)

    def service_units(self, units: Ints) -> Decimal:
        """Sum of units of the bill as an exact decimal (SU)."""
        return amount(int(units.sum()), self.charges.ledger.decimals)

    @cached_property
    def clock(self) -> Clock | None:
        """Clock of the log, for dates; None where it has no calendar."""
        return clock_of(self.charges.workload.header)

    @cached_property
    def to_pay(self) -> Ints:
        """What each job comes to, tax included, in minor units, (n,)."""
        return self.net + self.tax

    @cached_property
    def rounded(self) -> RoundedSteps:
        """The steps in units of the bill, each rounded once: what is printed of them is that."""
        done, asked = self.steps, self.charges.asked
        own = [Fraction(0)] * len(self) if self.own is None else map(Fraction, self.own.tolist())
        steps = (done.base, done.idle, done.allowed, done.displaced, done.due, own)
        scale, payers = 10**asked.decimals, positions(self.payer).values()
        units = np.zeros((len(steps), len(self)), np.int64)
        for column, step in zip(units, map(list, steps), strict=True):
            for mine in payers:
                column[mine] = rounded([step[place] * scale for place in mine])
        units[-1] = np.minimum(units[-1], asked.units)
        return RoundedSteps._make(units)

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """Names of the jobs' labels; see `swfx.Workload.label_columns`."""
        return self.charges.workload.label_columns()

    @cached_property
    def own(self) -> Floats | None:
        """What of each charge is for delaying jobs of the same payer (SU); None if none can be."""
        if not isinstance(self.charges.evidence, Pivots | Replays):
            return None
        numbers = {name: number for number, name in enumerate(dict.fromkeys(self.payer))}
        return own_losses(self.charges, np.array([numbers[name] for name in self.payer]))

    @cached_property
    def has_displaced(self) -> bool:
        """Whether any job pays compensation for a displaced job."""
        return any(self.steps.displaced)

    @cached_property
    def counted_places(self) -> list[int]:
        """Places of the jobs; of several parts or runs that an account pays for the last one."""
        last = zip(self.payer, self.job_keys, strict=True)
        return list({key: place for place, key in enumerate(last)}.values())

    @cached_property
    def reasons(self) -> dict[str, int]:
        """Jobs by reason, the most frequent first, those that never started among them.

        A job of several parts or runs counts once for each account, by the last of them.
        """
        counts = Counter(self.steps.reason[place] for place in self.counted_places)
        if self.charges.unstarted:
            counts[NEVER_STARTED] = self.charges.unstarted
        return dict(counts.most_common())


def invoice(
    charges: Charges,
    rules: Rules | None = None,
    *,
    payer: Sequence[str] | None = None,
    finest: int = FINEST,
) -> Invoice:
    """Apply the rules of a centre to charges.

    In this order: quantity, idle wake, minimum charge, status, exemptions, discounts, allowances,
    what is due for displaced jobs, currency, rounding, tax. The amount of each payer is rounded
    once, half to even, and so is the tax on it; what rounding the jobs takes from them is spread
    over them, largest remainder first. So jobs add up to what their payer pays, and payers to the
    total, digit for digit. Rules apply to charges as billed, in the unit of the bill.

    Parameters
    ----------
    charges : Charges
        Of all jobs that ran: rules say themselves who is let off.
    rules : Rules, optional
        None by default.
    payer : sequence of str, length n, optional
        Who pays for each job; default: as the rules say.
    finest : int
        Decimals of an SU at most: charges in a finer unit are rounded to it.

    Raises
    ------
    InputError
        A rule cannot be applied to these charges: hours to charges that come from no rate,
        allowances by month to a log that does not say when it began, idle time to a machine whose
        size is not known. What comes of it is more than 64 bits hold.

    Examples
    --------
    >>> from pricing import charge
    >>> from swfx import Workload
    >>> jobs = Workload.from_columns(submit=[0], run=[3600], processors=[2])
    >>> bill = invoice(charge(jobs, [0], [3600], "single-price"), Rules(minimum_charge=Fraction(5)))
    >>> str(bill.total), bill.steps.reason
    ('5.000000', ('charged: minimum charge',))
    """
    rules = rules or Rules()
    account = tuple(payer or accounts_of(charges.workload, rules.account_of_user))
    finest = min(finest, FINEST)
    charges = charges.rounded(finest) if charges.ledger.decimals > finest else charges
    done = steps(charges, rules, account)
    decimals, price = rules.unit(charges.ledger.decimals)
    exact = [due * price for due in done.due]
    _require_held(sum(exact, Fraction(0)) * (1 + rules.tax_share) + len(exact), rules, decimals)
    net, tax = np.zeros(len(charges), np.int64), np.zeros(len(charges), np.int64)
    for mine in positions(account).values():
        net[mine] = rounded([exact[i] for i in mine])
        tax[mine] = rounded([int(net[i]) * rules.tax_share for i in mine])
    return Invoice(charges, rules, done, account, net, tax, decimals)


def _require_held(most: Fraction, rules: Rules, decimals: int) -> None:
    """Refuse a total that is at most so many units, if 64 bits may not hold it."""
    if most > MOST_UNITS:
        raise InputError(
            f"what is to be paid comes to 10^{len(str(int(most))) - decimals - 1} {rules.code},"
            f" over the {plain(amount(MOST_UNITS, decimals))} that an invoice holds",
            remedy="look for a minimum, a weight, a rate or a percentage that is too large",
        )


def rounded(exact: Sequence[Fraction]) -> Ints:
    """Return whole units that add up to the rounded sum, largest remainders rounded up first."""
    return in_units(exact, 0, round(sum(exact, Fraction(0))))
