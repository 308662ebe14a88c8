"""Number of random cases: ``RANDOM_CASES=10`` makes it ten times as many, ``0.3`` a third."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("RANDOM_CASES", "1"))


def many(cases: int, least: int = 1) -> int:
    """So many random cases, times the factor; at least as many as meet what is rare."""
    return max(least, round(cases * FACTOR))


def enough(found: int) -> int:
    """So many of the usual cases must have shown what they are drawn for; fewer cases, fewer."""
    return int(found * min(FACTOR, 1))
