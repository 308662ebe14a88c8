"""Foresight of what a scheduler will do: its futures in the compiled event loop, or asked."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from swfx import InputError
from utilitysched.counterfactual.branch import Change, branch
from utilitysched.counterfactual.holding_times import HoldingTimes
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.rollout import planner_of
from utilitysched.engine.simulation import Simulation
from utilitysched.exact.planned import brought_to
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import Scratch
from utilitysched.kernels.policy import Policy
from utilitysched.market.quote.futures import (
    Decided,
    Futures,
    PlayedSample,
    compiled_simulation_of,
    drawn,
    simulation_of,
)
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.scheduler import Scheduler, Wrapper, scheduler_of
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.genetic.genome_map import Memory
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.registry import make_scheduler

SECOND_THOUGHTS = 4
"""Plans of the genetic scheduler that may hold a job back that an earlier one would start."""

PASSES = 100
"""Of the compiled event loop between two looks whether the quoted job has started."""

Play = Callable[[Floats], PlayedSample]
"""From run times of all jobs (s) to the future with them."""


class Playing(NamedTuple):
    """Effort and callbacks of playing futures.

    Attributes
    ----------
    roughly : bool
        Futures need not be as good, if that is faster.
    whole : bool
        Play on when the quoted job is done, until all others are.
    between : callable
        Called again and again; may raise to end this.
    after_each : callable
        Called after each sample; likewise.
    """

    roughly: bool = False
    whole: bool = False
    between: Callable[[], None] = lambda: None
    after_each: Callable[[], None] = lambda: None


def foresight_of(
    scheduler: Scheduler, snapshot: Snapshot, seed: int = 0, *, replan: bool = False
) -> "Foresight":
    """Return the fastest foresight of a scheduler.

    Parameters
    ----------
    scheduler : Scheduler
        The scheduler.
    snapshot : Snapshot
        From when on. Where it has terms of preemption, the scheduler is asked at every event.
    seed : int
        Of the scheduler's draws.
    replan : bool
        Let the genetic scheduler search again at every event, as it really does, in place of
        following one plan: a hundred times as long.

    Raises
    ------
    InputError
        It preempts running jobs, and the snapshot does not say what that means.
    """
    if scheduler.preempts and not snapshot.rules:
        raise InputError(
            f"{scheduler.label} preempts running jobs, and the snapshot does not say what that"
            " would mean",
            field="scheduler",
            remedy="name one that does not, or take a moment of a run of it",
        )
    if snapshot.rules:
        return AskedForesight(scheduler, seed)
    if scheduler.order_search is not None and not replan:
        return PlanForesight(scheduler.order_search, seed)
    if scheduler.compiled is not None and not scheduler.keeps_reservations:
        return CompiledForesight(scheduler.compiled)
    return AskedForesight(scheduler, seed)


class Foresight(ABC):
    """Futures of scenarios under one scheduler.

    Attributes
    ----------
    bids_matter : bool
        Utility functions can change what the scheduler does.
    thorough : bool
        See `Futures`.
    """

    bids_matter: bool
    thorough: ClassVar[bool] = False

    def futures(
        self,
        scenario: Scenario,
        runs: Floats,
        playing: Playing = Playing(),  # noqa: B008
    ) -> Futures:
        """Play a scenario on with each row of run times (s), (S, n)."""
        play = self._player(scenario, playing)
        trajectories = []
        for run in runs:
            trajectories.append(play(run))
            playing.after_each()
        return Futures(scenario, runs, trajectories, self.thorough)

    @abstractmethod
    def _player(self, scenario: Scenario, playing: Playing) -> Play:
        """Return the player of single futures of a scenario."""


class CompiledForesight(Foresight):
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        self.bids_matter = scheduler.bids_matter

    def _player(self, scenario: Scenario, playing: Playing) -> Play:
        baseline = compiled_simulation_of(scenario, self.scheduler)

        def play(run: Floats) -> PlayedSample:
            simulation = branch(baseline, drawn(scenario, run))
            _play_on(simulation, scenario.job, playing)
            times = simulation.start, simulation.end
            return PlayedSample(*times, partial(self._decided, scenario, run, *times))

        return play

    def _decided(
        self, scenario: Scenario, run: Floats, start: Floats, end: Floats
    ) -> list[Decided]:
        state, starts = scenario.start_of_job(start, end)
        if self.scheduler.remembers:
            brought_to(scenario.snapshot, self.scheduler)
            ended = scenario.ended_until(end, state.now)
            self.scheduler.decide(replace(state, finished=ended, finished_run=run[ended]))
        return [Decided(state, starts, planner_of(self.scheduler))]


class PlanForesight(Foresight):
    """The genetic scheduler's plan of now, followed until the job would start; then a new one.

    Only then is it searched for again, as the scheduler really does at every event. If that plan
    holds the job back it is followed in turn, and so on, `SECOND_THOUGHTS` times at most, or not at
    all for rough futures. When the job comes later, there is a new plan at its submission, too.
    """

    bids_matter = True

    def __init__(self, scheduler: GeneticScheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        easy: ListScheduler = make_scheduler("easy").compiled
        self._easy = replace(easy, threshold=scheduler.settings.threshold)

    def _player(self, scenario: Scenario, playing: Playing) -> Play:
        state = brought_to(scenario.snapshot, self.scheduler, self.seed)
        first = Memory()
        if len(state.queued):
            first, _ = self._planned(state, first)
        baseline = compiled_simulation_of(scenario, self._easy)

        def play(run: Floats) -> PlayedSample:
            moment = branch(baseline, drawn(scenario, run))
            start, end, memory = self._followed(scenario, moment, first, playing)
            decided = partial(self._decided, scenario, start, end, memory.order)
            return PlayedSample(start, end, decided)

        return play

    def _followed(
        self, scenario: Scenario, moment: CompiledSimulation, memory: Memory, playing: Playing
    ) -> tuple[Floats, Floats, Memory]:
        """Return all starts and ends (s), and the plan by which the job starts."""
        moment.decide_by(self._policy(scenario, memory))
        start, end = _played_on(moment, scenario.job, playing)
        if scenario.submit > scenario.snapshot.now:
            state = scenario.state_at(start, end, scenario.submit)
            memory, _ = self._planned(state, memory)
            moment.advance(scenario.submit)
            moment.decide_by(self._policy(scenario, memory))
            start, end = _played_on(moment, scenario.job, playing)
        for _ in range(0 if playing.roughly else SECOND_THOUGHTS):
            state, begun = scenario.start_of_job(start, end)
            if len(begun) == len(state.queued) or state.now == scenario.submit:
                break
            memory, starts = self._planned(state, memory)
            if scenario.job in starts:
                break
            moment.advance(state.now)
            moment.decide_by(self._policy(scenario, memory))
            start, end = _played_on(moment, scenario.job, playing)
        return start, end, memory

    def _planned(self, state: QueueState, memory: Memory) -> tuple[Memory, Integers]:
        """Return the scheduler's plan at a state, and the jobs that it starts."""
        if self.scheduler.settings.rule.learns:
            self.scheduler.decide(state)
        return self.scheduler.plan(state, memory, self.seed)

    def _policy(self, scenario: Scenario, memory: Memory) -> Policy:
        """Return EASY in the order of a plan, jobs outside the plan behind all others."""
        ranks = np.arange(len(scenario.known.submit), dtype=np.float64) + len(memory.order)
        ranks[memory.order] = np.arange(len(memory.order))
        policy = self._easy.policy(scenario.known, once=False)
        ranking = policy.primary._replace(fixed=ranks)
        return policy._replace(primary=ranking, secondary=ranking)

    def _decided(
        self, scenario: Scenario, start: Floats, end: Floats, planned: Integers
    ) -> list[Decided]:
        state, starts = scenario.start_of_job(start, end)
        self.scheduler.memory = self._remembered(state, planned)
        return [Decided(state, starts, planner_of(self.scheduler))]

    def _remembered(self, state: QueueState, planned: Integers) -> Memory:
        """Return the plan as it is left at a later state."""
        queue = self.scheduler.problem(state, Memory()).queue
        ahead, movable = state.queued[: queue.pinned], state.queued[queue.pinned :]
        order = np.searchsorted(movable, planned[np.isin(planned, movable)])
        starts = np.empty(len(state.queued))
        place(
            order,
            queue,
            Scratch.empty(len(starts), len(queue.release_time)),
            starts,
            now_only=False,
        )
        return Memory(np.concatenate([ahead, movable[order]]), state.queued, starts)


