"""Use of the machine: makespan and utilisation."""

import numpy as np

from swfx import Workload
from utilitysched.model.schedule import Schedule, spans
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
    found = schedule.segments
    if span <= 0 or found is None:
        return utilisation(workload, schedule)
    useful = float(np.sum(workload.size * found.per_job(found.kept, len(schedule))))
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
