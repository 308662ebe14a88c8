"""Series over time: the machine in use, the queue, the utility delivered and its bounds (SU)."""

import numpy as np
import numpy.typing as npt

from swfx import Workload
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series.steps import StepFunction
from utilitysched.model.schedule import Schedule, spans
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
    return _present(start, end, weight[job])


def waiting_jobs(workload: Workload, schedule: Schedule) -> StepFunction:
    """Jobs in the queue; its area is the sum of the times that jobs are in it (s)."""
    return _waiting(workload, schedule, np.ones(len(schedule), np.int64))


def waiting_processors(workload: Workload, schedule: Schedule) -> StepFunction:
    """Processors that the jobs in the queue ask for."""
    return _waiting(workload, schedule, workload.size)


def _waiting(workload: Workload, schedule: Schedule, weight: Integers) -> StepFunction:
    submitted, found = schedule.submitted(workload), schedule.segments
    if found is None:
        return _present(submitted, schedule.start, weight)
    return _present(found.entered(submitted), found.start, weight[found.job])


def delivered_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Add up what jobs earned, when they end; the last value is the aggregate utility."""
    return StepFunction.from_changes(schedule.end, realised_utility(workload, schedule))


def undelayed_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Add up what they earned had each started when submitted: no scheduler delivers more."""
    run = workload.effective_run
    return StepFunction.from_changes(
        schedule.submitted(workload) + run, workload.utility.evaluate(run)
    )


def offered_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Add up start values, when submitted: more than jobs that take time can earn."""
    return StepFunction.from_changes(schedule.submitted(workload), workload.utility.start_values)


def _present(begin: npt.ArrayLike, end: npt.ArrayLike, weight: npt.ArrayLike) -> StepFunction:
    """Sum of the weights of everything that is there from its begin to its end, (m,) each."""
    changes = np.asarray(weight, np.float64)
    return StepFunction.from_changes(
        np.concatenate([begin, end]), np.concatenate([changes, -changes])
    )