def _played_on(moment: CompiledSimulation, job: int, playing: Playing) -> tuple[Floats, Floats]:
    """Return the starts and ends if nothing is decided otherwise from a moment on (s)."""
    simulation = branch(moment, Change())
    _play_on(simulation, job, playing)
    columns = (moment.start, simulation.start), (moment.end, simulation.end)
    start, end = (np.where(np.isnan(after), before, after) for before, after in columns)
    return start, end


def _play_on(simulation: CompiledSimulation, job: int, playing: Playing) -> None:
    """Process events until a job has started, or all of them."""
    goes_on = True
    while goes_on and (playing.whole or np.isnan(simulation.start[job])):
        goes_on = simulation.make_passes(PASSES)
        playing.between()


class AskedForesight(Foresight):
    """Any scheduler, asked at every event; it remembers no plan, and reservations are made now."""

    thorough = True

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        self.bids_matter = scheduler.bids_matter

    def _player(self, scenario: Scenario, playing: Playing) -> Play:
        brought_to(scenario.snapshot, self.scheduler, self.seed)
        baseline = simulation_of(scenario, self.scheduler)
        reserved = self.scheduler.keeps_reservations

        def play(run: Floats) -> PlayedSample:
            simulation = branch(baseline, drawn(scenario, run, reserved=reserved))
            recorder = RecordingScheduler(scheduler_of(simulation.scheduler), scenario)
            simulation.scheduler = recorder
            if not reserved:
                simulation.finished = scenario.finished.tolist()
                simulation.useful_run = run[scenario.finished].tolist()
                simulation.finished_end = [scenario.snapshot.now] * len(scenario.finished)
            # a job that is stopped has no end until it starts again
            while playing.whole or not (simulation.end[recorder.jobs] <= simulation.now).all():
                if not simulation.step():
                    break
                playing.between()
            return _trajectory(scenario, simulation, recorder)

        return play


