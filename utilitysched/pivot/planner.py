"""What the pivot charges ask of a scheduler: its plans."""

from typing import Protocol

from swfx import InputError
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.kernels.fitness import Worth
from utilitysched.list_scheduler import ListScheduler
from utilitysched.pivot.projected import ProjectedPlans
from utilitysched.pivot.searched import SearchedPlans
from utilitysched.scheduler import Decider
from utilitysched.state import Floats, QueueState


class Planner(Protocol):
    """The plans of a scheduler that has just decided at `state`.

    Plans are planned starts (s) of queued jobs, in the order of ``state.queued``.
    """

    searches: bool
    """Whether plans without a job depend on a seed."""

    def in_force(self, state: QueueState) -> Floats:
        """Return the plan decided on, shape (k,)."""
        ...

    def with_duration(self, state: QueueState, job: int, duration: float) -> Floats:
        """Return that plan had `job`, which starts now, been known to run for `duration` (s)."""
        ...

    def without(self, state: QueueState, job: int, seed: int) -> Floats:
        """Return the best plan found for the queue without `job`, shape (k - 1,)."""
        ...

    def worth(self, state: QueueState) -> Worth:
        """Return what the queued jobs are worth, as the scheduler takes it."""
        ...


def planner_of(scheduler: Decider) -> Planner:
    """Return the plans of a scheduler.

    Raises
    ------
    InputError
        If it makes none.
    """
    if isinstance(scheduler, GeneticScheduler):
        return SearchedPlans(scheduler)
    if isinstance(scheduler, ListScheduler):
        return ProjectedPlans(scheduler)
    name = getattr(scheduler, "label", type(scheduler).__name__)
    raise InputError(
        f"{name} makes no plans that pivot charges could be read from",
        field="scheduler",
        remedy="take an ordering with a placement, or ga; or charge by replays (vcg:method=replay)",
    )
