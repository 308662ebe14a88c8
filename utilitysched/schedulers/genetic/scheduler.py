"""The genetic scheduler."""

from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, replace

import numpy as np
from deap import base, tools

from utilitysched.kernels.fitness import Problem, worth_of_order
from utilitysched.kernels.policy import ReserveRule, worth_the_reserve
from utilitysched.kernels.ranking import starved_first
from utilitysched.kernels.stream import Words, combine, decision_stream
from utilitysched.model.forecast import Forecast, ForecastRule
from utilitysched.model.plans import Planner
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.genetic.evolution import Evolution
from utilitysched.schedulers.genetic.front import Front, FrontSearch
from utilitysched.schedulers.genetic.genome_map import GenomeMap
from utilitysched.schedulers.genetic.initial import (
    completed,
    first_generation,
    ordered_by,
    rules,
)
from utilitysched.schedulers.genetic.memory import Memory
from utilitysched.schedulers.genetic.operators import make_toolbox
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.plans import GeneticPlans
from utilitysched.schedulers.genetic.preemptible import find_preemptible, forecast_beside
from utilitysched.schedulers.genetic.preempting import (
    PreemptingPlan,
    cannot_pay,
    carried_out,
    first_preempting_generation,
    nobody_preempted,
    pays,
    pays_more,
)
from utilitysched.schedulers.genetic.problem import placed, problem_of, queue_of
from utilitysched.schedulers.history import History
from utilitysched.schedulers.list_options import order_from

_NO_JOBS = np.empty(0, dtype=np.int64)
_PREEMPTING = np.uint64(1)  # sets the draws of the second search of a decision apart


