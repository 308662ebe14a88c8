"""The genetic scheduler against its twin: stock DEAP operators, the placement in plain Python."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from deap import algorithms, base, tools

from benchmarks.logs import BLUE, log
from benchmarks.row import Row
from benchmarks.timing import race, timed
from swfx import Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from tests.reference.jobs import Job, Running
from tests.reference.plan import fitness, plan
from utilitysched import Decision, QueueState, simulate
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.history import History

PRESET = {"preset": "lee"}
JOBS = slice(5000, 10000)
SAMPLE = 7
"""Decisions that the twin takes, evenly spread over all by the length of the queue."""


def measure() -> Iterator[Row]:
    """Time a whole simulation, and the twin on a sample of its decisions."""
    workload = attach_utilities(log(BLUE)[JOBS], UtilitySpec(), seed=0)
    recorder = Recorder(GeneticScheduler(GeneticOptions.parse(PRESET)))
    recorded = simulate(workload, recorder)
    raced = race({"ours": lambda: simulate(workload, "ga:preset=lee")}, rounds=3)
    schedule = raced.results["ours"]
    assert np.array_equal(schedule.start, recorded.start)
    easy = _utility(workload, simulate(workload, "easy").end)
    earned = _utility(workload, schedule.end)
    assert earned > easy
    spent = raced.median("ours")
    note = f"{len(recorder.searched):,} searches, {earned / easy - 1:+.1%} SU to EASY; median of 3"
    yield Row("genetic 20 x 100, BLUE 5000..10000", spent, "s", 15, note=note)
    yield _twin(recorder)


@dataclass
class Recorder:
    """Passes on to a genetic scheduler, and keeps the states for which it must search."""

    inner: GeneticScheduler
    searched: list[QueueState] = field(default_factory=list)

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.setting = setting
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        decision = self.inner.decide(state)
        if decision.order is not None:
            self.searched.append(state)
        return decision


def _utility(workload: Workload, end: np.ndarray) -> float:
    return float(workload.utility.evaluate(end - workload.submit).sum())


def _twin(recorder: Recorder) -> Row:
    states = sorted(recorder.searched, key=lambda state: len(state.queued))
    middles = (2 * np.arange(SAMPLE) + 1) * len(states) // (2 * SAMPLE)
    sample = [states[i] for i in middles]
    recorder.inner.prepare(recorder.setting)
    ours = race({"ours": lambda: [recorder.inner.decide(state) for state in sample]})
    slow, orders = timed(lambda: [Twin(state).search() for state in sample])
    for state, order in zip(sample, orders, strict=True):
        assert sorted(order) == list(range(len(state.queued)))
    lengths = ", ".join(str(len(state.queued)) for state in sample)
    note = f"twin {slow:.0f} s for {SAMPLE} searches, queues of {lengths}"
    ratio = slow / ours.median("ours")
    return Row("genetic, to the twin on stock DEAP", ratio, "x", 150, "at least", note)


class Twin:
    """One decision's search by DEAP as it comes: `eaSimple`, roulette, ordered crossover."""

    def __init__(self, state: QueueState) -> None:
        known = state.known
        self.state = state
        self.jobs = [self._job(job) for job in state.queued.tolist()]
        rows = zip(state.expected_end.tolist(), state.running.tolist(), strict=True)
        self.running = [Running(end, job, known.size.item(job)) for end, job in rows]
        rule = ForecastRule()
        self.guesses = History(rule).forecast(state).duration[state.queued].tolist()

    def _job(self, number: int) -> Job:
        known = self.state.known
        first, last = known.offsets[number : number + 2].tolist()
        points = zip(
            known.times[first:last].tolist(), known.values[first:last].tolist(), strict=True
        )
        return Job(
            number,
            known.submit.item(number),
            run=0.0,
            request=known.request.item(number),
            size=known.size.item(number),
            points=tuple(points),
        )

    def worth(self, order: list[int]) -> tuple[float]:
        """Return the fitness of an order as DEAP takes it."""
        state = self.state
        starts = plan(order, self.jobs, state.now, self.running, state.known.machine_size)
        return (fitness(self.jobs, starts, self.guesses),)

    def search(self) -> list[int]:
        """Return the best of 20 orders over 100 generations."""
        random.seed(len(self.jobs))
        toolbox = base.Toolbox()
        toolbox.register("evaluate", self.worth)
        toolbox.register("select", tools.selRoulette)
        toolbox.register("mate", tools.cxOrdered)
        toolbox.register("mutate", tools.mutShuffleIndexes, indpb=0.05)
        queued = range(len(self.jobs))
        population = [Individual(random.sample(queued, len(queued))) for _ in range(20)]
        best = tools.HallOfFame(1)
        algorithms.eaSimple(population, toolbox, 1.0, 0.3, 100, halloffame=best, verbose=False)
        return list(best[0])


class Individual(list[int]):
    """An order with its fitness."""

    def __init__(self, order: list[int]) -> None:
        super().__init__(order)
        self.fitness = Fitness()


class Fitness(base.Fitness):  # type: ignore[misc]
    """One value, the more the better."""

    weights = (1.0,)
