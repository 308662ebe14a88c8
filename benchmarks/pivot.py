"""Pivot charges of the genetic scheduler: what a bill costs, and how much of a charge is chance.

Charges of a sample of starts are computed from the same states with seeds of their own, also by
ways that are not ours, and compared with the best plans that any of these found, with any seed, and
in small queues with the best of all orders.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np

from benchmarks.logs import BLUE, path
from benchmarks.row import Row
from benchmarks.timing import race, timed
from swfx import Workload, read
from swfx.families.generators import UtilitySpec, attach_utilities
from utilitysched import Decision, QueueState, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.kernels.absence import occupied, only, worth_of_only
from utilitysched.kernels.fitness import Worth, planned_utility
from utilitysched.kernels.plan import PlannedQueue, Scratch, place
from utilitysched.kernels.refinement import Objective, refine
from utilitysched.model.plans import Begun, Plans
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.memory import Memory
from utilitysched.schedulers.genetic.plans import GeneticPlans
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

JOBS = slice(5000, 10000)
SEEDS = range(2, 8)
EVERY = 6
"""Every so many-th contested pass is in the sample."""
SMALL = 6
"""Of so many other jobs every order is tried."""
TARGET = 15.0


def measure() -> Iterator[Row]:
    """Time a bill beside its schedule, and compare ways to charge."""
    workload = attach_utilities(read(path(BLUE), jobs=JOBS).workload, UtilitySpec(), seed=1)
    yield _bill(workload)
    yield from _deviations(workload)


def _bill(workload: Workload) -> Row:
    schedule = simulate(workload, "ga", seed=1)
    raced = race(
        {
            "schedule": lambda: simulate(workload, "ga", seed=1),
            "bill": lambda: Counterfactuals.of(workload, schedule).pivots(),
        },
        rounds=3,
    )
    pivots = raced.results["bill"]
    earned = workload.utility.evaluate(schedule.turnaround(workload))
    note = (
        f"{raced.median('bill'):.1f} s, schedule {raced.median('schedule'):.1f} s; "
        f"{pivots.charge.sum() / earned.sum():.1%} of the value, {np.mean(pivots.charge == 0):.0%} "
        f"pay nothing, {np.mean(pivots.charge > earned):.1%} more than they earned"
    )
    return Row(
        "pivot bill, BLUE 5000..10000, to its schedule",
        raced.ratio("bill", "schedule"),
        "x",
        2,
        note=note,
    )


class Contest(NamedTuple):
    """A start beside others that wait, and the plan drawn with one seed in the same state.

    Attributes
    ----------
    beside, rest : PlannedQueue
        The others with the job running, and without it.
    worth : Worth
        What they are worth.
    order : (k,) int64
        They in the order of that plan.
    search : callable
        Searches the others' queue by the scheduler; returns their order.
    ours : callable
        Returns the plans that the bill compares, beginning at that order.
    """

    beside: PlannedQueue
    rest: PlannedQueue
    worth: Worth
    order: Integers
    search: Callable[[], Integers]
    ours: Callable[[], Plans]

    def value(self, order: Integers, queue: PlannedQueue) -> float:
        """Return what the plan of an order is worth (SU)."""
        start = np.empty(len(order))
        place(order, queue, self._scratch(), start)
        return float(planned_utility(start, self.worth))

    def refined(self, queue: PlannedQueue) -> float:
        """Return what the best plan found for a queue is worth (SU)."""
        start = np.empty((1, len(self.order)))
        objective = Objective(self.worth, np.empty(0))
        refine(self.order[np.newaxis], (queue,), objective, self._scratch(), start)
        return float(planned_utility(start[0], self.worth))

    def _scratch(self) -> Scratch:
        return Scratch.empty(len(self.order), len(self.beside.release_time))


class Values(NamedTuple):
    """What the others are worth with the job and without it (SU)."""

    with_job: float
    without_job: float


def searched(contest: Contest) -> Values:
    """Search once more, without the job."""
    order = contest.search()
    return Values(contest.value(contest.order, contest.beside), contest.value(order, contest.rest))


def searched_for_both(contest: Contest) -> Values:
    """Search once more, without the job, and try what was found with the job as well."""
    order = contest.search()
    return Values(
        max(contest.value(one, contest.beside) for one in (contest.order, order)),
        contest.value(order, contest.rest),
    )


def refined_without(contest: Contest) -> Values:
    """Refine the plan without the job alone."""
    return Values(contest.value(contest.order, contest.beside), contest.refined(contest.rest))


def refined_apart(contest: Contest) -> Values:
    """Refine both plans, each for itself."""
    return Values(contest.refined(contest.beside), contest.refined(contest.rest))


def refined_together(contest: Contest) -> Values:
    """Refine both plans by the same orders, as the bill does."""
    plans = contest.ours()
    # in the plan drawn anew the job may start later: only what was found from it counts
    return Values(float(plans.value_with[1].sum()), float(plans.value_without.sum()))


WAYS: dict[str, Callable[[Contest], Values]] = {
    "searched without the job": searched,
    "the same, tried with it too": searched_for_both,
    "refined without the job": refined_without,
    "refined with and without it, apart": refined_apart,
    "refined together (vcg)": refined_together,
}


@dataclass
class Watcher:
    """Passes on to a genetic scheduler, and draws plans anew at a sample of its passes."""

    inner: GeneticScheduler
    passes: int = 0
    contests: list[list[Contest]] = field(default_factory=list)

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        before = self.inner.memory
        decision = self.inner.decide(state)
        if 0 < len(decision.starts) < len(state.queued):
            if self.passes % EVERY == 0:
                drawn = [self.inner.plan(state, before, seed)[0] for seed in SEEDS]
                for job in decision.starts.tolist():
                    rows = zip(drawn, SEEDS, strict=True)
                    self.contests.append([self._contest(state, job, *row) for row in rows])
            self.passes += 1
        return decision

    def _contest(self, state: QueueState, job: int, memory: Memory, seed: int) -> Contest:
        queue, worth = self.inner.problem(state, memory)[:2]
        gone = state.queued == job
        size, request = queue.size[gone], queue.request[gone]
        rest = only(queue, ~gone)
        others = replace(state, queued=state.queued[~gone])
        planner = GeneticPlans(self.inner)

        def search() -> Integers:
            return np.searchsorted(others.queued, self.inner.plan(others, memory, seed)[0].order)

        def ours() -> Plans:
            self.inner.memory = memory
            return planner.started(state, Begun.one(job), None)

        order = np.searchsorted(others.queued, memory.order[memory.order != job])
        beside = occupied(rest, size, request)
        return Contest(beside, rest, worth_of_only(worth, ~gone), order, search, ours)


def _deviations(workload: Workload) -> Iterator[Row]:
    watcher = Watcher(GeneticScheduler())
    simulate(workload, watcher, seed=1)
    contests = watcher.contests
    found, spent = {}, {}
    for name, way in WAYS.items():
        way(contests[0][0])
        spent[name], rows = timed(partial(_all, way, contests))
        found[name] = np.array(rows)
    known = np.max([values.max(axis=1) for values in found.values()], axis=0)
    small = np.array([len(row[0].order) <= SMALL for row in contests])
    exact = np.array([_exact(row[0]) for row in contests if len(row[0].order) <= SMALL])
    for name, values in found.items():
        charge = _charges(values)
        note = (
            f"mean {charge.mean():.2f} SU, by the best plans known {_charges(known).mean():.2f}; "
            f"in queues of up to {SMALL} {charge[small].mean():.2f}, exact "
            f"{_charges(exact).mean():.2f}; {1000 * spent[name] / charge.size:.2f} ms"
        )
        deviation = 100 * charge.std(axis=1, ddof=1).mean() / charge.mean()
        ours = WAYS[name] is refined_together
        yield Row(f"charges {name}", float(deviation), "%", TARGET if ours else None, note=note)


def _all(way: Callable[[Contest], Values], contests: list[list[Contest]]) -> list[list[Values]]:
    return [[way(one) for one in row] for row in contests]


def _charges(values: Floats) -> Floats:
    charges: Floats = np.maximum(0.0, values[..., 1] - values[..., 0])
    return charges


def _exact(contest: Contest) -> Values:
    """Return the most that any order is worth."""
    orders = [np.array(order) for order in permutations(range(len(contest.order)))]
    with_job = max(contest.value(order, contest.beside) for order in orders)
    return Values(with_job, max(contest.value(order, contest.rest) for order in orders))
