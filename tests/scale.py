"""How many random cases there are: ``RANDOM_CASES=10`` makes it ten times as many."""

from __future__ import annotations

import os

FACTOR = int(os.environ.get("RANDOM_CASES", "1"))


def many(cases: int) -> int:
    """So many random cases, times the factor."""
    return cases * FACTOR
