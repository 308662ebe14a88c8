"""Market-clearing prices of processor time, and the bound on all schedules that they prove.

For any price of a processor-second, at every time zero or above, no schedule that runs each job in
one piece is worth more than what the whole machine costs at these prices and the profits of jobs
that buy their processors when it suits them best (Lagrangian relaxation of the machine's size).
Prices that make the bound small nearly clear the market. Where jobs need several resources of a
pool, each has prices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from utilitysched.kernels.clearing import Bidders, PriceSteps, demand, raise_curves, spread_demand
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers

TICKS = 16
"""To a second; a power of two, so that no second is rounded."""

SPACING = 600
"""Longest price step (s), unless there would be more than `MOST_STEPS` of them."""

MOST_STEPS = 1_000_000

ITERATIONS = 240
"""Steps of the minimisation, unless said otherwise."""

_VALUE_BITS = 56
"""The sum of all start values is below 2 to this power (units): sums fit in 64 bits."""

_FINEST = 64
"""Of a resource there are at most so many for each processor; memory is counted in chunks."""

_LAST_GAP = 1e-5
"""Share by which the bound is hoped to fall when the steps are too short to go on."""

_SHRINK, _PATIENCE = 0.7, 10
"""What that is multiplied with after so many steps that have not brought a tenth of it."""

_MOMENTUM = 0.9


class _Scale(NamedTuple):
    """A stage of the minimisation: spacing of the prices, share of the steps, first gap.

    Attributes
    ----------
    spacing : int
        Between points (s); 0 for every point of the problem.
    share : float
        Of all steps.
    gap : float
        Share by which the bound is hoped to fall at first.
    """

    spacing: int
    share: float
    gap: float


_SCALES = (_Scale(3600, 0.5, 0.05), _Scale(1200, 0.25, 0.003), _Scale(0, 0.25, 0.001))
"""Coarse prices first: their steps cost a tenth, and are nearly as good. Gaps are as measured."""

_ONE_SCALE = (_Scale(0, 1.0, 0.05),)
"""For logs of so few of the coarsest steps that these say little."""

_FEW_STEPS = 100


Watch = Callable[[float], None]
"""Takes the share that is done."""


def unwatched(_: float) -> None:
    """Ignore the progress; a `Watch`."""


class Amounts(NamedTuple):
    """Amounts of the resources of a pool.

    Attributes
    ----------
    demand : (n, r) int64
        What each job needs; the first resource is processors.
    capacity : (r,) int64
        What there is.
    """

    demand: Integers
    capacity: Integers

    @property
    def grain(self) -> Integers:
        """What is counted as one of each resource, so that prices are not too small to be whole.

        A schedule that is possible is so, too, with amounts rounded down to these.
        """
        most = _FINEST * max(int(self.capacity[0]), 1)
        grain: Integers = np.maximum(1, -(-self.capacity // most))
        return grain

    @classmethod
    def of_processors(cls, arrivals: Arrivals) -> Self:
        """Return the processors of jobs and of the machine."""
        known = arrivals.known
        return cls(known.size.astype(np.int64)[:, np.newaxis], np.array([known.machine_size]))


@dataclass(frozen=True, eq=False)
class ClearingProblem:
    """Bids of jobs for processor time in whole units, rounded in favour of the jobs.

    Submit and run times are rounded down to ticks, ages at which values are reached and the values
    themselves up: a job of this problem can do whatever the job of the workload can, and is worth
    no less. So bounds on this problem hold for the workload.

    Attributes
    ----------
    jobs : Bidders
        n jobs in arrival order.
    capacity : (r,) int64
        Amount of each resource; the first is processors.
    unit : float
        Of values (SU), a power of two.
    grain : (r,) int64
        What is counted as one of each resource.
    preemptive : bool
        Jobs may spread their work over any time between submission and end.
    """

    jobs: Bidders
    capacity: Integers
    unit: float
    grain: Integers
    preemptive: bool = False

    @classmethod
    def of(cls, arrivals: Arrivals, amounts: Amounts | None = None) -> ClearingProblem:
        """Round the jobs of a workload in arrival order.

        They need `amounts`; default: their processors, of the machine's.
        """
        known = arrivals.known
        if amounts is None:
            amounts = Amounts.of_processors(arrivals)
        # times rounded down, ages and values up: no job is worth less than before
        submit = np.floor(known.submit * TICKS).astype(np.int64)
        first = known.offsets.astype(np.int64)
        within = np.repeat(known.submit * TICKS - submit, np.diff(first))
        total = math.fsum(known.values[first[:-1][np.diff(first) > 0]]) or 1.0
        # unit of value: sums of all values fit in 64 bits
        unit = math.ldexp(1.0, math.ceil(math.log2(total)) - _VALUE_BITS)
        ticks = known.times * TICKS
        later = np.nextafter(ticks + within, np.inf)  # the sum may have been rounded down
        age = np.ceil(np.where(within == 0, ticks, later)).astype(np.int64)
        value = np.ceil(known.values / unit).astype(np.int64)
        slope = np.zeros(len(age), np.int64)
        raise_curves(first, age, value, slope)
        run = np.floor(arrivals.run * TICKS).astype(np.int64)
        grain = amounts.grain
        jobs = Bidders(submit, run, amounts.demand // grain, first, age, value, slope)
        return cls(jobs, amounts.capacity // grain, unit, grain)

    @property
    def machine_size(self) -> int:
        """Processors."""
        return int(self.capacity[0])

    def points(self, coarse: int = 0) -> Integers:
        """Return where prices may change (ticks): submissions, ends without waits, and between.

        If `coarse` is not 0, only every so many seconds.
        """
        jobs = self.jobs
        soonest = jobs.submit + jobs.run
        lasting = jobs.first[1:] > jobs.first[:-1]
        latest = jobs.submit[lasting] + jobs.age[jobs.first[1:][lasting] - 1]
        begin = int(jobs.submit.min()) if len(jobs.submit) else 0
        end = max(int(soonest.max(initial=begin)), int(latest.max(initial=begin)))
        spacing = max((coarse or SPACING) * TICKS, -(-(end - begin) // MOST_STEPS))
        regular = np.arange(begin, end + spacing, spacing, dtype=np.int64)
        if coarse:
            return regular
        return np.unique(np.concatenate([jobs.submit, soonest, regular]))


class ClearingPrices(NamedTuple):
    """Prices of processor time, and the bound on the schedule's value that they prove.

    Attributes
    ----------
    problem : ClearingProblem
        What they are the prices of.
    steps : PriceSteps
        The prices.
    bound : float
        No schedule is worth more (SU).
    trivial : float
        The bound by prices of 0: each job starts when it is submitted (SU).
    profit : (n,) float64
        What the best start of each job leaves it after paying these prices (SU).
    start : (n,) float64
        That start (s), not a number where it is better not to run.
    iterations : int
        Evaluations of the bound.
    gap : float
        The search ended when steps that were to lower the bound by this much did not (SU).
    proven : (r,) float64
        By how much the bound would be higher without the prices of each resource (SU).
    """

    problem: ClearingProblem
    steps: PriceSteps
    bound: float
    trivial: float
    profit: Floats
    start: Floats
    iterations: int
    gap: float
    proven: Floats

    @property
    def time(self) -> Floats:
        """Where prices change (s on the log's clock), (k + 1,)."""
        return np.asarray(self.steps.time[:-1] / TICKS, np.float64)

    @property
    def price(self) -> Floats:
        """Price from each of these times on (SU a second of one of each resource), (r, k + 1)."""
        return np.asarray(self.steps.price * (self.problem.unit * TICKS), np.float64)

    @property
    def rents(self) -> Floats:
        """Rent of all there is of each resource at the clearing prices (SU), (r,)."""
        problem, last = self.problem, self.steps.rent[:, -1].astype(np.float64)
        return np.asarray(last * problem.capacity * problem.unit, np.float64)

    @property
    def rent(self) -> float:
        """Rent of the whole machine at the clearing prices (SU)."""
        return math.fsum(self.rents)


class Minimiser:
    """Subgradient steps of a Lagrangian bound towards a falling target.

    The subgradient of the bound is the capacity that is left over, as a function of time; where the
    price is 0 already, what is left over does not count. A step (Polyak) is as long as it would
    have to be to reach the target if the bound were straight; the direction has momentum (Camerini,
    Fratta and Maffioli 1975). Several resources are measured as shares of what there is, so that a
    step does not depend on the unit of one of them. Where `_PATIENCE` steps bring too little, the
    next start from the best prices, with a nearer target.

    Parameters
    ----------
    problem : ClearingProblem
        The jobs.
    coarse : int
        As `ClearingProblem.points` takes it.
    """

    def __init__(self, problem: ClearingProblem, coarse: int = 0) -> None:
        jobs = problem.jobs
        self.problem = problem
        self.points = problem.points(coarse)
        self.length = np.diff(self.points)
        places = (jobs.submit, jobs.submit + jobs.run)
        self.at = [np.searchsorted(self.points, each, side="right") - 1 for each in places]
        self.profit, self.start = (np.zeros(len(jobs.submit), np.int64) for _ in range(2))
        capacity = problem.capacity[:, np.newaxis]
        self.used = np.zeros((len(capacity), len(self.points)), np.int64)
        # a price counts for as much of its resource as a processor is of all
        self.share = capacity[:1] / np.maximum(capacity, 1)

    def steps(self, price: Floats) -> PriceSteps:
        """Return prices rounded to units, scaled down if they are absurd.

        Parameters
        ----------
        price : (r, k) float64
            For a tick of as much of each resource as a processor is of all.
        """
        whole, capacity = np.rint(price * self.share), self.problem.capacity
        whole_rent = float(np.sum(np.sum(whole * self.length, axis=1) * capacity))
        most = math.ldexp(4.0, _VALUE_BITS)
        if whole_rent > most:
            whole = np.floor(whole * (most / whole_rent))
        prices = np.pad(whole.astype(np.int64), ((0, 0), (0, 1)))
        rent = np.pad(np.cumsum(prices[:, :-1] * self.length, axis=1), ((0, 0), (1, 0)))
        return PriceSteps(np.append(self.points, np.iinfo(np.int64).max // 2), prices, rent)

    def bound(self, steps: PriceSteps) -> int:
        """Return the bound by these prices (units), and remember what the jobs would do."""
        jobs, at_submit, at_end = self.problem.jobs, *self.at
        if self.problem.preemptive:
            spread_demand(jobs, steps, at_submit, at_end, self.profit, self.start, self.used)
        else:
            demand(jobs, steps, at_submit, at_end, self.profit, self.start, self.used)
        rents = zip(self.problem.capacity.tolist(), steps.rent[:, -1].tolist(), strict=True)
        bound: int = sum(amount * rent for amount, rent in rents) + sum(self.profit.tolist())
        return bound

    def left_over(self, price: Floats) -> Floats:
        """Return the mean amounts left over in each price step, but for those free anyway."""
        free = self.problem.capacity[:, np.newaxis] - self.used[:, :-1] / self.length
        return np.where((price <= 0) & (free > 0), 0.0, free * self.share)

    def minimise(
        self, price: Floats, hope: float, iterations: int, watch: Watch
    ) -> tuple[Floats, int, float]:
        """Return the best prices found, as `steps` takes them, how many were tried, and the gap.

        That is by how much the last steps were to lower the bound (units). `hope` is the share by
        which it is to fall at first.
        """
        best_price, best, gap = price, math.inf, 0.0
        direction = np.zeros(price.shape)
        since = 0
        for step in range(iterations):
            watch(step / iterations)
            # bound by these prices, and progress since the last tenth of the gap
            bound = float(self.bound(self.steps(price)))
            gap = gap or hope * bound
            since = 0 if bound < best - gap / 10 else since + 1
            if bound < best:
                best, best_price = bound, price
            # stalled: start again at the best prices with a nearer target
            if since >= _PATIENCE:
                gap, since = gap * _SHRINK, 0
                if gap < _LAST_GAP * best:
                    return best_price, step + 1, gap
                price, direction = best_price, np.zeros(price.shape)
                bound = float(self.bound(self.steps(price)))
            # Polyak step along the subgradient with momentum
            direction = self.left_over(price) + _MOMENTUM * direction
            norm = float(np.sum(self.length * direction**2))
            if norm == 0:
                return best_price, step + 1, 0.0
            price = np.maximum(0.0, price - (bound - best + gap) / norm * direction)
        return best_price, iterations, gap


def clearing_prices(
    problem: ClearingProblem,
    iterations: int = ITERATIONS,
    watch: Watch = unwatched,
) -> ClearingPrices:
    """Find prices that make the bound small.

    Parameters
    ----------
    problem : ClearingProblem
        n jobs.
    iterations : int
        Steps of the minimisation at most; the bound holds after any number.
    watch : callable
        Takes the share that is done.
    """
    few = len(problem.points(_SCALES[0].spacing)) <= _FEW_STEPS
    scales = _ONE_SCALE if few else _SCALES
    search = Minimiser(problem, scales[0].spacing)
    price, taken, share = np.zeros((len(problem.capacity), len(search.length))), 0, 0.0
    gap = 0.0
    # from coarse to fine, each from the prices of the one before
    for scale in scales:
        finer = Minimiser(problem, scale.spacing)
        price = price[:, np.searchsorted(search.points[1:-1], finer.points[:-1], side="right")]
        search = finer
        part = part_of(watch, share, scale.share)
        most = int(scale.share * iterations)
        price, steps_taken, gap = search.minimise(price, scale.gap, most, part)
        taken, share = taken + steps_taken, share + scale.share
    # prices of 0 may prove more
    trivial = search.bound(search.steps(np.zeros(price.shape)))
    if search.bound(search.steps(price)) > trivial:
        price = np.zeros(price.shape)
    without = [search.bound(search.steps(_without(price, each))) for each in range(len(price))]
    steps = search.steps(price)
    bound = search.bound(steps)
    start = np.where(search.profit > 0, search.start / TICKS, np.nan)
    return ClearingPrices(
        problem,
        steps,
        float_above(bound, problem.unit),
        float_above(trivial, problem.unit),
        np.asarray(search.profit * problem.unit, np.float64),
        start,
        taken,
        gap * problem.unit,
        np.array([(each - bound) * problem.unit for each in without]),
    )


def _without(price: Floats, resource: int) -> Floats:
    """Return prices of which those of a resource are 0."""
    others = price.copy()
    others[resource] = 0.0
    return others


def part_of(watch: Watch, done: float, share: float) -> Watch:
    """Return a watch for one part of a computation."""
    return lambda fraction: watch(done + share * fraction)


def preemptive(problem: ClearingProblem) -> ClearingProblem:
    """Return the problem in which jobs may be stopped and go on at no cost."""
    return replace(problem, preemptive=True)


def float_above(count: int, unit: float) -> float:
    """Return the least float that is not below so many units; `unit` is a power of two."""
    least = float(count)
    if int(least) < count:
        least = math.nextafter(least, math.inf)
    return least * unit
