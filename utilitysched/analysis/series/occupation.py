"""Occupation of the machine over time."""

import numpy as np
import numpy.typing as npt

from swfx import Workload
from utilitysched.analysis.series.steps import StepFunction
from utilitysched.model.schedule import Schedule
from utilitysched.model.spans import spans
from utilitysched.model.state import Integers


def processors_in_use(workload: Workload, schedule: Schedule) -> StepFunction:
    """Processors held by running jobs; its area is the processor-seconds used."""
    return _held(schedule, workload.size)


def utilisation(workload: Workload, schedule: Schedule) -> StepFunction:
    """Share of the machine's processors in use, 0 to 1."""
    return processors_in_use(workload, schedule).scaled(1 / schedule.machine_size)


def running_jobs(schedule: Schedule) -> StepFunction:
    """Jobs that run."""
    return _held(schedule, np.ones(len(schedule), np.int64))


def _held(schedule: Schedule, weight: Integers) -> StepFunction:
    job, start, end = spans(schedule)
    return present(start, end, weight[job])


def present(begin: npt.ArrayLike, end: npt.ArrayLike, weight: npt.ArrayLike) -> StepFunction:
    """Sum of the weights of everything that is there from its begin to its end, (m,) each."""
    changes = np.asarray(weight, np.float64)
    return StepFunction.from_changes(
        np.concatenate([begin, end]), np.concatenate([changes, -changes])
    )
