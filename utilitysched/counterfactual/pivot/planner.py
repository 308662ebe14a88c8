"""What the pivot charges ask of a scheduler: its plans."""

from typing import Protocol, runtime_checkable

from swfx import InputError
from utilitysched.counterfactual.pivot.foreseen import ForeseenPlans
from utilitysched.counterfactual.pivot.plans import Plans
from utilitysched.counterfactual.pivot.projected import ProjectedPlans
from utilitysched.counterfactual.pivot.searched import SearchedPlans
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.priority_preemption.scheduler import PriorityPreempt


class Planner(Protocol):
    """The plans of a scheduler that has just decided at a state.

    Attributes
    ----------
    searches : bool
        Whether plans can be searched for once more, with other draws.
    """

    searches: bool

    def started(
        self, state: QueueState, job: int, duration: float | None, seed: int | None
    ) -> Plans:
        """Return plans of the other jobs with `job` starting now, and without it.

        The plan decided on is among them.

        Parameters
        ----------
        state : QueueState
            What the scheduler saw.
        job : int
            A queued job that it starts now.
        duration : float or None
            For how long it is taken to run (s): its requested time if None.
        seed : int or None
            Begin at the plan decided on if None, else at one drawn with this seed.
        """
        ...


@runtime_checkable
class ReservingPlanner(Planner, Protocol):
    """One whose scheduler's reservations can be compared, too."""

    def holders(self, state: QueueState, starts: Integers) -> Integers:
        """Return the waiting jobs that hold reservations after these starts."""
        ...

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Return plans from `later` (s) on, and from now on, of jobs still waiting after a pass.

        A job that held a reservation in the pass is in neither, and not in `waiting`.
        """
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
    if isinstance(scheduler, PriorityPreempt):
        return ForeseenPlans(scheduler)
    name = getattr(scheduler, "label", type(scheduler).__name__)
    raise InputError(
        f"{name} makes no plans that pivot charges could be read from",
        field="scheduler",
        remedy="take an ordering with a placement, or ga; or charge by replays (vcg:method=replay)",
    )
