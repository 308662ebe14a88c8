"""Number of random cases: ``RANDOM_CASES=10`` makes it ten times as many, ``0.3`` a third."""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("RANDOM_CASES", "1"))


def many(cases: int) -> int:
    """So many random cases, times the factor."""
    return max(1, round(cases * FACTOR))
