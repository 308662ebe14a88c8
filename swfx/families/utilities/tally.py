"""Counts of jobs and their lines, for notes."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Ints


def jobs_of(count: int, total: int) -> str:
    """Say a count and its share.

    Examples
    --------
    >>> jobs_of(1500, 6000)
    '1,500 of 6,000 jobs (25.0%)'
    """
    return f"{count:,} of {total:,} jobs ({count / max(total, 1):.1%})"


FIRST = 5
"""How many lines are named."""


def lines_of(lines: Ints) -> str:
    """Name the first lines.

    Examples
    --------
    >>> lines_of(np.array([7, 3])), lines_of(np.arange(1, 9))
    ('lines 3, 7', 'lines 1, 2, 3, 4, 5, ...')
    """
    named = [str(line) for line in np.sort(lines)[:FIRST]]
    more = ["..."] if len(lines) > FIRST else []
    return f"{'lines' if len(lines) > 1 else 'line'} {', '.join(named + more)}"
