"""Whole numbers of jobs from percents, adding up to all jobs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def jobs_of(percents: Sequence[float], jobs: int) -> list[int]:
    """Jobs of each estimate, rounded, at least 1; they need not add up."""
    return [max(1, math.floor(percent * jobs / 100 + 0.5)) for percent in percents]


def repaired(counts: Sequence[int], total: int) -> list[int]:
    """Change counts until they add up to `total`.

    In up to four passes, each from the largest count to the smallest: every count changes in
    proportion to itself; by 1; by all but 1; by all. None falls below 1 before the last pass,
    and the change ends as soon as the sum is right.

    Parameters
    ----------
    counts : sequence of int
        At least 1 each.
    total : int
        From 0; reached always, unless there are no counts.
    """
    changed = list(counts)
    lacking = total - sum(counts)
    whole, amount = sum(counts), abs(lacking)
    steps: tuple[Callable[[int], int], ...] = (
        lambda count: -(-count * amount // whole),
        lambda _: 1,
        lambda count: count - 1,
        lambda count: count,
    )
    for number, step in enumerate(steps):
        least = 0 if number == len(steps) - 1 else 1
        for place in sorted(range(len(changed)), key=lambda i: -changed[i]):
            change = min(step(changed[place]), abs(lacking))
            if lacking < 0:
                change = -min(change, changed[place] - least)
            changed[place] += change
            lacking -= change
    return changed
