"""What was waiting over time."""

import numpy as np

from swfx import Workload
from utilitysched.schedule import Schedule
from utilitysched.series.occupation import present
from utilitysched.series.steps import Steps


def waiting_jobs(workload: Workload, schedule: Schedule) -> Steps:
    """Jobs that are submitted and have not started; its area is the sum of the waits (s)."""
    return present(schedule.submitted(workload), schedule.start, np.ones(len(schedule)))


def waiting_processors(workload: Workload, schedule: Schedule) -> Steps:
    """Processors that the waiting jobs ask for."""
    return present(schedule.submitted(workload), schedule.start, workload.size)
