"""Who can tell what a scheduler will do."""

from swfx import InputError
from utilitysched.market.quote.asked import Asked
from utilitysched.market.quote.compiled import Compiled
from utilitysched.market.quote.futures import Foresight
from utilitysched.market.quote.plan_followed import PlanFollowed
from utilitysched.model.scheduler import Scheduler


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
    if scheduler.preempts:
        raise InputError(
            f"{scheduler.label} bumps running jobs, which a quote does not foresee",
            field="scheduler",
            remedy="name one that does not",
        )
    if scheduler.order_search is not None and not replan:
        return PlanFollowed(scheduler.order_search, seed)
    if scheduler.compiled is not None and not scheduler.keeps_reservations:
        return Compiled(scheduler.compiled)
    return Asked(scheduler, seed)
