"""Readable twins of `utilitysched.kernels.clearing` and `.hindsight`: every tick is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple


class Buyer(NamedTuple):
    """A job in whole numbers: ages and values as they are after rounding."""

    submit: int
    run: int
    size: int
    ages: Sequence[int]
    values: Sequence[int]


def worth(job: Buyer, age: int) -> int:
    """Value at an age; of two points of one age the first counts."""
    if not job.ages or age > job.ages[-1]:
        return 0
    after = next(i for i, each in enumerate(job.ages) if each >= age)
    if job.ages[after] == age:
        return job.values[after]
    ticks = job.ages[after] - job.ages[after - 1]
    lost = job.values[after - 1] - job.values[after]
    assert lost % ticks == 0
    return job.values[after] + lost // ticks * (job.ages[after] - age)


def best_profit(job: Buyer, price: Sequence[int]) -> int:
    """Highest value less cost over all starts; `price` is that of each tick from 0 on, then 0."""
    starts = range(job.submit, job.submit + max(job.ages, default=-1) - job.run + 1)
    costs = ((start, sum(price[start : start + job.run])) for start in starts)
    profits = (worth(job, at + job.run - job.submit) - job.size * cost for at, cost in costs)
    return max(0, *profits, 0)


def best_spread_profit(job: Buyer, price: Sequence[int]) -> int:
    """The same where the work takes the cheapest ticks from submission to end."""
    ends = range(job.submit + job.run, job.submit + max(job.ages, default=-1) + 1)
    profits = (
        worth(job, end - job.submit) - job.size * sum(_cheapest(job, price, end)) for end in ends
    )
    return max(0, *profits, 0)


def _cheapest(job: Buyer, price: Sequence[int], end: int) -> list[int]:
    between = [price[tick] if tick < len(price) else 0 for tick in range(job.submit, end)]
    return sorted(between)[: job.run]


class HeldJob(NamedTuple):
    """A job with its curve as a function of age (s)."""

    submit: float
    run: float
    size: int


def serial_starts(jobs: Sequence[HeldJob], order: Sequence[int], processors: int) -> list[float]:
    """Start jobs in an order, each at the earliest time at which it fits beside those before it."""
    start = [float("nan")] * len(jobs)
    held: list[tuple[float, float, int]] = []
    for place in order:
        job = jobs[place]
        times = sorted({job.submit, *(end for _, end, _ in held if end > job.submit)})
        start[place] = next(at for at in times if _fits(held, at, job, processors))
        held.append((start[place], start[place] + job.run, job.size))
    return start


def _fits(
    held: Sequence[tuple[float, float, int]], at: float, job: HeldJob, processors: int
) -> bool:
    instants = {at, *(begin for begin, _, _ in held if at < begin < at + job.run)}
    used = (
        sum(size for begin, end, size in held if begin <= instant < end) for instant in instants
    )
    return all(each + job.size <= processors for each in used)


def all_schedules(jobs: Sequence[HeldJob], processors: int) -> Iterator[list[float]]:
    """Every schedule that is worth looking at: serial generation in every order of the jobs.

    Values never rise, so a best schedule is among them.
    """
    for order in permutations(range(len(jobs))):
        yield serial_starts(jobs, order, processors)
