"""How many jobs of how many."""

from __future__ import annotations


def jobs_of(count: int, total: int) -> str:
    """Say a count and its share.

    Examples
    --------
    >>> jobs_of(1500, 6000)
    '1,500 of 6,000 jobs (25.0%)'
    """
    return f"{count:,} of {total:,} jobs ({count / max(total, 1):.1%})"
