"""Jobs that are stopped and go on later: what is left of each, and the segments they ran in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inlined, leaf
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Integers

COMPLETED, PREEMPTED, FAILED = int(Stop.COMPLETED), int(Stop.PREEMPTED), int(Stop.FAILED)


class StopColumns(NamedTuple):
    """What a stop means for each of n jobs, and what is left of those that were stopped.

    Attributes
    ----------
    periodic : (n,) float64
        Work between two checkpoints that a job writes by itself (s), -1 for none.
    overhead : (n,) float64
        Restart overhead that a start after a stop is expected to take (s).
    actual : float
        What it really takes, over that.
    kills : bool
        Whether a restarted job ends at its limit even if it has work left.
    requested : (n,) float64
        What was requested at first (s). The `request` of the job table is the limit of the present
        or next start: what is left of it, with the overhead.
    asked, work : (n,) float64
        Requested time and work that is left (s).
    paid : (n,) float64
        Overhead with which the present start was expected to begin (s).
    stopped : (n,) bool
        Whether the job was stopped before.
    row : (n,) int64
        Its latest segment in the log.
    """

    periodic: Floats
    overhead: Floats
    actual: float
    kills: bool
    requested: Floats
    asked: Floats
    work: Floats
    paid: Floats
    stopped: NDArray[np.bool_]
    row: Integers


class SegmentRows(NamedTuple):
    """Segments in the order in which they begin, with room for more.

    Attributes
    ----------
    job, start, end, overhead, kept, lost, stop, cause, value_lost : (c,)
        See `utilitysched.model.segments.Segments`; jobs by place in arrival order.
    first, last : (c,) int64
        Processors of each: the ranges ``low[first:last]`` and ``high[first:last]``.
    low, high : (r,) int64
        Ranges of processors, up to but without `high`, with room for more.
    """

    job: Integers
    start: Floats
    end: Floats
    overhead: Floats
    kept: Floats
    lost: Floats
    stop: Integers
    cause: Integers
    value_lost: Floats
    first: Integers
    last: Integers
    low: Integers
    high: Integers

    @classmethod
    def blank(cls, rows: int, ranges: int) -> "SegmentRows":
        """Return room for so many segments and ranges."""
        job, stop, first, last = np.zeros((4, rows), np.int64)
        start, end, overhead, kept, lost = np.zeros((5, rows))
        low, high = np.zeros((2, ranges), np.int64)
        times = start, end, overhead, kept, lost
        causes = np.full(rows, -1), np.full(rows, np.nan)
        return cls(job, *times, stop, *causes, first, last, low, high)

    def longer(self) -> "SegmentRows":
        """Return a copy with room for twice as many."""
        blank = self.blank(len(self.job), len(self.low))
        pairs = zip(self, blank, strict=True)
        return SegmentRows._make(np.concatenate(pair) for pair in pairs)


@leaf
def kept_of(work: float, interval: float) -> float:
    """Return how much of so much work (s) is kept by a job that is stopped now.

    `interval` is the work between two checkpoints (s); 0 if one is written now, negative or
    infinite if there are none.
    """
    if interval == 0.0:
        return work
    return work - np.fmod(work, interval) if interval > 0.0 else 0.0


@inlined
def _lasts(stops: StopColumns, job: int, limit: float) -> float:
    """Return how long the present start of a job takes if nobody stops it (s)."""
    needed = stops.actual * stops.paid[job] + stops.work[job]
    return min(needed, limit) if stops.kills else needed


@inlined
def begin(
    stops: StopColumns, rows: SegmentRows, row: int, job: int, now: float, limit: float
) -> float:
    """Open a segment; return how long it lasts if nobody stops the job (s)."""
    stops.row[job] = row
    rows.job[row], rows.start[row] = job, now
    stops.paid[job] = stops.overhead[job] if stops.stopped[job] else 0.0
    return _lasts(stops, job, limit)


@inlined
def conclude(stops: StopColumns, rows: SegmentRows, job: int, now: float, request: Floats) -> float:
    """Close the last segment of a job; return what was not done of its work (s)."""
    row, work = stops.row[job], stops.work[job]
    lasted = _lasts(stops, job, request[job])
    overhead = min(stops.actual * stops.paid[job], lasted)
    done = min(work, lasted - overhead)
    rows.end[row], rows.overhead[row], rows.kept[row] = now, overhead, done
    rows.stop[row] = COMPLETED
    request[job] = stops.requested[job]  # what can be learnt from
    return work - done


@leaf
def interrupt(
    stops: StopColumns,
    rows: SegmentRows,
    job: int,
    why: int,
    interval: float,
    now: float,
    request: Floats,
) -> None:
    """Close a segment in which a job is stopped: it keeps the work of its checkpoints.

    Parameters
    ----------
    why : int
        A `Stop`.
    interval : float
        Work between two checkpoints (s), negative for none; 0 if one is written now.
    """
    row, work = stops.row[job], stops.work[job]
    elapsed = now - rows.start[row]
    overhead = min(stops.actual * stops.paid[job], elapsed)
    done = elapsed - overhead
    kept = min(kept_of(done, interval), work)
    rows.end[row], rows.overhead[row], rows.kept[row] = now, overhead, kept
    rows.lost[row] = done - kept
    rows.stop[row] = why
    stops.stopped[job] = True
    stops.work[job] = work - kept
    stops.asked[job] -= kept
    request[job] = stops.asked[job] + stops.overhead[job]