def _trajectory(
    scenario: Scenario, simulation: Simulation, recorder: "RecordingScheduler"
) -> PlayedSample:
    """Return the future that a simulation has come to."""
    start, restarts = simulation.start, simulation.restarts
    if restarts is None or scenario.stops is None:
        start[scenario.running] = scenario.begun
        return PlayedSample(start, simulation.end, partial(recorder.decided, HoldingTimes()))
    start = restarts.first_starts(start)
    start[scenario.running] = scenario.begun
    before = scenario.stops.seen.last_start
    start = np.where(np.isnan(before), start, before)
    jobs, kept = [each.job for each in restarts.entries], [each.kept for each in restarts.entries]
    used = np.bincount(jobs, kept, len(start)).astype(np.float64)
    decided = partial(recorder.decided, HoldingTimes.of_simulation(simulation))
    return PlayedSample(start, simulation.end, decided, used, restarts.entries)


class RecordingScheduler(Wrapper):
    """A scheduler that records the passes in which the quoted job starts.

    Parameters
    ----------
    scheduler : Scheduler
        The scheduler that decides.
    scenario : Scenario
        The scenario of the quoted job.

    Attributes
    ----------
    jobs : list of int
        The quoted job, then the other jobs of its user that have started in the same passes: a
        charge by plans depends on how long all of them hold their processors.
    """

    def __init__(self, scheduler: Scheduler, scenario: Scenario) -> None:
        super().__init__(scheduler)
        self.jobs = [scenario.job]
        self._plans = planner_of(scheduler)
        self._passes: list[tuple[Decided, dict[int, int]]] = []
        self._begun = Counter(scenario.running.tolist())

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._plans.deciding()
        decision = self.scheduler.decide(state)
        starts, job = decision.starts.tolist(), self.jobs[0]
        if job in starts:
            # columns about jobs that are stopped change in place
            state = state if state.preemption is None else deepcopy(state)
            user = state.known.user
            own = [each for each in starts if each == job or user[each] == user[job] >= 0]
            self.jobs += [each for each in own if each not in self.jobs]
            number = {each: self._begun[each] for each in own}
            preempts = len(decision.preempts) > 0
            decided = Decided(state, decision.starts, self._plans.fork(), preempts)
            self._passes.append((decided, number))
        self._begun.update(starts)
        return decision

    def decided(self, times: HoldingTimes) -> list[Decided]:
        """Return the passes in which the job started."""
        return [
            decided._replace(held={job: times.of(job, start) for job, start in number.items()})
            for decided, number in self._passes
        ]
