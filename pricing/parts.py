"""A bill taken apart: what each line is for itself, and what for lost work, in exact decimals.

Lines are those of the ledger. Each is the job's own charge and what it pays for stops. What all
jobs pay for stops is the exact sum of that, rounded once to the ledger's unit and spread over the
lines as a total is (`pricing.ledger`); a line that is for stops alone is so to the last unit. Then
each line's part is taken apart into its stops. What the centre bears is rounded like a bill of its
own. The price of a stop is what is paid for it and what the centre bears, so that all prices
together are what all jobs pay for stops and what the centre bears, digit for digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property

import numpy as np

from pricing.ledger import Ledger, amount, in_units, to_ledger
from pricing.shares import Shares
from pricing.waste import NOBODY
from swfx.base.columns import Ints

EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""In which sums of decimals have all their digits."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a bill's n lines, and of the prices of w stops.

    Attributes
    ----------
    own : ndarray of int64, shape (n,)
        What each job pays for itself, in units of ``10**-decimals`` SU.
    paid : ndarray of int64, shape (w,)
        What is paid for each stop, in these units.
    decimals : int
        Of the unit: that of the ledger.
    borne : Ledger
        What the centre bears of each stop.
    """

    own: Ints
    paid: Ints
    decimals: int
    borne: Ledger

    def money(self, units: Ints) -> Decimal:
        """Sum of units of the ledger (SU)."""
        return amount(int(units.sum()), self.decimals)

    @cached_property
    def price(self) -> list[Decimal]:
        """What each stop costs (SU)."""
        borne = (amount(units, self.borne.decimals) for units in self.borne.units.tolist())
        paid = (amount(units, self.decimals) for units in self.paid.tolist())
        return [exact_sum(both) for both in zip(paid, borne, strict=True)]


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """Add amounts up without rounding.

    Examples
    --------
    >>> exact_sum([Decimal("1e30"), Decimal("0.000001")])
    Decimal('1000000000000000000000000000000.000001')
    """
    with localcontext(EXACT):
        return sum(amounts, Decimal(0))


def parts_of(ledger: Ledger, shares: Shares) -> Parts:
    """Take the lines of a ledger apart.

    Parameters
    ----------
    ledger : Ledger
        Of what n jobs pay in all.
    shares : Shares
        What that is made of.
    """
    rows = _rows_of_payers(shares)
    for_stops = _for_stops(ledger, shares, rows)
    paid = np.zeros(len(shares.paid), dtype=np.int64)
    for job, mine in rows.items():
        paid[mine] = apart(int(for_stops[job]), shares.paid[mine].tolist(), ledger.decimals)
    return Parts(ledger.units - for_stops, paid, ledger.decimals, to_ledger(shares.borne))


def _for_stops(ledger: Ledger, shares: Shares, rows: Mapping[int, list[int]]) -> Ints:
    """Return what of each line is for stops, in units."""
    paid = np.zeros(len(shares.own))
    for job, mine in rows.items():
        paid[job] = math.fsum(shares.paid[mine])
    alone = (shares.own == 0) & (paid > 0)
    part = np.where(alone, ledger.units, 0)
    whole = round(Fraction(math.fsum(paid)) * 10**ledger.decimals) - int(part.sum())
    spread = in_units(np.where(alone, 0.0, paid), ledger.decimals, whole)
    found: Ints = np.where(alone, part, np.clip(spread, 0, np.maximum(ledger.units, 0)))
    return found


def apart(line: int, amounts: Sequence[float], decimals: int) -> list[int]:
    """Take so many units apart into amounts (SU) that add up to them, none below 0.

    Each sum so far is rounded to the nearest unit; the last amount that is not 0 takes what is
    left.

    Examples
    --------
    >>> apart(3, [0.016, 0.0, 0.016], 2)
    [2, 0, 1]
    """
    last = max((place for place, each in enumerate(amounts) if each), default=0)
    scale, so_far, before = 10**decimals, Fraction(0), 0
    parts = []
    for place, each in enumerate(amounts):
        so_far += Fraction(each)
        end = line if place >= last else min(line, round(so_far * scale))
        parts.append(end - before)
        before = end
    return parts


def _rows_of_payers(shares: Shares) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row, job in enumerate(shares.payer.tolist()):
        if job != NOBODY:
            found.setdefault(job, []).append(row)
    return found
