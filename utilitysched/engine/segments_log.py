"""Log of the stretches in which jobs ran, as they end."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pricing.waste import Waste
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Decision, Floats, Integers

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
    value_lost: float = math.nan


def segments(entries: Sequence[SegmentEntry], order: Integers) -> Segments:
    """Return segments as columns, from entries in order of end.

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
    value_lost = np.array(columns[9], dtype=np.float64)
    return by_start([job, *times, stop, cause], order, columns[8], value_lost)


def by_start(
    columns: Sequence[NDArray[Any]],
    order: Integers,
    processors: Sequence[str],
    value_lost: Floats,
) -> Segments:
    """Return columns of segments, those of a job in the order in which they ended, as `Segments`.

    Parameters
    ----------
    columns : sequence of (s,) arrays
        All but processors and lost values; jobs by index in arrival order.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    processors : sequence of str
        Which each held; all empty where it does not matter.
    value_lost : (s,) float64
        What each stop was taken to cost its job (SU), not a number where that was not asked.
    """
    job, cause = order[columns[0]], columns[-1]
    cause = np.where(cause == NOBODY, NOBODY, order[cause]) if len(cause) else cause
    # stable: a job that is stopped as it starts has two at one instant
    rows = np.lexsort((job, columns[1]))
    held = tuple(processors[row] for row in rows.tolist()) if any(processors) else None
    start, end, overhead, kept, lost, stop = (column[rows] for column in columns[1:-1])
    priced = ~np.isnan(value_lost)
    charged = np.where(priced, value_lost, 0.0)[rows] if priced.any() else None
    times = start, end, overhead, kept, lost
    return Segments(job[rows], *times, stop, cause[rows], held, charged)


def causes(
    preempted: Sequence[int],
    started: Sequence[int],
    size: Sequence[int],
    free: int,
    decision: Decision | None = None,
) -> Mapping[int, tuple[int, float]]:
    """Return for whom each job was preempted, and what that is taken to cost it (SU).

    Where the decision does not say so, for the first that is started on its processors.

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
    decision : Decision, optional
        It may say itself for whom.

    Returns
    -------
    mapping of int to (int, float)
        A started job, or -1, for each preempted one, and the cost, if it is said.

    Examples
    --------
    >>> causes([3, 4, 5], [7, 8], [0, 0, 0, 2, 2, 9, 0, 1, 3], free=1)
    {3: (8, nan), 4: (8, nan), 5: (-1, nan)}
    """
    if decision is not None and decision.causes is not None and decision.losses is not None:
        losses = zip(decision.causes.tolist(), decision.losses.tolist(), strict=True)
        return dict(zip(preempted, losses, strict=True))
    # processors go to starts in turn: whoever's start lacks some caused the next preemption
    cause = dict.fromkeys(preempted, NOBODY)
    waiting = iter(preempted)
    for job in started:
        while free < size[job]:
            victim = next(waiting)
            cause[victim] = job
            free += size[victim]
        free -= size[job]
    return {job: (other, math.nan) for job, other in cause.items()}


def waste_of(segments: Segments | None) -> Waste | None:
    """Return what was lost where jobs were stopped; None where none could be.

    The work that a segment lost belongs to the stop at its end, the overhead at the head of the
    next one to the same stop.

    Parameters
    ----------
    segments : Segments or None
        Of a schedule.

    Examples
    --------
    >>> waste_of(None) is None
    True
    """
    if segments is None:
        return None
    by_job = np.argsort(segments.job, kind="stable")
    again = np.diff(segments.job[by_job]) == 0
    stopped, resumed = by_job[:-1][again], by_job[1:][again]
    return Waste(
        segments.job[stopped],
        segments.cause[stopped],
        segments.stop[stopped] == Stop.PREEMPTED,
        segments.end[stopped],
        segments.lost[stopped],
        segments.overhead[resumed],
        None if segments.value_lost is None else segments.value_lost[stopped],
    )
