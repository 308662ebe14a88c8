"""Exact sums of money: charges as whole numbers of a decimal unit.

A charge comes out of a mechanism as a float. It is rounded once, and what is printed of a bill is
that amount or a sum of such. Three rules make every total exact:

1. *The total* is ``math.fsum`` of the charges: the exact sum, rounded once. The aggregate utility
   of a schedule is summed by the same rule, so under first price the two are the same float.
2. *The unit* is that of the bill (0.01 SU by default where the program writes it), to which the
   total is rounded half to even. Without one it is the last decimal of the total's shortest
   round-trip text (``repr``), micro-SU at the coarsest (1 SU from 1e12 SU on): nothing is rounded.
3. *The lines* are the charges rounded down to units; the units then missing from the total go one
   each to the largest remainders, ties to the earlier line. A line is off by less than a few units.
   Of a rounded bill the sums of users are rounded so first, then the lines of each: however small
   the jobs of a user are, they cost together what they should, to the unit.

So the decimal lines add up to the printed total digit for digit, and any grouping of them does.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np

from swfx import InputError
from swfx.base.columns import Floats, Ints

COARSEST = 6
"""Decimals that the unit of unrounded charges has at least, up to `LARGE`: 6 is micro-SU."""

LARGE = 1e12
"""Total (SU) from which on 64 bits no longer hold it in micro-SU with room to spare."""

MOST_UNITS = 2**63 - 1

TOLERANCE = 1e-9
"""Share by which two ways to the same number of SU may differ: rounding of float64 (1e-16 a step)
adds up over many steps, and what is above it was not computed so. Whoever sets a charge straight
by it keeps the certificates that are checked by it."""

Key = TypeVar("Key", bound=Hashable)


class Ledger(NamedTuple):
    """Charges as whole units.

    Attributes
    ----------
    units : ndarray of int64, shape (n,)
        Each charge in units of ``10**-decimals`` SU.
    decimals : int
        Decimals of the unit.
    """

    units: Ints
    decimals: int

    @property
    def total(self) -> Decimal:
        """Sum of the lines (SU)."""
        return amount(int(self.units.sum()), self.decimals)


def to_ledger(charge: Floats, decimals: int | None = None, owner: Ints | None = None) -> Ledger:
    """Turn charges into whole units that add up to their exact sum's float.

    Parameters
    ----------
    charge : ndarray of float64, shape (n,)
        SU, finite.
    decimals : int, optional
        Of the unit, to which that sum is rounded; default: as many as it has.
    owner : ndarray of int64, shape (n,), optional
        Whose sums are rounded by rule 3 before their lines are, where `decimals` are given.

    Raises
    ------
    InputError
        If the sum is over 9.2e18 SU, more than 64-bit units hold.

    Examples
    --------
    >>> to_ledger(np.array([0.1, 0.2, 0.3])).total
    Decimal('0.600000')
    >>> to_ledger(np.array([1 / 3, 1 / 3, 1 / 3]), 2).units.tolist()
    [34, 33, 33]
    """
    total = Decimal(repr(math.fsum(charge)))
    if decimals is None:
        decimals = max(COARSEST if abs(total) < LARGE else 0, -int(total.as_tuple().exponent))
    if abs(total).scaleb(decimals) > MOST_UNITS:
        raise InputError(
            f"charges add up to {total} SU, over the {amount(MOST_UNITS, decimals)} a ledger holds",
            remedy="charge a smaller part of the workload at a time, or a lower rate",
        )
    whole = round(total.scaleb(decimals))
    lines = [[*range(len(charge))]] if owner is None else [*positions(owner.tolist()).values()]
    sums = in_units([math.fsum(charge[mine]) for mine in lines], decimals, whole)
    units = np.zeros(len(charge), np.int64)
    for mine, each in zip(lines, sums.tolist(), strict=True):
        units[mine] = in_units(charge[mine].tolist(), decimals, each)
    return Ledger(units, decimals)


def in_units(amounts: Sequence[float | Fraction], decimals: int, whole: int) -> Ints:
    """Turn amounts (SU) into units that add up to `whole`, as said in rule 3; exactly divided."""
    floors, remainders, scale = (
        np.empty(len(amounts), np.int64),
        np.empty(len(amounts)),
        10**decimals,
    )
    for i, value in enumerate(amounts):
        above, below = value.as_integer_ratio()
        floors[i], rest = divmod(above * scale, below)
        remainders[i] = rest / below
    return spread(floors, remainders, whole)


def spread(floors: Ints, remainders: Floats, whole: int) -> Ints:
    """Add to `floors` what is missing from `whole`, one unit each, largest remainder first.

    Lines that are zero through and through stay zero. Ties go to the earlier line. Where `whole` is
    the smaller, as the float of a sum may be, lines below one unit give none.

    Parameters
    ----------
    floors : ndarray of int64, shape (n,)
        Lines, rounded down.
    remainders : ndarray of float64, shape (n,)
        What rounding took from each, as a share of a unit.
    whole : int
        Sum that the result must have.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    lines = floors.copy()
    missing = whole - int(floors.sum())
    candidates = np.flatnonzero((floors != 0) | ((remainders != 0) & (missing >= 0)))
    if len(candidates) == 0:
        return lines
    each, more = divmod(missing, len(candidates))
    lines[candidates] += each
    order = np.argsort(-remainders[candidates], kind="stable")
    lines[candidates[order[:more]]] += 1
    return lines


def positions(keys: Iterable[Key]) -> dict[Key, list[int]]:
    """Return where each key is, in the order of its first place.

    >>> positions("aba")
    {'a': [0, 2], 'b': [1]}
    """
    places: dict[Key, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places


def amount(units: int, decimals: int) -> Decimal:
    """Exact decimal of a whole number of units."""
    return Decimal(f"{units}E{-decimals}")


def plain(money: Decimal) -> str:
    """Write all decimals and no exponent, however small the amount."""
    return f"{money:f}"
