"""The genetic scheduler."""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, replace
from typing import NamedTuple

import numpy as np
from deap import base, tools

from utilitysched.kernels.closed import is_closed
from utilitysched.kernels.evolution import RECORD, prior_of
from utilitysched.kernels.fitness import Problem, ceiling, worth_of_order
from utilitysched.kernels.stream import Words, combine, decision_stream
from utilitysched.model.forecast import Forecast, ForecastRule
from utilitysched.model.plans import Planner
from utilitysched.model.schedule import SEARCH
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.amounts import all_fit
from utilitysched.schedulers.genetic.convergence import Convergence
from utilitysched.schedulers.genetic.evolution import Evolution, Evolved
from utilitysched.schedulers.genetic.genome_map import (
    GenomeMap,
    Memory,
    find_preemptible,
    forecast_beside,
)
from utilitysched.schedulers.genetic.initial import (
    Seed,
    completed,
    first_generation,
    guessed,
    ordered_by,
)
from utilitysched.schedulers.genetic.operators import Individual
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.plans import GeneticPlans
from utilitysched.schedulers.genetic.preempting import (
    PreemptingPlan,
    cannot_pay,
    carried_out,
    first_preempting_generation,
    nobody_preempted,
    pays,
)
from utilitysched.schedulers.genetic.problem import placed, problem_of, queue_of
from utilitysched.schedulers.genetic.toolbox import (
    DecisionProblem,
    FirstGeneration,
    Operators,
    first_population,
)
from utilitysched.schedulers.history import History
from utilitysched.schedulers.list_options import order_from

CLOSED_DEPTH = 128.0
"""Jobs that are put in order where almost nobody arrives, at least."""

CLOSED_EFFORT = 4
"""Times as many generations are bred there."""

LAST = "last plan"
"""Name of the order last decided on, among those that a search begins with."""

_NO_JOBS = np.empty(0, dtype=np.int64)
_RANKING = "index"  # says who is within the depth where there are no seeds
_AS_REQUESTED = 0.99  # share of the request from which on a run is as long as requested
_PREEMPTING_GENERATIONS = 2
_PREEMPTING = np.uint64(1)  # sets the draws of the second search of a decision apart


class SearchEffort(NamedTuple):
    """What searches took so far: decisions searched for, generations bred, plans placed."""

    decisions: int = 0
    generations: int = 0
    plans: int = 0


class LatestSearch(NamedTuple):
    """The search of the latest decision.

    Attributes
    ----------
    job : (n,) int64
        Jobs that were put in order, by index in arrival order, as orders number them.
    first : FirstGeneration
        What it began with.
    evolved : Evolved
        What it found.
    decision : DecisionProblem
        What it was about.
    """

    job: Integers
    first: FirstGeneration
    evolved: Evolved
    decision: DecisionProblem


