"""Use of the machine: makespan, utilisation, and metrics week by week."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.analysis.metrics.jobs import TAU, bounded_slowdown, realised_utility
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import spans
from utilitysched.model.state import Floats, Integers


def makespan(workload: Workload, schedule: Schedule) -> float:
    """Last completion less first submission (s), 0 without jobs (LEE, section 1.4)."""
    if len(workload) == 0:
        return 0.0
    return float(schedule.end.max() - schedule.submitted(workload).min())


def utilisation(workload: Workload, schedule: Schedule) -> float | None:
    """Processor-seconds used over processors x makespan; None when the makespan is 0."""
    span = makespan(workload, schedule)
    if span <= 0:
        return None
    used = float(np.sum(schedule.used(workload)))
    return used / (schedule.machine_size * span)


def effective_utilisation(workload: Workload, schedule: Schedule) -> float | None:
    """Processor-seconds of work that was not lost over processors x makespan; None when that is 0.

    What is used beyond is work that had to be done again, and restart overhead.
    """
    span = makespan(workload, schedule)
    segments = schedule.segments
    if span <= 0 or segments is None:
        return utilisation(workload, schedule)
    useful = float(np.sum(workload.size * segments.per_job(segments.kept, len(schedule))))
    return useful / (schedule.machine_size * span)


def submission_utilisation(workload: Workload, schedule: Schedule) -> float | None:
    """Share of the processors in use from the first to the last submission; None if one instant.

    Free of the warm-down: after the last submission the machine only empties.
    """
    if len(workload) == 0:
        return None
    submitted = schedule.submitted(workload)
    window = np.array([submitted.min(), submitted.max()])
    span = float(window[1] - window[0])
    if span == 0:
        return None
    before, after = used_until(workload, schedule, window)
    return float(after - before) / (schedule.machine_size * span)


def used_until(workload: Workload, schedule: Schedule, times: Floats) -> Floats:
    """Processor-seconds used up to each time.

    Parameters
    ----------
    workload, schedule
        n jobs, at least one, and when they ran.
    times : (k,) float64
        Seconds on the log's clock.

    Returns
    -------
    (k,) float64
        Processor-seconds.
    """
    job, start, end = spans(schedule)
    origin = float(workload.submit.min())  # small numbers keep the sums of products exact
    size = workload.size[job]
    return _ramps(start - origin, size, times - origin) - _ramps(end - origin, size, times - origin)


def _ramps(begin: Floats, size: Integers, times: Floats) -> Floats:
    """Sum over spans of size x max(0, time - begin), for each time."""
    order = np.argsort(begin, kind="stable")
    since, size = begin[order], size[order]
    processors = np.concatenate([[0.0], np.cumsum(size, dtype=np.float64)])
    offsets = np.concatenate([[0.0], np.cumsum(size * since)])
    passed = np.searchsorted(since, times, side="right")
    used: Floats = processors[passed] * times - offsets[passed]
    return used


WEEK = 604800.0


class Week(NamedTuple):
    """Metrics of one week of a schedule.

    Attributes
    ----------
    week : int
        From 0; the first begins with the first submission.
    jobs : int
        Jobs submitted in it. The next three metrics are theirs, whenever they ran.
    wait : float or None
        Mean wait (s).
    bounded_slowdown : float or None
        Mean bounded slowdown of those that were not cut short.
    utility : float
        Realised utility (SU).
    utilisation : float
        Share of the processors in use during the week, by whatever job.
    """

    week: int
    jobs: int
    wait: float | None
    bounded_slowdown: float | None
    utility: float
    utilisation: float


def weekly(workload: Workload, schedule: Schedule, tau: float = TAU) -> list[Week]:
    """Each week from the first submission to the last completion, empty ones too.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    tau : float
        Bound of the bounded slowdown (s).

    Returns
    -------
    list of Week

    References
    ----------
    LEGRAND: sums of weekly average bounded slowdowns.
    """
    if len(workload) == 0:
        return []
    submitted = schedule.submitted(workload)
    first = submitted.min()
    week = ((submitted - first) // WEEK).astype(np.int64)
    weeks = int((schedule.end.max() - first) // WEEK) + 1
    jobs = np.bincount(week, minlength=weeks)
    waits = _sums(week, schedule.wait(workload), weeks)
    completed = ~schedule.cut_short(workload)
    bounded = np.where(completed, bounded_slowdown(workload, schedule, tau), 0.0)
    slowdowns = _sums(week, bounded, weeks)
    slowed = _sums(week, completed.astype(np.float64), weeks)
    utility = _sums(week, realised_utility(workload, schedule), weeks)
    used = np.diff(used_until(workload, schedule, first + WEEK * np.arange(weeks + 1)))
    return [
        Week(
            i,
            int(jobs[i]),
            _mean(waits[i], jobs[i]),
            _mean(slowdowns[i], slowed[i]),
            float(utility[i]),
            float(used[i] / (schedule.machine_size * WEEK)),
        )
        for i in range(weeks)
    ]


def _sums(week: NDArray[np.int64], values: Floats, weeks: int) -> Floats:
    return np.bincount(week, weights=values, minlength=weeks).astype(np.float64)


def _mean(total: float, count: float) -> float | None:
    return float(total / count) if count else None
