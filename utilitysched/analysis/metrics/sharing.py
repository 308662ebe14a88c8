"""Metrics of schedules in which jobs share nodes, so that run times depend on neighbours.

Below, p is the run time when compact and p' what it was; all return one value per job, shape (n,),
in workload order.
"""

import math

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.analysis.metrics.times import turnaround
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

SLOWED = 0.99
"""Jobs with a lower speedup count as slowed (KELLARI 2.3.2.4)."""


def realised_slowdown(workload: Workload, schedule: Schedule) -> Floats:
    """Turnaround over the run time it had, (w + p') / p'; NaN for a job without one."""
    return _ratio(turnaround(workload, schedule), schedule.running_time)


def realised_bounded_slowdown(workload: Workload, schedule: Schedule, tau: float) -> Floats:
    """Turnaround over a run time of at least `tau` (s): max((w + p') / max(p', tau), 1)."""
    lasted = np.maximum(schedule.running_time, tau)
    return np.maximum(turnaround(workload, schedule) / lasted, 1.0)


def job_speedup(workload: Workload, schedule: Schedule) -> Floats:
    """Compact run time over the one it had, p / p'; NaN for a job without one."""
    return _ratio(workload.effective_run, schedule.running_time)


def weighted_speedup(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Mean speedup of the jobs that count, weighted by the processor-seconds each used; its sd."""
    used = schedule.used(workload)[counts]
    speedup = job_speedup(workload, schedule)[counts]
    defined = used > 0
    if not defined.any():
        return None, None
    speedup, used = speedup[defined], used[defined]
    mean = float(np.average(speedup, weights=used))
    return mean, math.sqrt(np.average((speedup - mean) ** 2, weights=used))


def _ratio(above: Floats, below: Floats) -> Floats:
    found = np.full(len(below), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found
