"""Who can tell what a scheduler will do, and how."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from utilitysched.arrivals import Arrivals
from utilitysched.exact.planned import brought_to
from utilitysched.genetic.memory import Memory
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.kernels.plan import Scratch, place
from utilitysched.kernels.policy import Policy
from utilitysched.list_scheduler import ListScheduler
from utilitysched.pivot import planner_of
from utilitysched.quote.event_loop import EventLoop, Turn
from utilitysched.quote.futures import Decided, Foresight, Futures
from utilitysched.quote.scene import Scene
from utilitysched.registry import make_scheduler
from utilitysched.replays.forking import fork_of
from utilitysched.scheduler import Decider, Scheduler
from utilitysched.state import Decision, Floats, Integers, QueueState
from utilitysched.stepwise import Simulation

Play = Callable[[int, Floats], tuple[Floats, Floats]]
"""Plays the sample of a number with these run times; returns all starts and ends (s)."""


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
    """
    if isinstance(scheduler, GeneticScheduler) and not replan:
        return PlanFollowed(scheduler, seed)
    if type(scheduler) is ListScheduler and not scheduler.placement.keeps_promises:
        return Compiled(scheduler)
    return Asked(scheduler, seed)


class Compiled:
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        orders = (scheduler.order, scheduler.backfill or scheduler.order)
        self.bids_matter = any(order.ordering.value_aware for order in orders)

    def futures(self, scene: Scene, runs: Floats) -> Futures:
        """Play a scene in the compiled event loop."""
        brought_to(scene.snapshot, self.scheduler)
        loop = EventLoop(scene, self.scheduler)
        policy = self.scheduler.policy(scene.known, once=True)
        start, end = _played(runs, lambda _, run: loop.play(run, policy))
        return Futures(scene, runs, start, end, partial(self._decided, scene, runs, start, end))

    def _decided(
        self, scene: Scene, runs: Floats, start: Floats, end: Floats, sample: int
    ) -> Decided:
        state, everybody = _start_of(scene, start[sample], end[sample])
        if self.scheduler.remembers:
            brought_to(scene.snapshot, self.scheduler)
            ended = scene.ended_until(end[sample], state.now)
            taught = replace(state, finished=ended, finished_run=runs[sample, ended])
            self.scheduler.decide(taught)
        return Decided(state, everybody, planner_of(self.scheduler))


