"""The 20 popular estimates: which times they are, and how popular each rank is."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

LENGTH = 20
"""Number of popular estimates."""
TOTAL = 89.0
"""Percent of all jobs that have one of them."""
LEAST_MAXIMUM = 5700
"""The longest estimate (s) must be above it: below, there are no 20 round values."""

JOINT = tuple(60 * m for m in (5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080))
"""Times (s) that are popular at every site."""
UNITS = tuple(60 * m for m in (12_000, 6_000, 3_000, 600, 300, 120, 60, 20, 10, 5))
"""Times (s) whose multiples fill up the 20."""


def percents() -> list[float]:
    """Percent of all jobs by popularity rank, most popular first.

    Examples
    --------
    >>> [round(percent, 4) for percent in percents()[:3]]
    [21.7329, 10.3128, 8.7105]
    """
    rest = [14.0491 * math.exp(-0.177531 * rank) + 0.462513 for rank in range(2, LENGTH + 1)]
    return [TOTAL - sum(rest), *rest]


def times(maximum: int, given: Collection[int] = ()) -> list[int]:
    """Popular estimates: the longest, then the others in ascending order.

    A given time that is not popular by default takes the place of one that is: of the nearest
    that is not popular everywhere, then of the nearest of those.

    Parameters
    ----------
    maximum : int
        Longest estimate (s), above `LEAST_MAXIMUM`.
    given : collection of int
        Times (s) that must be among them, at most 20 with `maximum`.

    Returns
    -------
    list of int
        20 times (s).
    """
    default = _default_times(maximum)
    replaceable = [time for time in default[1:] if time not in given]
    new = {time for time in given if time not in default}
    chosen = set(default[1:])
    for joint in (False, True):
        group = {time for time in replaceable if (time in JOINT) == joint}
        for _, added, removed in sorted((abs(n - t), n, t) for n in new for t in group):
            if added in new and removed in group:
                new.remove(added)
                group.remove(removed)
                chosen.symmetric_difference_update((added, removed))
    return [maximum, *sorted(chosen)]


def _default_times(maximum: int) -> list[int]:
    found = [maximum, *(time for time in JOINT if time < maximum)]
    for unit in UNITS:
        for time in range(maximum // unit * unit, 0, -unit):
            if len(found) == LENGTH:
                return found
            if time not in found:
                found.append(time)
    return found


class Slots(NamedTuple):
    """How popular each rank is, and which ranks are taken.

    Attributes
    ----------
    percent : list of float
        Percent of all jobs by rank, from rank 1 on.
    rank_of : dict of int to int
        Given time (s) to its rank, from 1.
    """

    percent: list[float]
    rank_of: dict[int, int]


def slots(maximum: int, share: Mapping[int, float]) -> Slots:
    """Fit the given shares of jobs among the default ones.

    Each given time takes the slot of the nearest default size, the largest first; the first
    slot is for the longest estimate only. The sizes of the others are scaled so that all
    together hold 89 %, or are 0 where the given ones hold more.

    Parameters
    ----------
    maximum : int
        Longest estimate (s).
    share : mapping of int to float
        Given time (s) to percent of all jobs.
    """
    percent = percents()
    if maximum in share:
        others = _scaled(percent[1:], TOTAL - share[maximum])
        percent = sorted([share[maximum], *others], reverse=True)
    slot_of = _nearest_slots(maximum, share, percent)
    taken = {slot: share[time] for time, slot in slot_of.items()}
    rest = [slot for slot in range(LENGTH) if slot not in taken]
    scaled = _scaled([percent[slot] for slot in rest], TOTAL - sum(taken.values()))
    size = taken | dict(zip(rest, scaled, strict=True))
    order = [0, *sorted(range(1, LENGTH), key=lambda slot: -size[slot])]
    rank = {slot: place + 1 for place, slot in enumerate(order)}
    return Slots(
        [size[slot] for slot in order], {time: rank[slot] for time, slot in slot_of.items()}
    )


def _scaled(sizes: list[float], total: float) -> list[float]:
    whole = sum(sizes)
    factor = max(total, 0.0) / whole if whole > 0 else 0.0
    return [size * factor for size in sizes]


def _nearest_slots(
    maximum: int, share: Mapping[int, float], percent: list[float]
) -> dict[int, int]:
    slot_of: dict[int, int] = {}
    for time in sorted(share, key=lambda t: (share[t], t), reverse=True):
        first = 0 if time == maximum else 1
        free = [slot for slot in range(first, LENGTH) if slot not in slot_of.values()]
        slot_of[time] = min(free, key=lambda slot: abs(percent[slot] - share[time]))
    return slot_of