class GeneticScheduler(Scheduler):
    """Searches at every pass for the queue order whose plan is worth most (LEE 3).

    An order's plan is its EASY placement from now until every queued job has started, by
    requested times. What the best plan starts now is started.

    With ``preempt`` it then searches for a plan that is worth more in which running jobs are
    preempted, and takes that (LEE 6.7).

    Parameters
    ----------
    options : GeneticOptions
        How to search, and for what.
    label : str
        Text that makes this scheduler.
    toolbox : deap.base.Toolbox, optional
        Operators of your own: see `utilitysched.schedulers.genetic.operators`.
    log : bool
        Keep a record of every generation in `logbook`.

    Attributes
    ----------
    memory : Memory
        The plan last decided on.
    logbook : deap.tools.Logbook or None
        A record a generation: now (s), generation, distinct orders, max, mean and min fitness.
    seed : int
        Of what is drawn.

    References
    ----------
    Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing.
    Dissertation, University of California, San Diego. Chapter 3.
    """

    stochastic = True
    reads_queued_only = True

    def __init__(
        self,
        options: GeneticOptions | None = None,
        label: str = "ga",
        toolbox: base.Toolbox | None = None,
        *,
        log: bool = False,
    ) -> None:
        self.settings = options or GeneticOptions()
        self.label = label
        self.preempts = self.settings.preempt
        self.rule = self.settings.rule
        self.logbook = tools.Logbook() if log else None
        operators = toolbox or make_toolbox(self.settings)
        self._fronts = FrontSearch(operators, self.settings)
        single = Evolution(operators, self.settings, self.logbook)
        self._search = self._fronts if self.settings.pareto else single
        shorter = replace(self.settings, generations=self.settings.preempt_generations)
        self._rules = rules(self.settings.rules)
        begun = () if self.settings.rules == "none" else self._rules
        self._begun = (*begun, *map(order_from, self.settings.seeds))
        self._undelayed = replace(self.settings, delays=(0.0,))
        self._preempting_evolution = Evolution(operators, shorter, self.logbook)
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        found = {**asdict(self.settings), "threshold": str(self.settings.threshold)}
        unused = () if self.settings.reserve else ("reserve", "idle")
        return {name: value for name, value in found.items() if name not in unused}

    @property
    def order_search(self) -> "GeneticScheduler | None":
        """Itself: its order can be followed by easy placement, where nobody waits for idle time."""
        return None if self.settings.reserve else self

    @property
    def reading(self) -> ForecastRule | None:
        """That of its fitness, if this has a term of utilities."""
        settings = self.settings
        reads = "utility" in settings.pareto if settings.pareto else settings.utility > 0
        return self.rule if reads else None

    def planner(self) -> Planner:
        """Return the best plans that a local search finds from its own on."""
        return GeneticPlans(self)

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.memory = Memory()
        self._history = History(self.settings.rule)
        self.starvation_threshold = self.settings.threshold.seconds(setting.longest_request)
        self.seed = setting.seed % 2**63
        if self.logbook is not None:
            self.logbook.clear()

    def fork(self, seed: int | None = None) -> "GeneticScheduler":
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = copy(self)
        other._history = self._history.fork()
        if seed is not None:
            other.seed = seed % 2**63
        return other

    def memory_of(self, queued: Integers) -> object:
        """Return what is remembered that can change a decision on these jobs or later ones."""
        memory, settings = self.memory, self.settings
        kept = np.isin(memory.job, queued, assume_unique=True)
        order = memory.order
        if not self.preempts:  # else running jobs have places in it that matter, too
            order = order[np.isin(order, queued, assume_unique=True)]
        return (
            *((memory.in_order_of_preemption(queued).tobytes(),) if self._airline else ()),
            order.tobytes() if settings.warm else b"",
            memory.start[kept].tobytes() if settings.compares_with_before else b"",
            self._history.memory() if settings.rule.learns else None,
        )

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs that the best plan starts now, and its order.

        Where every plan starts the same jobs now (none fits, or all do), none is searched for. If
        none fits, some may do so once running jobs are preempted.
        """
        if self.settings.rule.learns:
            self._history.observe(state)
        state = self.within_reserve(state)
        sizes = state.known.size[state.queued]
        if sizes.sum() <= state.free:
            return Decision(starts=state.queued)
        before, decision = self.memory, Decision()
        if sizes.min() <= state.free:
            self.memory, starts = self.plan(state, before, self.seed)
            decision = Decision(starts=starts, order=self.memory.order)
        found = self._preempting(state, before) if self.settings.may_preempt else None
        if found is None:
            return decision
        self.memory, starts, preempts = found
        order = self.memory.order
        return Decision(starts, order=order[np.isin(order, state.queued)], preempts=preempts)

    def within_reserve(self, state: QueueState) -> QueueState:
        """Return the state without the queued jobs that have to wait for idle time."""
        if not self.settings.reserve:
            return state
        jobs, known = state.queued, state.known
        turn = np.arange(len(jobs), dtype=np.float64)
        starved_first(jobs, known.submit, state.now, self.starvation_threshold, turn)
        rule = ReserveRule(self.settings.reserve, self.settings.idle)
        kept = worth_the_reserve(jobs, turn, state.now, state.free, known, rule)
        return replace(state, queued=jobs[kept])

    def plan(self, state: QueueState, memory: Memory, seed: int) -> tuple[Memory, Integers]:
        """Return the best plan found for the queue, and the jobs that it starts now.

        Nothing is remembered: the same arguments give the same plan.

        Parameters
        ----------
        state : QueueState
            At least one queued job.
        memory : Memory
            The plan last decided on, for the first generation.
        seed : int
            Seed of what is drawn at this instant.
        """
        line, forecast = self._line(state, memory), self._forecast(state)
        near, behind = self._depth(state, line, forecast)
        searched = line.only(near)
        problem = problem_of(state, searched, forecast, memory, self.settings)
        best = np.arange(len(near))
        if len(near) > 1:
            population, stream = self._first(state, forecast, searched.movable, memory, seed)
            first = population[0].copy()
            best = self._search.run(problem, population, stream)
            if self.settings.lead and not self._leads(best, first, problem):
                best = first
        order = np.concatenate([near[best], behind])
        start, starts = placed(best, problem.queue, searched.job)
        job = searched.job
        if len(behind):
            whole = queue_of(state, line, forecast, self.settings)
            _, starts = placed(order, whole, line.job, now_only=True)
            further = starts[~np.isin(starts, job)]
            job = np.concatenate([job, further])
            start = np.concatenate([start, np.full(len(further), float(state.now))])
        by_arrival = np.argsort(job)
        found = Memory(
            line.jobs_of(order), job[by_arrival], start[by_arrival], preempted=memory.preempted
        )
        return found, starts

    def _leads(self, order: Integers, first: Integers, problem: Problem) -> bool:
        """Say whether an order is worth enough more than the first that the search began with."""
        return pays_more(
            worth_of_order(order, problem), worth_of_order(first, problem), self.settings.lead
        )

    def _first(
        self, state: QueueState, forecast: Forecast, jobs: Integers, memory: Memory, seed: int
    ) -> tuple[Integers, Words]:
        """Return the first generation of orders of some jobs, and what the others are drawn by."""
        stream = np.empty(1, dtype=np.uint64)
        decision_stream(seed, float(state.now), stream)
        given = self._given(state, forecast, jobs, memory)
        draws = self.settings.population, stream
        return first_generation(state, forecast, jobs, given, draws), stream

    def front(self, state: QueueState) -> tuple[Front, Problem]:
        """Return the front of plans of the whole queue, and what it is about.

        The terms are those of the option ``pareto``; no plan is remembered.
        """
        self._history.observe(state)
        line, forecast, memory = self._line(state, self.memory), self._forecast(state), self.memory
        problem = problem_of(state, line, forecast, memory, self.settings)
        population, stream = self._first(state, forecast, line.movable, memory, self.seed)
        return self._fronts.front(problem, population, stream), problem

    def whole_plan(self, state: QueueState, memory: Memory) -> Floats:
        """Return when each queued job starts by a plan (s), those too that it was not about."""
        line = self._line(state, memory)
        order = completed(memory.remembered(line.movable), len(line.movable))
        queue = queue_of(state, line, self._forecast(state), self.settings)
        start, _ = placed(order, queue, line.job)
        return start[np.argsort(line.job)]

    def _depth(
        self, state: QueueState, line: GenomeMap, forecast: Forecast
    ) -> tuple[Integers, Integers]:
        """Return the movable jobs to be put in order, ascending, and those behind, in order."""
        movable = line.movable
        count = max(0, int(min(self.settings.depth, len(line.job))) - line.pinned)
        if count >= len(movable):
            return np.arange(len(movable)), _NO_JOBS
        ranked = ordered_by(self._rules[:1], state, forecast, movable)[0]
        return np.sort(ranked[:count]), ranked[count:]

    def _given(
        self, state: QueueState, forecast: Forecast, jobs: Integers, memory: Memory
    ) -> list[Integers]:
        """Return the orders of jobs that a search begins with before any others."""
        given = list(ordered_by(self._begun, state, forecast, jobs))
        if self.settings.warm:
            given.append(completed(memory.remembered(jobs), len(jobs)))
        return given

    def problem(self, state: QueueState, memory: Memory) -> Problem:
        """Return what a search at this state is about; `memory` as for `plan`."""
        line, forecast = self._line(state, memory), self._forecast(state)
        return problem_of(state, line, forecast, memory, self.settings)

    def line(self, state: QueueState) -> GenomeMap:
        """Return the jobs of the queue that the plan just decided on is about, as it has them."""
        # of preempted jobs that start now, the plan alone still tells the turn
        line = self._line(state, replace(self.memory, preempted=self.memory.order))
        if self.settings.depth >= len(line.job):
            return line
        return line.only(np.flatnonzero(np.isin(line.movable, self.memory.job)))

    def line_with_running(self, state: QueueState) -> GenomeMap:
        """Return the same beside the running jobs that may be preempted."""
        line = self.line(state)
        return (
            line.beside(find_preemptible(state, self.settings))
            if self.settings.may_preempt
            else line
        )

    def problem_in(self, state: QueueState, line: GenomeMap) -> Problem:
        """Return what charges at this state compare: plans of some jobs, at their own values."""
        forecast = forecast_beside(self._history, state)
        return problem_of(state, line, forecast, self.memory, self._undelayed)

    @property
    def _airline(self) -> bool:
        return self.settings.preempt and self.settings.airline

    def _line(self, state: QueueState, memory: Memory) -> GenomeMap:
        return GenomeMap.of(state, self.starvation_threshold, memory if self._airline else None)

    def _preempting(self, state: QueueState, before: Memory) -> PreemptingPlan | None:
        """Return the best plan found with preemptions, if it is worth more than what is decided.

        Parameters
        ----------
        state : QueueState
            What is known.
        before : Memory
            The plan last decided on, before this pass.
        """
        preemptible, size = find_preemptible(state, self.settings), state.known.size
        room = state.free + size[preemptible.job].sum()
        if len(preemptible.job) == 0 or size[state.queued].min() > room:
            return None
        queue, forecast = self._line(state, before), forecast_beside(self._history, state)
        near, behind = self._depth(state, queue, forecast)
        line = queue.only(near).beside(preemptible)
        problem = problem_of(state, line, forecast, before, self.settings)
        not_preempted, margin = nobody_preempted(line, self.memory), self.settings.margin
        if cannot_pay(problem, worth_of_order(not_preempted, problem), margin):
            return None
        stream = np.empty(1, dtype=np.uint64)
        decision_stream(self.seed, float(state.now), stream)
        stream[0] = combine(stream[0], _PREEMPTING)
        given = [not_preempted]
        given += self._given(state, forecast, line.movable, before)
        draws = self.settings.population, stream
        population = first_preempting_generation(state, forecast, line, np.array(given), draws)
        order = self._preempting_evolution.run(problem, population, stream)
        if not pays(order, problem, not_preempted, margin):
            return None
        if len(behind):
            line = queue.beside(preemptible)
            numbers = np.concatenate([near, np.arange(line.waiting, len(line.movable))])
            order = np.concatenate([numbers[order], behind])
            problem = problem_of(state, line, forecast, before, self.settings)
        found = carried_out(order, problem, line, state, before)
        return found if len(found.preempts) else None

    def _forecast(self, state: QueueState) -> Forecast:
        """Return the forecast of the queued jobs, and of running ones if plans ask for it."""
        if self.settings.planning == "expected":
            return forecast_beside(self._history, state)
        return self._history.forecast(state)
