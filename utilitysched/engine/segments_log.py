"""Log of the stretches in which jobs ran, as they end."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Integers

NOBODY = -1


class SegmentEntry(NamedTuple):
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


def segments(entries: Sequence[SegmentEntry], order: Integers) -> Segments:
    """Return entries, in the order in which they ended, as columns.

    Parameters
    ----------
    entries : sequence of SegmentEntry
        One for each segment.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    """
    columns = list(zip(*entries, strict=True)) if entries else [()] * len(SegmentEntry._fields)
    times = [np.array(column, dtype=np.float64) for column in columns[1:6]]
    job, stop, cause = (np.array(columns[at], dtype=np.int64) for at in (0, 6, 7))
    return by_start([job, *times, stop, cause], order, columns[8])


def by_start(
    columns: Sequence[NDArray[Any]], order: Integers, processors: Sequence[str]
) -> Segments:
    """Return columns of segments, those of a job in the order in which they ended, as `Segments`.

    Parameters
    ----------
    columns : sequence of (s,) arrays
        All but processors; jobs by index in arrival order.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    processors : sequence of str
        Which each held; all empty where it does not matter.
    """
    job, cause = order[columns[0]], columns[-1]
    cause = np.where(cause == NOBODY, NOBODY, order[cause]) if len(cause) else cause
    # stable: a job that is stopped as it starts has two at one instant
    rows = np.lexsort((job, columns[1]))
    held = tuple(processors[row] for row in rows.tolist()) if any(processors) else None
    start, end, overhead, kept, lost, stop = (column[rows] for column in columns[1:-1])
    return Segments(job[rows], start, end, overhead, kept, lost, stop, cause[rows], held)


def causes(
    preempted: Sequence[int], started: Sequence[int], size: Sequence[int], free: int
) -> Mapping[int, int]:
    """Return for whom each job was preempted: the first that is started on its processors.

    Started jobs take what was free before the preemptions first. One for which this is not enough
    takes the processors of preempted jobs, too; what it leaves of them is for the next. Both come
    in the order of the decision. Who is not needed was preempted for nobody.

    Parameters
    ----------
    preempted, started : sequence of int
        Jobs of one decision.
    size : sequence of int
        Processors of every job.
    free : int
        Processors that were free before the preemptions.

    Returns
    -------
    mapping of int to int
        A started job, or -1, for each preempted one.

    Examples
    --------
    >>> causes([3, 4, 5], [7, 8], [0, 0, 0, 2, 2, 9, 0, 1, 3], free=1)
    {3: 8, 4: 8, 5: -1}
    """
    cause = dict.fromkeys(preempted, NOBODY)
    waiting = iter(preempted)
    for job in started:
        while free < size[job]:
            victim = next(waiting)
            cause[victim] = job
            free += size[victim]
        free -= size[job]
    return cause
