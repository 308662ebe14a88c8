"""Branches: how things go on from a state if something is different from then on."""

from typing import NamedTuple

import numpy as np

from utilitysched.engine.simulation import Simulation
from utilitysched.engine.terms import StopTerms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import scheduler_of
from utilitysched.model.state import Integers

NOBODY = np.empty(0, dtype=np.int64)


class Change(NamedTuple):
    """A difference from some state on; by default there is none.

    Attributes
    ----------
    seed : int or None
        Draw as for this one, None for as before.
    left_out : int or None
        A job still to come that never does, by place in arrival order.
    last : int or None
        The last job to come.
    arrivals : Arrivals or None
        The jobs that come in place of those expected: with other curves or requests, more or fewer
        of them. Those that have come are the first, and the same.
    terms : StopTerms or None
        What stopping means for each of these, where jobs can be stopped.
    withdrawn : (k,) int64
        Queued jobs that are taken back.
    """

    seed: int | None = None
    left_out: int | None = None
    last: int | None = None
    arrivals: Arrivals | None = None
    terms: StopTerms | None = None
    withdrawn: Integers = NOBODY


def branch(baseline: Simulation, change: Change) -> Simulation:
    """Return a simulation that goes on from where another is, which stays there."""
    scheduler = scheduler_of(baseline.scheduler).fork(change.seed)
    simulation = baseline.fork(scheduler)
    if change.arrivals is not None:
        simulation.expect(change.arrivals, change.terms)
    if change.left_out is not None:
        simulation.leave_out(change.left_out)
    if change.last is not None:
        simulation.end_arrivals(change.last + 1)
    if len(change.withdrawn):
        scheduler.withdraw(change.withdrawn, simulation.known)
        gone = set(change.withdrawn.tolist())
        simulation.queue = [job for job in simulation.queue if job not in gone]
    return simulation


def memory_of(simulation: Simulation) -> object:
    """Return what the scheduler remembers that can still matter."""
    queued = np.array(simulation.queue, dtype=np.int64)
    return scheduler_of(simulation.scheduler).memory_of(queued)


class Trail:
    """States that a simulation went through; another that comes to one of them goes on alike."""

    def __init__(self) -> None:
        self._states: dict[float, tuple[object, ...]] = {}

    def mark(self, simulation: Simulation) -> None:
        """Remember the state after a pass."""
        self._states[simulation.now] = (*_visible(simulation), memory_of(simulation))

    def meets(self, simulation: Simulation) -> bool:
        """Whether the state after a pass is the one remembered of that instant."""
        state = self._states.get(simulation.now)
        if state is None or state[:-1] != _visible(simulation):
            return False
        return state[-1] == memory_of(simulation)


def _visible(simulation: Simulation) -> tuple[object, ...]:
    """Return the state but for what the scheduler remembers."""
    running = tuple((end, job, simulation.start.item(job)) for end, job in simulation.running)
    queue, finished = tuple(simulation.queue), tuple(simulation.finished)
    useful = tuple(simulation.useful_run)
    return queue, running, finished, useful, simulation.wake_up, simulation.progress()
