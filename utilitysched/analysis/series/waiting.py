"""Waiting jobs and work over time."""

import numpy as np

from swfx import Workload
from utilitysched.analysis.series.occupation import present
from utilitysched.analysis.series.steps import StepFunction
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Integers


def waiting_jobs(workload: Workload, schedule: Schedule) -> StepFunction:
    """Jobs in the queue; its area is the sum of the times that jobs are in it (s)."""
    return _waiting(workload, schedule, np.ones(len(schedule), np.int64))


def waiting_processors(workload: Workload, schedule: Schedule) -> StepFunction:
    """Processors that the jobs in the queue ask for."""
    return _waiting(workload, schedule, workload.size)


def _waiting(workload: Workload, schedule: Schedule, weight: Integers) -> StepFunction:
    submitted, found = schedule.submitted(workload), schedule.segments
    if found is None:
        return present(submitted, schedule.start, weight)
    return present(found.entered(submitted), found.start, weight[found.job])
