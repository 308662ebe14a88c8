"""What a named scheduler plans at a snapshot."""

from dataclasses import replace

import numpy as np

from utilitysched.engine.stepwise import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduler import Decider, Scheduler, Setting
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.genetic.memory import Memory
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.list_scheduler import ListScheduler

_NO_JOBS = np.empty(0, dtype=np.int64)


def planned(snapshot: Snapshot, scheduler: Scheduler, seed: int = 0) -> Floats:
    """Return when a scheduler would start each queued job, as far as it can tell now.

    That is the plan of the genetic scheduler, and what any other does if nobody else comes and all
    run as requested, which it does not learn from. It is asked afresh: it remembers no plan, and
    promises are made now, in queue order.

    Parameters
    ----------
    snapshot : Snapshot
        k queued jobs.
    scheduler : Scheduler
        Whom to ask.
    seed : int
        Of what it draws.

    Returns
    -------
    (k,) float64
        Starts (s).
    """
    if not snapshot.queued:
        return np.empty(0)
    state = brought_to(snapshot, scheduler, seed)
    if isinstance(scheduler, GeneticScheduler):
        scheduler.decide(state)  # it learns from what has finished
        memory, _ = scheduler.plan(state, Memory(), seed)
        return memory.start
    simulation = _resumed(state, _Unlearning(scheduler))
    simulation.finish(None)
    return simulation.start[state.queued]


def brought_to(snapshot: Snapshot, scheduler: Scheduler, seed: int = 0) -> QueueState:
    """Prepare a scheduler as if it had started what runs, and return what it is to decide.

    One that keeps promises keeps a profile of what it started; it is told nothing of jobs that
    ended before.
    """
    state = snapshot.state()
    longest = max((job.request for job in snapshot.queued), default=0.0)
    scheduler.prepare(Setting(snapshot.machine_size, longest, seed))
    if not (isinstance(scheduler, ListScheduler) and scheduler.placement.keeps_reservations):
        return state
    state = replace(state, finished=_NO_JOBS, finished_run=np.empty(0))
    if len(state.running):
        begun = replace(
            state,
            free=snapshot.machine_size,
            queued=state.running,
            running=_NO_JOBS,
            expected_end=np.empty(0),
        )
        scheduler.decide(begun)
    return state


def rule_of(scheduler: Scheduler) -> ForecastRule:
    """Return how a scheduler reads utility functions when it plans; if unknown, as requested."""
    if isinstance(scheduler, GeneticScheduler):
        return scheduler.settings.rule
    return scheduler.rule if isinstance(scheduler, ListScheduler) else ForecastRule()


class _Unlearning:
    """A scheduler that is told which jobs have finished once, and nothing of those that will."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.told = False

    def decide(self, state: QueueState) -> Decision:
        if self.told:
            state = replace(state, finished=_NO_JOBS, finished_run=np.empty(0))
        self.told = True
        return self.scheduler.decide(state)


def _resumed(state: QueueState, scheduler: Decider) -> Simulation:
    """Return an event loop that has come to `state`; its next event is a pass now."""
    known = state.known
    run = known.request.copy()
    run[state.finished] = state.finished_run
    jobs = len(run)
    simulation = Simulation(Arrivals(np.arange(jobs), known, run, np.arange(jobs)), scheduler)
    simulation.start[state.running] = state.now
    simulation.arrived, simulation.free = jobs, state.free
    simulation.queue = state.queued.tolist()
    # the requests of running jobs count from now
    ends = (state.now + known.request[state.running]).tolist()
    simulation.running = sorted(zip(ends, state.running.tolist(), strict=True))
    simulation.completions = list(simulation.running)
    simulation.finished = state.finished.tolist()
    simulation.wake_up = state.now
    return simulation