class PlanFollowed:
    """The genetic scheduler's plan of now, followed however long jobs turn out to run.

    When a job comes later, a plan is made once more, in each sample by itself.
    """

    bids_matter = True

    def __init__(self, scheduler: GeneticScheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        easy = make_scheduler("easy")
        assert isinstance(easy, ListScheduler)
        self._easy = replace(easy, threshold=scheduler.settings.threshold)

    def futures(self, scene: Scene, runs: Floats) -> Futures:
        """Play a scene in the compiled event loop, the queue in the order of the plan."""
        now = self._ranks(scene, brought_to(scene.snapshot, self.scheduler, self.seed))
        ranks = np.tile(now, (len(runs), 1))
        brought_to(scene.snapshot, self._easy)
        loop = EventLoop(scene, self._easy)
        later = scene.submit > scene.snapshot.now

        def play(sample: int, run: Floats) -> tuple[Floats, Floats]:
            turn = None
            if later:
                turn = Turn(scene.submit, partial(self._turned, scene, ranks[sample]))
            return loop.play(run, self._policy(scene, ranks[sample]), turn)

        start, end = _played(runs, play)
        return Futures(scene, runs, start, end, partial(self._decided, scene, start, end, ranks))

    def _turned(self, scene: Scene, ranks: Floats, start: Floats, end: Floats) -> Policy:
        """Plan again when the job is submitted."""
        state = scene.state_at(start, end, scene.submit)
        if scene.known.size[state.queued].sum() > state.free:
            ranks[:] = self._ranks(scene, state)
        return self._policy(scene, ranks)

    def _ranks(self, scene: Scene, state: QueueState) -> Floats:
        """Return the place of each job in the plan of a state; who comes later is behind all."""
        ranks = np.arange(len(scene.known.submit), dtype=np.float64) + len(state.queued)
        if len(state.queued):
            if self.scheduler.settings.rule.learns:
                self.scheduler.decide(state)
            memory, _ = self.scheduler.plan(state, Memory(), self.seed)
            ranks[memory.order] = np.arange(len(memory.order))
        return ranks

    def _policy(self, scene: Scene, ranks: Floats) -> Policy:
        policy = self._easy.policy(scene.known, once=False)
        ranking = policy.primary._replace(fixed=ranks)
        return policy._replace(primary=ranking, secondary=ranking)

    def _decided(
        self, scene: Scene, start: Floats, end: Floats, ranks: Floats, sample: int
    ) -> Decided:
        state, everybody = _start_of(scene, start[sample], end[sample])
        self.scheduler.memory = self._remembered(state, ranks[sample])
        return Decided(state, everybody, planner_of(self.scheduler))

    def _remembered(self, state: QueueState, ranks: Floats) -> Memory:
        """Return the plan as it is left at a later state."""
        queue = self.scheduler.problem(state, Memory()).queue
        ahead, movable = state.queued[: queue.pinned], state.queued[queue.pinned :]
        order = np.argsort(ranks[movable], kind="stable")
        starts = np.empty(len(state.queued))
        place(order, queue, Scratch.empty(len(starts), len(queue.release_time)), starts)
        return Memory(np.concatenate([ahead, movable[order]]), state.queued, starts)


class Asked:
    """Any scheduler, asked at every event; it remembers no plan, and promises are made now."""

    bids_matter = True

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed

    def futures(self, scene: Scene, runs: Floats) -> Futures:
        """Play a scene in the event loop for schedulers that decide in Python."""
        witnesses: list[Witness] = []

        def play(_: int, run: Floats) -> tuple[Floats, Floats]:
            state = brought_to(scene.snapshot, self.scheduler, self.seed)
            witness = Witness(self.scheduler, scene.job)
            witnesses.append(witness)
            simulation = _resumed(scene, run, witness, promised=self._keeps_promises)
            simulation.finished = state.finished.tolist()
            simulation.finish(None)
            simulation.start[scene.running] = scene.begun
            return simulation.start, simulation.end

        start, end = _played(runs, play)
        return Futures(scene, runs, start, end, lambda sample: witnesses[sample].decided())

    @property
    def _keeps_promises(self) -> bool:
        scheduler = self.scheduler
        return isinstance(scheduler, ListScheduler) and scheduler.placement.keeps_promises


class Witness:
    """A scheduler that decides as another does, and keeps what that knew when a job started."""

    def __init__(self, scheduler: Decider, job: int) -> None:
        self.scheduler = scheduler
        self.job = job
        self._seen: tuple[QueueState, bool, Decider] | None = None

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        decision = self.scheduler.decide(state)
        if self.job in decision.starts:
            everybody = len(decision.starts) == len(state.queued)
            self._seen = state, everybody, fork_of(self.scheduler, None)
        return decision

    def decided(self) -> Decided:
        """Return the pass in which the job started."""
        assert self._seen is not None, "every job starts"
        state, everybody, scheduler = self._seen
        return Decided(state, everybody, planner_of(scheduler))


def _played(runs: Floats, play: Play) -> tuple[Floats, Floats]:
    """Return starts and ends in each sample."""
    start, end = np.empty_like(runs), np.empty_like(runs)
    for sample, run in enumerate(runs):
        start[sample], end[sample] = play(sample, run)
    return start, end


def _start_of(scene: Scene, start: Floats, end: Floats) -> tuple[QueueState, bool]:
    """Return the state in which the job starts, and whether everybody starts in it."""
    state = scene.state_at(start, end, float(start[scene.job]))
    return state, bool((start[state.queued] == state.now).all())


def _resumed(scene: Scene, run: Floats, scheduler: Decider, *, promised: bool) -> Simulation:
    """Return an event loop that has come to the scene's moment; its next event is a pass now.

    If `promised`, running jobs count as started now, which `brought_to` has promised them.
    """
    known, running = scene.known, scene.running
    ends = scene.begun + run[running]
    expected = scene.begun + known.request[running]
    since = np.full(len(running), scene.snapshot.now) if promised else scene.begun
    known = known._replace(request=_changed(known.request, running, expected - since))
    run = _changed(run, running, ends - since)
    jobs = np.arange(len(run))
    simulation = Simulation(Arrivals(jobs, known, run, jobs), scheduler)
    simulation.arrived, simulation.free = scene.present, scene.snapshot.free
    simulation.queue = scene.queued.tolist()
    simulation.start[running] = since
    simulation.end[running] = ends
    expected = since + known.request[running]
    simulation.running = sorted(zip(expected.tolist(), running.tolist(), strict=True))
    simulation.completions = sorted(zip(ends.tolist(), running.tolist(), strict=True))
    simulation.wake_up = scene.snapshot.now
    return simulation


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy in which some jobs have other values."""
    changed = column.copy()
    changed[jobs] = values
    return changed
