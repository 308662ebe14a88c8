"""The genetic scheduler."""

from collections.abc import Mapping
from copy import copy
from dataclasses import asdict

import numpy as np
from deap import base, tools

from utilitysched.genetic.evolution import Evolution
from utilitysched.genetic.initial import first_generation
from utilitysched.genetic.memory import Memory
from utilitysched.genetic.operators import make_toolbox
from utilitysched.genetic.options import GeneticOptions
from utilitysched.genetic.problem import problem_of
from utilitysched.history import History
from utilitysched.kernels.fitness import Problem
from utilitysched.kernels.plan import Scratch, place
from utilitysched.kernels.stream import Words, decision_stream
from utilitysched.scheduler import Setting
from utilitysched.state import Decision, Integers, QueueState


class GeneticScheduler:
    """Searches at every pass for the queue order whose plan is worth most (LEE 3).

    An order's plan is its EASY placement from now until every queued job has started, by
    requested times. What the best plan starts now is started.

    Parameters
    ----------
    options : GeneticOptions
        How to search, and for what.
    label : str
        Text that makes this scheduler.
    toolbox : deap.base.Toolbox, optional
        Operators of your own: see `utilitysched.genetic.operators`.
    log : bool
        Keep a record of every generation in `logbook`.

    Attributes
    ----------
    memory : Memory
        The plan last decided on.
    starvation_threshold : float
        Wait (s) beyond which a job goes ahead of all others, infinite if none.
    logbook : deap.tools.Logbook or None
        A record a generation: now (s), generation, distinct orders, max, mean and min fitness.

    References
    ----------
    Lee, C. B. (2009). On the user-scheduler relationship in high-performance computing.
    Dissertation, University of California, San Diego. Chapter 3.
    """

    stochastic = True

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
        self.logbook = tools.Logbook() if log else None
        self._evolution = Evolution(
            toolbox or make_toolbox(self.settings), self.settings, self.logbook
        )
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return {**asdict(self.settings), "threshold": str(self.settings.threshold)}

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.memory = Memory()
        self._history = History(self.settings.rule)
        self.starvation_threshold = self.settings.threshold.seconds(setting.longest_request)
        self._seed = setting.seed % 2**63
        if self.logbook is not None:
            self.logbook.clear()

    def fork(self, seed: int | None = None) -> "GeneticScheduler":
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = copy(self)
        other._history = self._history.fork()
        if seed is not None:
            other._seed = seed % 2**63
        return other

    def memory_of(self, queued: Integers) -> object:
        """Return what is remembered that can change a decision on these jobs or later ones."""
        memory, settings = self.memory, self.settings
        kept = np.isin(memory.job, queued, assume_unique=True)
        order = memory.order[np.isin(memory.order, queued, assume_unique=True)]
        return (
            order.tobytes() if settings.warm else b"",
            memory.start[kept].tobytes() if settings.predictability else b"",
            self._history.memory() if settings.rule.learns else None,
        )

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs that the best plan starts now, and its order.

        Where every plan starts the same jobs now (none fits, or all do), none is searched for.
        """
        if self.settings.rule.learns:
            self._history.observe(state)
        sizes = state.known.size[state.queued]
        if sizes.min() > state.free:
            return Decision()
        if sizes.sum() <= state.free:
            return Decision(starts=state.queued)
        self.memory, starts = self.plan(state, self.memory, self._seed)
        return Decision(starts=starts, order=self.memory.order)

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
        problem = self.problem(state, memory)
        queue, jobs = problem.queue, state.queued
        ahead, movable = jobs[: queue.pinned], jobs[queue.pinned :]
        best = np.arange(len(movable))
        if len(movable) > 1:
            stream = np.empty(1, dtype=np.uint64)
            decision_stream(seed, float(state.now), stream)
            population = self._first_generation(state, memory, movable, stream)
            best = self._evolution.run(problem, population, stream)
        scratch = Scratch.empty(len(jobs), len(queue.release_time))
        start = np.empty(len(jobs))
        immediate = place(best, queue, scratch, start)
        order = np.concatenate([ahead, movable[best]])
        return Memory(order, jobs, start), jobs[scratch.placed[:immediate]]

    def problem(self, state: QueueState, memory: Memory) -> Problem:
        """Return what a search at this state is about; `memory` as for `plan`."""
        forecast = self._history.forecast(state)
        return problem_of(state, forecast, memory, self.settings, self.starvation_threshold)

    def _first_generation(
        self, state: QueueState, memory: Memory, jobs: Integers, stream: Words
    ) -> Integers:
        forecast = self._history.forecast(state)
        warm = memory.remembered(jobs) if self.settings.warm else None
        return first_generation(state, forecast, jobs, warm, self.settings.population, stream)
