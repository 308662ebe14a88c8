"""Trials of orders: average bounded slowdowns of a queue by the job that goes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.reference.jobs import Job
from tests.reference.stream import Stream

Cost = Callable[[Job, float], float]
"""Of a job and its wait (s)."""


def slowdown(job: Job, wait: float) -> float:
    """Bounded slowdown with a threshold of 10 s."""
    return max((wait + job.run) / max(job.run, 10.0), 1.0)


def starts(jobs: Sequence[Job], processors: int) -> list[float]:
    """Start of each job in order: no earlier than its arrival, the start before, and room."""
    found: list[float] = []
    for k, job in enumerate(jobs):
        earliest = max([job.submit, *found])
        ends = sorted(start + other.run for start, other in zip(found, jobs[:k], strict=True))
        for time in [earliest, *(end for end in ends if end > earliest)]:
            busy = sum(
                other.size
                for start, other in zip(found, jobs[:k], strict=True)
                if start + other.run > time
            )
            if busy + job.size <= processors:
                found.append(time)
                break
    return found


def cost_by_first(
    jobs: Sequence[Job], processors: int, warm: int, trials: int, stream: Stream, cost: Cost
) -> list[float]:
    """Sum over trials of the mean cost of the jobs behind the warm-up, by who goes first."""
    sums = []
    ordered = list(jobs[warm:])
    for first in range(len(ordered)):
        order = list(ordered)
        order[0], order[first] = order[first], order[0]
        total = 0.0
        for _ in range(trials):
            for i in range(len(order) - 1, 1, -1):
                j = 1 + stream.below(i)
                order[i], order[j] = order[j], order[i]
            begun = starts([*jobs[:warm], *order], processors)[warm:]
            costs = [cost(job, at - job.submit) for job, at in zip(order, begun, strict=True)]
            total += sum(costs) / len(costs)
        sums.append(total)
    return sums
