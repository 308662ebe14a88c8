"""The estimates that few jobs have."""

from __future__ import annotations

import math
from collections.abc import Collection

from swfx.families.estimates.modal import head

SHIFTS = (0, 30, -30, 20, -20, 10, -10)
"""What is tried (s) where an estimate is taken already."""


def default_curve(distinct: int) -> float:
    """Find parameter a of the curve of times from the number of distinct estimates."""
    return 1 + 12.1039 * math.pow(distinct, -0.6026)


def times(count: int, maximum: int, popular: Collection[int], curve: float) -> list[int]:
    """Unpopular estimates (s), about `count`: a time without a free place is left out.

    For x = i/count the time is (a - 1) x / (a - x) of the longest, rounded to a minute.

    Parameters
    ----------
    count : int
        How many to try.
    maximum : int
        Longest estimate (s).
    popular : collection of int
        The head's times (s), which are not used again.
    curve : float
        The parameter a, above 1.
    """
    taken = set(popular)
    found: list[int] = []
    for i in range(1, count + 1):
        x = i / count
        wanted = 60 * math.floor((curve - 1) * x / (curve - x) * maximum / 60 + 0.5)
        near = (wanted + shift for shift in SHIFTS)
        time = next((t for t in near if 0 < t < maximum and t not in taken), None)
        if time is not None:
            taken.add(time)
            found.append(time)
    return found


def percents(count: int, total: float) -> list[float]:
    """Percent of all jobs of each unpopular estimate, most jobs first, `total` together."""
    sizes = [795.6 * rank**-2.267 for rank in range(head.LENGTH + 1, head.LENGTH + 1 + count)]
    whole = sum(sizes)
    return [size * total / whole for size in sizes]
