"""Who can tell what a scheduler will do, and how."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from swfx import InputError
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

SECOND_THOUGHTS = 4
"""Plans of the genetic scheduler that may hold a job back that an earlier one would start."""

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


class Compiled:
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        orders = (scheduler.order, scheduler.backfill or scheduler.order)
        self.bids_matter = any(order.ordering.value_aware for order in orders)

    def futures(
        self,
        scene: Scene,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
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
    """The genetic scheduler's plan of now, followed until the job would start; then a new one.

    Only then is it searched for again, as the scheduler really does at every event. If that plan
    holds the job back it is followed in turn, and so on, `SECOND_THOUGHTS` times at most. When the
    job comes later, there is a new plan at its submission, too.
    """

    bids_matter = True

    def __init__(self, scheduler: GeneticScheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        easy = make_scheduler("easy")
        assert isinstance(easy, ListScheduler)
        self._easy = replace(easy, threshold=scheduler.settings.threshold)

    def futures(self, scene: Scene, runs: Floats, *, roughly: bool = False) -> Futures:
        """Play a scene in the compiled event loop, the queue in the order of the plan.

        If `roughly`, the plan is followed even when the job would start.
        """
        state = brought_to(scene.snapshot, self.scheduler, self.seed)
        first = Memory()
        if len(state.queued):
            first, _ = self._planned(state, first)
        brought_to(scene.snapshot, self._easy)
        loop = EventLoop(scene, self._easy)
        memories: list[Memory] = []

        def play(_: int, run: Floats) -> tuple[Floats, Floats]:
            start, end, memory = self._course(loop, run, first, 0 if roughly else SECOND_THOUGHTS)
            memories.append(memory)
            return start, end

        start, end = _played(runs, play)
        return Futures(scene, runs, start, end, partial(self._decided, scene, start, end, memories))

    def _course(
        self, loop: EventLoop, run: Floats, memory: Memory, thoughts: int
    ) -> tuple[Floats, Floats, Memory]:
        """Return all starts and ends (s), and the plan by which the job starts."""
        scene = loop.scene
        policy = self._policy(scene, memory)
        turns: list[Turn] = []
        if scene.submit > scene.snapshot.now:
            start, end = loop.play(run, policy)
            state = scene.state_at(start, end, scene.submit)
            memory, _ = self._planned(state, memory)
            turns.append(Turn(scene.submit, self._policy(scene, memory)))
        start, end = loop.play(run, policy, turns)
        for _ in range(thoughts):
            state, everybody = _start_of(scene, start, end)
            if everybody or state.now == scene.submit:
                break
            memory, starts = self._planned(state, memory)
            if scene.job in starts:
                break
            turns.append(Turn(state.now, self._policy(scene, memory)))
            start, end = loop.play(run, policy, turns)
        return start, end, memory

    def _planned(self, state: QueueState, memory: Memory) -> tuple[Memory, Integers]:
        """Return the scheduler's plan at a state, and whom it starts."""
        if self.scheduler.settings.rule.learns:
            self.scheduler.decide(state)
        return self.scheduler.plan(state, memory, self.seed)

    def _policy(self, scene: Scene, memory: Memory) -> Policy:
        """Return who places the queue in the order of a plan; who is not in it is behind all."""
        ranks = np.arange(len(scene.known.submit), dtype=np.float64) + len(memory.order)
        ranks[memory.order] = np.arange(len(memory.order))
        policy = self._easy.policy(scene.known, once=False)
        ranking = policy.primary._replace(fixed=ranks)
        return policy._replace(primary=ranking, secondary=ranking)

    def _decided(
        self, scene: Scene, start: Floats, end: Floats, memories: list[Memory], sample: int
    ) -> Decided:
        state, everybody = _start_of(scene, start[sample], end[sample])
        self.scheduler.memory = self._remembered(state, memories[sample].order)
        return Decided(state, everybody, planner_of(self.scheduler))

    def _remembered(self, state: QueueState, planned: Integers) -> Memory:
        """Return the plan as it is left at a later state."""
        queue = self.scheduler.problem(state, Memory()).queue
        ahead, movable = state.queued[: queue.pinned], state.queued[queue.pinned :]
        order = np.searchsorted(movable, planned[np.isin(planned, movable)])
        starts = np.empty(len(state.queued))
        place(order, queue, Scratch.empty(len(starts), len(queue.release_time)), starts)
        return Memory(np.concatenate([ahead, movable[order]]), state.queued, starts)


class Asked:
    """Any scheduler, asked at every event; it remembers no plan, and promises are made now."""

    bids_matter = True

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed

    def futures(
        self,
        scene: Scene,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
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
        decided = [witness.decided for witness in witnesses]
        return Futures(scene, runs, start, end, lambda sample: decided[sample](), thorough=True)

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
