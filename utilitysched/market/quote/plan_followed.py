"""Foresight by one plan of the genetic scheduler."""

from dataclasses import replace
from functools import partial

import numpy as np

from utilitysched.counterfactual.branch import Change, branch
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.rollout import planner_of
from utilitysched.exact.planned import brought_to
from utilitysched.kernels.plan import Scratch, place
from utilitysched.kernels.policy import Policy
from utilitysched.market.quote.futures import Decided, Futures, Times, played
from utilitysched.market.quote.resumed import compiled_simulation_of, drawn
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.genetic.memory import Memory
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.registry import make_scheduler

SECOND_THOUGHTS = 4
"""Plans of the genetic scheduler that may hold a job back that an earlier one would start."""


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
        easy: ListScheduler = make_scheduler("easy").compiled
        self._easy = replace(easy, threshold=scheduler.settings.threshold)

    def futures(self, scenario: Scenario, runs: Floats, *, roughly: bool = False) -> Futures:
        """Play a scenario in the compiled event loop, the queue in the order of the plan.

        If `roughly`, the plan is followed even when the job would start.
        """
        state = brought_to(scenario.snapshot, self.scheduler, self.seed)
        first = Memory()
        if len(state.queued):
            first, _ = self._planned(state, first)
        baseline = compiled_simulation_of(scenario, self._easy)
        memories: list[Memory] = []

        def play(run: Floats) -> Times:
            thoughts = 0 if roughly else SECOND_THOUGHTS
            moment = branch(baseline, drawn(scenario, run))
            start, end, memory = self._trajectory(scenario, moment, first, thoughts)
            memories.append(memory)
            return start, end

        times = played(runs, play)
        return Futures(scenario, runs, *times, partial(self._decided, scenario, *times, memories))

    def _trajectory(
        self, scenario: Scenario, moment: CompiledSimulation, memory: Memory, thoughts: int
    ) -> tuple[Floats, Floats, Memory]:
        """Return all starts and ends (s), and the plan by which the job starts."""
        moment.decide_by(self._policy(scenario, memory))
        start, end = _to_the_end(moment)
        if scenario.submit > scenario.snapshot.now:
            state = scenario.state_at(start, end, scenario.submit)
            memory, _ = self._planned(state, memory)
            moment.advance(scenario.submit)
            moment.decide_by(self._policy(scenario, memory))
            start, end = _to_the_end(moment)
        for _ in range(thoughts):
            state, begun = scenario.start_of_job(start, end)
            if len(begun) == len(state.queued) or state.now == scenario.submit:
                break
            memory, starts = self._planned(state, memory)
            if scenario.job in starts:
                break
            moment.advance(state.now)
            moment.decide_by(self._policy(scenario, memory))
            start, end = _to_the_end(moment)
        return start, end, memory

    def _planned(self, state: QueueState, memory: Memory) -> tuple[Memory, Integers]:
        """Return the scheduler's plan at a state, and whom it starts."""
        if self.scheduler.settings.rule.learns:
            self.scheduler.decide(state)
        return self.scheduler.plan(state, memory, self.seed)

    def _policy(self, scenario: Scenario, memory: Memory) -> Policy:
        """Return who places the queue in the order of a plan; who is not in it is behind all."""
        ranks = np.arange(len(scenario.known.submit), dtype=np.float64) + len(memory.order)
        ranks[memory.order] = np.arange(len(memory.order))
        policy = self._easy.policy(scenario.known, once=False)
        ranking = policy.primary._replace(fixed=ranks)
        return policy._replace(primary=ranking, secondary=ranking)

    def _decided(
        self, scenario: Scenario, start: Floats, end: Floats, memories: list[Memory], sample: int
    ) -> list[Decided]:
        state, starts = scenario.start_of_job(start[sample], end[sample])
        self.scheduler.memory = self._remembered(state, memories[sample].order)
        return [Decided.without_preemption(state, starts, planner_of(self.scheduler))]

    def _remembered(self, state: QueueState, planned: Integers) -> Memory:
        """Return the plan as it is left at a later state."""
        queue = self.scheduler.problem(state, Memory()).queue
        ahead, movable = state.queued[: queue.pinned], state.queued[queue.pinned :]
        order = np.searchsorted(movable, planned[np.isin(planned, movable)])
        starts = np.empty(len(state.queued))
        place(order, queue, Scratch.empty(len(starts), len(queue.release_time)), starts)
        return Memory(np.concatenate([ahead, movable[order]]), state.queued, starts)


def _to_the_end(moment: CompiledSimulation) -> Times:
    """Return all starts and ends if nothing is decided otherwise from a moment on (s)."""
    simulation = branch(moment, Change())
    simulation.advance(np.inf)
    columns = (moment.start, simulation.start), (moment.end, simulation.end)
    start, end = (np.where(np.isnan(after), before, after) for before, after in columns)
    return start, end
