"""Metrics of schedules in which jobs share nodes, so that run times depend on neighbours.

Below, p is the run time when compact and p' what it was; all return one value per job, shape (n,),
in workload order.
"""

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


def job_speedup(workload: Workload, schedule: Schedule) -> Floats:
    """Compact run time over the one it had, p / p'; NaN for a job without one."""
    return _ratio(workload.effective_run, schedule.running_time)


def weighted_speedup(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> float | None:
    """Mean speedup of the jobs that count, weighted by the processor-seconds each used."""
    used = schedule.used(workload)[counts]
    speedup = job_speedup(workload, schedule)[counts]
    defined = used > 0
    if not defined.any():
        return None
    return float(np.average(speedup[defined], weights=used[defined]))


def _ratio(above: Floats, below: Floats) -> Floats:
    found = np.full(len(below), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found
