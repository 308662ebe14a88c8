"""The event loop that can play a scheduler."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from utilitysched.engine.compiled import run_compiled, run_in_turns
from utilitysched.engine.failures import Failures
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.terms import StopTerms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.outcome import SimulationOutcome
from utilitysched.model.scheduler import Scheduler

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies


def play(
    arrivals: Arrivals,
    scheduler: Scheduler,
    on_progress: Callable[[float], None] | None = None,
    *,
    dependencies: "Dependencies | None" = None,
    terms: StopTerms | None = None,
    failures: Failures | None = None,
) -> SimulationOutcome:
    """Return what becomes of all jobs, by the loop that can play the scheduler, prepared.

    Parameters
    ----------
    arrivals, scheduler, dependencies, terms, failures
        As `utilitysched.engine.simulation.Simulation` takes them.
    on_progress : callable, optional
        Called now and then with the share of jobs submitted so far.
    """
    if scheduler.compiled_base is not None:
        return run_compiled(
            arrivals,
            scheduler.compiled_base,
            on_progress,
            dependencies=dependencies,
            terms=terms,
            failures=failures,
            restarts=scheduler.restart_terms,
        )
    if scheduler.in_turns is not None and dependencies is None and terms is None:
        return run_in_turns(arrivals, scheduler.in_turns, on_progress)
    loop = Simulation(
        arrivals, scheduler, dependencies=dependencies, terms=terms, failures=failures
    )
    loop.finish(on_progress)
    return loop.outcome()
