"""A bill taken apart: what each line is for itself, for stops, and from others, in exact decimals.

What is paid to the centre is rounded like a bill: what each job pays for itself, and what is paid
for each stop, are whole units of the ledger that add up to their exact sum's float. What jobs pay
each other is rounded likewise, to units that one pays and the other gets. A line is what its job
pays less what it gets, so that all lines together are what the centre gets, digit for digit. What
is borne of the prices is rounded like a bill of its own, and the price of a stop is what is paid
for it and what is borne.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property

import numpy as np

from pricing.ledger import Ledger, amount, in_units, to_ledger
from pricing.shares import Dues, Shares
from pricing.waste import NOBODY
from swfx.base.columns import Ints

EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""In which sums of decimals have all their digits."""


@dataclass(frozen=True, eq=False)
class ExactDues:
    """The dues of w stops in whole units.

    Attributes
    ----------
    payer, receiver : ndarray of int64, shape (w,)
        See `Dues`.
    paid : Ledger
        What is paid for each.
    received : Ledger
        What the receiver gets of that.
    borne : Ledger
        What is borne of the price of each.
    """

    payer: Ints
    receiver: Ints
    paid: Ledger
    received: Ledger
    borne: Ledger

    @cached_property
    def price(self) -> list[Decimal]:
        """What each stop costs (SU)."""
        pairs = zip(*(_amounts(ledger) for ledger in (self.paid, self.borne)), strict=True)
        return [exact_sum(both) for both in pairs]

    def paid_by(self, jobs: int) -> Ints:
        """Return what each of the jobs pays, in units."""
        return _by_job(self.payer, self.paid.units, jobs)

    def paid_to(self, jobs: int) -> Ints:
        """Return what each of the jobs gets, in units."""
        return _by_job(self.receiver, self.received.units, jobs)


def _amounts(ledger: Ledger) -> list[Decimal]:
    return [amount(units, ledger.decimals) for units in ledger.units.tolist()]


def _by_job(place: Ints, units: Ints, jobs: int) -> Ints:
    sums = np.zeros(jobs, dtype=np.int64)
    known = place != NOBODY
    np.add.at(sums, place[known], units[known])
    return sums


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a bill's n lines, in units of ``10**-decimals`` SU.

    Attributes
    ----------
    own : ndarray of int64, shape (n,)
        What each job pays for itself.
    work, displaced : ExactDues
        What is paid for stops; see `Shares`.
    decimals : int
        Of the unit: that of the ledger.
    """

    own: Ints
    work: ExactDues
    displaced: ExactDues
    decimals: int

    @property
    def for_work(self) -> Ints:
        """What each job pays for lost work and restarts, shape (n,)."""
        return self.work.paid_by(len(self.own))

    @property
    def for_displaced(self) -> Ints:
        """Payment of each job for the jobs that it displaced, shape (n,)."""
        return self.displaced.paid_by(len(self.own))

    @property
    def received(self) -> Ints:
        """What each job gets for having been displaced, shape (n,)."""
        return self.displaced.paid_to(len(self.own))

    @cached_property
    def asked(self) -> Ledger:
        """What each job pays for itself and for lost work."""
        units: Ints = self.own + self.for_work
        return Ledger(units, self.decimals)

    @cached_property
    def ledger(self) -> Ledger:
        """The lines."""
        units: Ints = self.asked.units + self.for_displaced - self.received
        return Ledger(units, self.decimals)

    def money(self, units: Ints) -> Decimal:
        """Sum of units of the ledger (SU)."""
        return amount(int(units.sum()), self.decimals)


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """Add amounts up without rounding.

    Examples
    --------
    >>> exact_sum([Decimal("1e30"), Decimal("0.000001")])
    Decimal('1000000000000000000000000000000.000001')
    """
    with localcontext(EXACT):
        return sum(amounts, Decimal(0))


def parts_of(shares: Shares, decimals: int | None = None, owner: Ints | None = None) -> Parts:
    """Round what jobs pay, and get, to whole units that add up; see `to_ledger`.

    Raises
    ------
    InputError
        It is more than 64 bits hold.
    """
    jobs, displaced = len(shares.own), shares.displaced
    if owner is not None:  # of each amount: whoever pays it
        payers = (np.append(owner, NOBODY)[dues.payer] for dues in (shares.work, displaced))
        owner = np.concatenate([owner, *payers])
    units, unit = to_ledger(shares.to_centre, decimals, owner)
    own, work, kept = np.split(units, [jobs, jobs + len(displaced.paid)])
    between = _passed_on(displaced, unit)
    borne = [to_ledger(dues.borne, decimals) for dues in (shares.work, displaced)]
    for_work = _exact(shares.work, Ledger(work, unit), np.zeros_like(work), borne[0])
    return Parts(own, for_work, _exact(displaced, Ledger(kept, unit), between, borne[1]), unit)


def _passed_on(dues: Dues, decimals: int) -> Ints:
    """Return what receivers get in whole units, which add up to the rounded exact sum."""
    whole = sum(map(Fraction, dues.received.tolist()), Fraction(0)) * 10**decimals
    return in_units(dues.received.tolist(), decimals, round(whole))


def _exact(dues: Dues, kept: Ledger, received: Ints, borne: Ledger) -> ExactDues:
    paid, passed_on = (Ledger(units, kept.decimals) for units in (kept.units + received, received))
    return ExactDues(dues.payer, dues.receiver, paid, passed_on, borne)
