"""Segments as they end."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Integers

NOBODY = -1


class Entry(NamedTuple):
    """One segment; jobs by index in arrival order. See `Segments` for the columns."""

    job: int
    start: float
    end: float
    overhead: float
    kept: float
    lost: float
    stop: Stop
    cause: int = NOBODY
    processors: str = ""


def segments(entries: Sequence[Entry], order: Integers) -> Segments:
    """Return entries, in the order in which they ended, as columns.

    Parameters
    ----------
    entries : sequence of Entry
        One for each segment.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    """
    columns = list(zip(*entries, strict=True)) if entries else [()] * len(Entry._fields)
    held = columns[8]
    times = [np.array(column, dtype=np.float64) for column in columns[1:6]]
    job, stop, cause = (np.array(columns[at], dtype=np.int64) for at in (0, 6, 7))
    job = order[job]
    cause = np.where(cause == NOBODY, NOBODY, order[cause]) if len(cause) else cause
    rows = np.lexsort((job, times[0]))  # stable: a job bumped as it starts has two at one instant
    start, end, overhead, kept, lost = (column[rows] for column in times)
    processors = tuple(held[row] for row in rows.tolist()) if any(held) else None
    return Segments(
        job[rows], start, end, overhead, kept, lost, stop[rows], cause[rows], processors
    )