class GeneticScheduler(Scheduler):
    """Evolves at every pass the queue order whose plan is worth most (LEE 3).

    An order's plan is its EASY placement from now until every queued job has started, by
    requested times. What the best plan starts now is started.

    The fitness has a prior, and reads values at several delays, since a plan knows of no arrivals.
    Where almost nobody arrives any more (`utilitysched.kernels.closed`), and no job has ended
    before its request so far, the plan is what will happen, and is trusted: no prior, no delays,
    values at the requested ends, and `CLOSED_DEPTH` jobs are put in order.

    With ``preempt`` it then searches for a plan that is worth more in which running jobs are
    preempted, and takes that (LEE 6.7).

    Parameters
    ----------
    options : GeneticOptions
        How to search, and for what.
    label : str
        Text that makes this scheduler.
    toolbox : deap.base.Toolbox, optional
        Operators of your own, in DEAP's signatures: ``select``, ``mate``, ``mutate``, ``replace``.
        Those that are missing are as in the options.
    log : bool
        Keep a record of every generation in `logbook`.

    Attributes
    ----------
    memory : Memory
        The plan last decided on.
    logbook : deap.tools.Logbook or None
        A record a generation: now (s), queued jobs, generation, evaluations, plans, best, median
        and worst fitness.
    effort : SearchEffort
        What searches took since the scheduler was prepared.
    convergence : Convergence
        What their generations were like.
    latest : LatestSearch or None
        The search of the latest decision that there was one for.
    seed : int
        Of what is drawn.

    References
    ----------
    Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing.
    Dissertation, University of California, San Diego. Chapter 3.
    """

    latest: LatestSearch | None = None
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
        self.operators = Operators(self.settings, toolbox)
        self._begun = tuple(map(order_from, self.settings.seeds))
        self._ranking = self._begun[0] if self._begun else order_from(_RANKING)
        self._undelayed = replace(self.settings, delays=(0.0,))
        shorter = replace(self.settings, generations=_PREEMPTING_GENERATIONS)
        self._preempting_evolution = Evolution(self.operators, shorter)
        self._trusting = replace(
            self._undelayed,
            prior=0.0,
            duration="requested",
            planning="requested",
            depth=max(CLOSED_DEPTH, self.settings.depth),
            generations=CLOSED_EFFORT * self.settings.generations,
        )
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return {**asdict(self.settings), "threshold": str(self.settings.threshold)}

    @property
    def notes(self) -> Mapping[str, object]:
        """Effort and convergence of the searches; empty without searches."""
        if not self.effort.decisions:
            return {}
        return {SEARCH: {**self.effort._asdict(), "convergence": self.convergence.means()}}

    @property
    def order_search(self) -> "GeneticScheduler":
        """Itself: its order can be followed by easy placement."""
        return self

    @property
    def reading(self) -> ForecastRule | None:
        """Forecast rule of its fitness, if this has a term of utilities."""
        return self.rule if self.settings.weight("utility") > 0 else None

    def planner(self) -> Planner:
        """Return the best plans that a local search finds from its own on."""
        return GeneticPlans(self)

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.memory = Memory()
        self.effort, self.latest = SearchEffort(), None
        self.convergence = Convergence.none(CLOSED_EFFORT * self.settings.generations)
        self._history = History(self.settings.rule)
        self._exact_history, self._exact = History(self._trusting.rule), True
        self.starvation_threshold = self.settings.threshold.seconds(setting.longest_request)
        self.seed = setting.seed % 2**63
        if self.logbook is not None:
            self.logbook.clear()

    def keep_logbook(self) -> None:
        """Keep a record of every generation from now on, in `logbook`."""
        self.logbook = tools.Logbook()

    def fork(self, seed: int | None = None) -> "GeneticScheduler":
        """Return a copy with the same memory, seeded anew where `seed` is given."""
        other = copy(self)
        other.convergence = self.convergence.copy()
        other._history = self._history.fork()
        if seed is not None:
            other.seed = seed % 2**63
        return other

    def memory_of(self, queued: Integers) -> object:
        """Return the part of the memory that can change a decision on queued or later jobs."""
        memory, settings = self.memory, self.settings
        kept = np.isin(memory.job, queued, assume_unique=True)
        order = memory.order
        if not self.preempts:  # else running jobs have places in it that matter, too
            order = order[np.isin(order, queued, assume_unique=True)]
        return (
            *((memory.in_order_of_preemption(queued).tobytes(),) if self._airline else ()),
            order.tobytes() if settings.warm else b"",
            memory.start[kept].tobytes() if settings.compares_with_before else b"",
            self._exact if settings.prior else None,
            self._history.memory() if settings.rule.learns else None,
        )

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs that the best plan starts now, and its order.

        Where every plan starts the same jobs now (none fits, or all do), none is searched for. If
        none fits, some may do so once running jobs are preempted.
        """
        # what ended since the last pass
        if self.settings.rule.learns:
            self._history.observe(state)
        if self._exact and len(state.finished):
            requests = state.known.request[state.finished]
            self._exact = bool((state.finished_run >= _AS_REQUESTED * requests).all())
        # every plan starts the same jobs if all fit
        sizes = state.known.size[state.queued]
        if sizes.sum() <= state.free and all_fit(state):
            return Decision(starts=state.queued)
        # the queue alone, if a job fits
        before, decision = self.memory, Decision()
        if sizes.min() <= state.free:
            self.memory, starts = self.plan(state, before, self.seed)
            decision = Decision(starts=starts, order=self.memory.order)
        # the queue and the running jobs that may be preempted
        carried = self._preempting(state, before) if self.settings.may_preempt else None
        if carried is None:
            return decision
        self.memory, starts, preempts = carried
        order = self.memory.order
        return Decision(starts, order=order[np.isin(order, state.queued)], preempts=preempts)

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
        settings = self._settings_at(state)
        line, forecast = self._line(state, memory), self._forecast(state, settings)
        # jobs within the depth are put in order, the others follow by the ranking
        near, behind = self._depth(state, line, forecast, settings)
        searched = line.only(near)
        problem = problem_of(state, searched, forecast, memory, settings)
        best = np.arange(len(near))
        if len(near) > 1:
            first, stream = self._first(state, forecast, searched.movable, memory, seed, settings)
            best = self._search(problem, first, stream, searched.movable, settings)
        # starts of the plan now; jobs behind the depth start where EASY lets them
        order = np.concatenate([near[best], behind])
        start, starts = placed(best, problem.queue, searched.job)
        job = searched.job
        if len(behind):
            whole = queue_of(state, line, forecast, settings)
            _, starts = placed(order, whole, line.job, now_only=True)
            further = starts[~np.isin(starts, job)]
            job = np.concatenate([job, further])
            start = np.concatenate([start, np.full(len(further), float(state.now))])
        # the plan to remember, by arrival
        by_arrival = np.argsort(job)
        memories = Memory(
            line.jobs_of(order), job[by_arrival], start[by_arrival], preempted=memory.preempted
        )
        return memories, starts

    def _settings_at(self, state: QueueState) -> GeneticOptions:
        """Return the options in force: plans are trusted where the queue is closed."""
        now, submit = float(state.now), state.known.submit
        if self.settings.prior and self._exact and is_closed(now, state.queued, submit):
            return self._trusting
        return self.settings

    def _search(
        self,
        problem: Problem,
        first: FirstGeneration,
        stream: Words,
        jobs: Integers,
        settings: GeneticOptions,
    ) -> Integers:
        """Return the best order found, and record effort, convergence and logbook of the search."""
        # evolution
        decision = self._searched(problem, first, stream, settings)
        evolved = Evolution(self.operators, settings).run(decision, first)
        self.latest = LatestSearch(jobs, first, evolved, decision)
        # effort, convergence and logbook
        self.convergence.add(evolved.trace)
        done = self.effort
        self.effort = SearchEffort(
            done.decisions + 1,
            done.generations + evolved.generations,
            done.plans + evolved.evaluations,
        )
        if self.logbook is not None:
            for generation, row in enumerate(evolved.trace.tolist()):
                figures = dict(zip(RECORD, row, strict=True))
                self.logbook.record(
                    now=problem.queue.now, jobs=len(jobs), generation=generation, **figures
                )
        return evolved.order

    def _searched(
        self, problem: Problem, first: FirstGeneration, stream: Words, settings: GeneticOptions
    ) -> DecisionProblem:
        """Return the search problem, with the prior of the first order."""
        weight = 0.0
        if settings.prior:
            # unbounded where the fitness has charges: no prior then
            alone = ceiling(problem, np.empty(len(problem.queue.size)))
            weight = settings.prior * alone if math.isfinite(alone) else 0.0
        return DecisionProblem(problem, prior_of(first.orders[0], weight), stream)

    def search_at(self, state: QueueState) -> tuple[base.Toolbox, list[Individual]]:
        """Return a toolbox and a first population, on which DEAP's own algorithms run.

        They are about the decision at a state: its whole queue, with the options in force then.

        Examples
        --------
        `examples/07_deap.py` gives them to `deap.algorithms.eaMuPlusLambda`.
        """
        settings = self._settings_at(state)
        problem, first, stream = self._whole_queue(state, settings)
        toolbox = self.operators.toolbox(self._searched(problem, first, stream, settings))
        return toolbox, first_population(toolbox, first)

    def _whole_queue(
        self, state: QueueState, settings: GeneticOptions
    ) -> tuple[Problem, FirstGeneration, Words]:
        """Return the problem of ordering the whole queue, first orders, and the random stream."""
        memory = self.memory
        line, forecast = self._line(state, memory), self._forecast(state, settings)
        problem = problem_of(state, line, forecast, memory, settings)
        first, stream = self._first(state, forecast, line.movable, memory, self.seed, settings)
        return problem, first, stream

    def _first(
        self,
        state: QueueState,
        forecast: Forecast,
        jobs: Integers,
        memory: Memory,
        seed: int,
        settings: GeneticOptions,
    ) -> tuple[FirstGeneration, Words]:
        """Return the first generation of orders with the random stream of the search."""
        stream = np.empty(1, dtype=np.uint64)
        decision_stream(seed, float(state.now), stream)
        given = self._given(state, forecast, jobs, memory)
        # published first generation: guesses, then random orders
        if math.isinf(settings.spread) or not given:
            given += guessed(state, forecast, jobs)
        return first_generation(state.known, jobs, given, settings, stream), stream

    def whole_plan(self, state: QueueState, memory: Memory) -> Floats:
        """Return the planned start of every queued job (s), jobs outside the plan included."""
        line, settings = self._line(state, memory), self._settings_at(state)
        order = completed(memory.remembered(line.movable), len(line.movable))
        queue = queue_of(state, line, self._forecast(state, settings), settings)
        start, _ = placed(order, queue, line.job)
        return start[np.argsort(line.job)]

    def _depth(
        self, state: QueueState, line: GenomeMap, forecast: Forecast, settings: GeneticOptions
    ) -> tuple[Integers, Integers]:
        """Return the movable jobs to be put in order, ascending, and those behind, in order."""
        movable = line.movable
        count = max(0, int(min(settings.depth, len(line.job))) - line.pinned)
        if count >= len(movable):
            return np.arange(len(movable)), _NO_JOBS
        ranked = ordered_by([self._ranking], state, forecast, movable)[0]
        return np.sort(ranked[:count]), ranked[count:]

    def _given(
        self, state: QueueState, forecast: Forecast, jobs: Integers, memory: Memory
    ) -> list[Seed]:
        """Return the seeds of a search: orders of the rules, and the last order if warm."""
        orders = ordered_by(self._begun, state, forecast, jobs)
        given = list(zip(self.settings.seeds, orders, strict=True))
        if self.settings.warm:
            given.append((LAST, completed(memory.remembered(jobs), len(jobs))))
        return given

    def problem(self, state: QueueState, memory: Memory) -> Problem:
        """Return the planning problem of a search at a state; `memory` as for `plan`."""
        line, settings = self._line(state, memory), self._settings_at(state)
        return problem_of(state, line, self._forecast(state, settings), memory, settings)

    def line(self, state: QueueState) -> GenomeMap:
        """Return the queued jobs of the plan last decided on, as a genome map."""
        # of preempted jobs that start now, the plan alone still tells the turn
        line = self._line(state, replace(self.memory, preempted=self.memory.order))
        if self._settings_at(state).depth >= len(line.job):
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
        """Return the planning problem of a pivot charge: jobs of the line, values undelayed."""
        forecast = forecast_beside(self._history, state)
        return problem_of(state, line, forecast, self.memory, self._undelayed)

    @property
    def _airline(self) -> bool:
        return self.settings.preempt and "airline" in self.settings.damping

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
        # no preemption can make room for any queued job
        room = state.free + size[preemptible.job].sum()
        if len(preemptible.job) == 0 or size[state.queued].min() > room:
            return None
        queue, forecast = self._line(state, before), forecast_beside(self._history, state)
        # the problem of queued and running jobs within the depth
        near, behind = self._depth(state, queue, forecast, self.settings)
        line = queue.only(near).beside(preemptible)
        problem = problem_of(state, line, forecast, before, self.settings)
        # without a search in this pass, only a warm start goes by the plan of an earlier one
        planned = self.memory if self.settings.warm or self.memory is not before else Memory()
        # bound: no plan with a preemption may be worth more
        not_preempted = nobody_preempted(line, planned)
        if cannot_pay(problem, worth_of_order(not_preempted, problem)):
            return None
        # second search, with draws of its own
        stream = np.empty(1, dtype=np.uint64)
        decision_stream(self.seed, float(state.now), stream)
        stream[0] = combine(stream[0], _PREEMPTING)
        given = [("nobody preempted", not_preempted)]
        given += self._given(state, forecast, line.movable, before)
        first = first_preempting_generation(state, forecast, line, given, self.settings, stream)
        decision = DecisionProblem(problem, prior_of(not_preempted, 0.0), stream)
        order = self._preempting_evolution.run(decision, first).order
        if not pays(order, problem, not_preempted):
            return None
        if len(behind):
            line = queue.beside(preemptible)
            numbers = np.concatenate([near, np.arange(line.waiting, len(line.movable))])
            order = np.concatenate([numbers[order], behind])
            problem = problem_of(state, line, forecast, before, self.settings)
        # only preemptions that a start needs are carried out
        carried = carried_out(order, problem, line, state, before)
        return carried if len(carried.preempts) else None

    def _forecast(self, state: QueueState, settings: GeneticOptions) -> Forecast:
        """Return the forecast of the queued jobs, and of running ones if plans ask for it."""
        if settings.duration != self.settings.duration:
            return self._exact_history.forecast(state)
        if settings.planning == "expected":
            return forecast_beside(self._history, state)
        return self._history.forecast(state)
