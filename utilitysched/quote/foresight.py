"""Who can tell what a scheduler will do."""

from swfx import InputError
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.list_scheduler import ListScheduler
from utilitysched.quote.asked import Asked
from utilitysched.quote.compiled import Compiled
from utilitysched.quote.futures import Foresight
from utilitysched.quote.plan_followed import PlanFollowed
from utilitysched.scheduler import Scheduler


def foresight_of(scheduler: Scheduler, seed: int = 0, *, replan: bool = False) -> Foresight:
    """Return who can tell what a scheduler will do.

    Parameters
    ----------
    scheduler : Scheduler
        About whom.
    seed : int
        Of what it draws.
    replan : bool
        Let the genetic scheduler search again at every event, as it really does, in place of
        following one plan: a hundred times as long.

    Raises
    ------
    InputError
        It bumps running jobs.
    """
    if getattr(scheduler, "preempts", False):
        raise InputError(
            f"{scheduler.label} bumps running jobs, which a quote does not foresee",
            field="scheduler",
            remedy="name one that does not",
        )
    if isinstance(scheduler, GeneticScheduler) and not replan:
        return PlanFollowed(scheduler, seed)
    if type(scheduler) is ListScheduler and not scheduler.placement.keeps_promises:
        return Compiled(scheduler)
    return Asked(scheduler, seed)
