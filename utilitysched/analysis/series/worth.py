"""Utility delivered over time, and what bounds it (SU)."""

from swfx import Workload
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series.steps import StepFunction
from utilitysched.model.schedule import Schedule


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
