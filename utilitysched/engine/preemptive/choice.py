"""Which event loop jobs are stopped in."""

from utilitysched.engine.preemptive.failing import FailingSimulation
from utilitysched.engine.preemptive.failures import Failures
from utilitysched.engine.preemptive.simulation import PreemptiveSimulation
from utilitysched.engine.preemptive.terms import Terms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider


def stopping(
    arrivals: Arrivals, scheduler: Decider, terms: Terms, failures: Failures | None
) -> PreemptiveSimulation:
    """Return a simulation before its first event, in which jobs are bumped, or fail, too.

    Parameters
    ----------
    arrivals, scheduler, terms
        See `PreemptiveSimulation`.
    failures : Failures or None
        What fails.
    """
    if failures is None:
        return PreemptiveSimulation(arrivals, scheduler, terms)
    return FailingSimulation(arrivals, scheduler, terms, failures)
