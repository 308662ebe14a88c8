"""Periodic checkpoints: what a preempted job keeps, loses, and still has to run.

Rule (semantics, section 7). A job that takes a checkpoint every ``c`` seconds of work and is
preempted ``e`` seconds after its last start has done ``work = max(0, e - overhead of that start)``.
It keeps ``floor(work / c) * c`` of it and loses the rest. At its next start the restart overhead
comes first and does no work, so the run it then needs is the run left, less what was kept, plus
that overhead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats

FloatArray = Floats


@dataclass(frozen=True, slots=True)
class Preempted:
    """The outcome of preempting running jobs; one entry per job, all in seconds.

    Attributes
    ----------
    work : ndarray of float64, shape (n,)
        Useful work done since the last start (s).
    kept : ndarray of float64, shape (n,)
        Work saved by the last checkpoint (s).
    lost : ndarray of float64, shape (n,)
        Work done after the last checkpoint, to be done again (s).
    remaining : ndarray of float64, shape (n,)
        Elapsed time the next start needs, its restart overhead included (s).
    """

    work: FloatArray
    kept: FloatArray
    lost: FloatArray
    remaining: FloatArray


def preempt(
    elapsed: npt.ArrayLike,
    interval: npt.ArrayLike,
    run_left: npt.ArrayLike,
    *,
    paid_overhead: npt.ArrayLike = 0.0,
    next_overhead: npt.ArrayLike = 0.0,
) -> Preempted:
    """Work kept and lost when jobs are preempted; arguments broadcast to one shape (n,).

    Parameters
    ----------
    elapsed : array_like
        Time since the last start (s), at least 0.
    interval : array_like
        Work between two checkpoints (s); 0 if the preemption itself writes one, so that nothing is
        lost; infinite or -1 if the job takes none and keeps nothing.
    run_left : array_like
        Useful run time that was left at the last start (s), without overhead.
    paid_overhead : array_like
        Overhead at the head of the last start (s); 0 for a first start.
    next_overhead : array_like
        Overhead the next start will pay (s).

    Returns
    -------
    Preempt
        ``kept + lost == work`` to the last bit.

    Raises
    ------
    ValueError
        If a time is negative, or an interval below 0 but for -1.

    Examples
    --------
    >>> float(preempt(elapsed=1000, interval=300, run_left=7200).kept[0])
    900.0

    References
    ----------
    LEE, sections 6.5 to 6.7.
    """
    _refuse_negative(
        elapsed=elapsed, run_left=run_left, paid_overhead=paid_overhead, next_overhead=next_overhead
    )
    spent, every, left, paid, upcoming = (
        np.array(column, dtype=np.float64)
        for column in np.broadcast_arrays(
            *(np.atleast_1d(a) for a in (elapsed, interval, run_left, paid_overhead, next_overhead))
        )
    )
    if not np.all((every >= 0) | (every == -1)):
        raise ValueError("checkpoint interval: seconds from 0, or -1 for a job that takes none")
    work = np.maximum(0.0, spent - paid)
    kept = _saved(work, every)
    return Preempted(work, kept, work - kept, left - kept + upcoming)


def saved(work: float, interval: float) -> float:
    """Return what a preempted job keeps of its work (s).

    Parameters
    ----------
    work : float
        Done since its last start (s).
    interval : float
        Work between two checkpoints (s); 0 if the preemption writes one, infinite or -1 if nobody
        does.

    Examples
    --------
    >>> saved(1000, 300), saved(1000, 0), saved(1000, -1)
    (900.0, 1000, 0.0)
    """
    if interval == 0:
        return work
    return work - math.fmod(work, interval) if interval > 0 else 0.0


def proportional_overhead(processors: npt.ArrayLike, seconds_per_processor: float) -> FloatArray:
    """Restart overhead (s) that grows with the job's processors: each image is read back."""
    return np.asarray(processors, dtype=np.float64) * seconds_per_processor


def constant_overhead(processors: npt.ArrayLike, seconds: float) -> FloatArray:
    """Restart overhead (s) that is the same for every job, whatever its processors."""
    return np.full(np.shape(processors), seconds, dtype=np.float64)


def _saved(work: FloatArray, interval: FloatArray) -> FloatArray:
    checkpointed = interval > 0
    period = np.where(checkpointed, interval, 1.0)
    # fmod is exact where floor(work / c) * c may round above work
    return np.where(checkpointed, work - np.fmod(work, period), np.where(interval == 0, work, 0.0))


def _refuse_negative(**times: npt.ArrayLike) -> None:
    for name, values in times.items():
        if not np.all(np.asarray(values, dtype=np.float64) >= 0):
            raise ValueError(f"{name}: seconds, at least 0, got {values!r}")
