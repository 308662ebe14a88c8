"""Local search for queue orders, in several situations of the same jobs at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.reference.jobs import Job, Running
from tests.reference.plan import fitness, plan
from tests.reference.values import mean_over, utility

REACH = 4  # places in front that jobs are tried at


class Situation(NamedTuple):
    """A machine at an instant (s), and jobs that are running on it."""

    now: float
    running: Sequence[Running]
    processors: int


class Refinement:
    """The best orders found so far, one per situation; the first `pinned` jobs keep their places.

    Orders are of positions in `jobs`, and all of them.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        guesses: Sequence[Sequence[float]],
        situations: Sequence[Situation],
        pinned: int,
    ) -> None:
        self.jobs, self.guesses, self.situations = jobs, guesses, situations
        self.pinned = pinned
        self.order: list[list[int]] = [[] for _ in situations]
        self.value = [-math.inf for _ in situations]

    def starts(self, order: Sequence[int], situation: Situation) -> list[float]:
        """Planned starts (s) of an order."""
        return plan(order, self.jobs, situation.now, situation.running, situation.processors)

    def worth(self, order: Sequence[int], situation: Situation) -> float:
        """What the plan of an order is worth (SU)."""
        return fitness(self.jobs, self.starts(order, situation), self.guesses)

    def judge(self, order: list[int]) -> None:
        """Keep the order wherever it is worth more than the best."""
        for k, situation in enumerate(self.situations):
            value = self.worth(order, situation)
            if value > self.value[k]:
                self.order[k], self.value[k] = order, value

    def advance(self, position: int, k: int) -> bool:
        """Let a job go ahead, or change places with one ahead, until that is worth more."""
        order, before = self.order[k], self.value[k]
        job = order[position]
        for target in range(self.pinned, min(position, self.pinned + REACH)):
            rest = order[:position] + order[position + 1 :]
            self.judge([*rest[:target], job, *rest[target:]])
            if self.value[k] > before:
                return True
            swapped = list(order)
            swapped[target], swapped[position] = job, order[target]
            self.judge(swapped)
            if self.value[k] > before:
                return True
        return False

    def loses(self, job: int, k: int) -> bool:
        """Whether the job would be worth more if no other were queued."""
        situation = self.situations[k]
        alone = self.jobs[job]._replace(number=0)
        first = plan([0], [alone], *situation)[0]
        start = self.starts(self.order[k], situation)[job]
        guesses, submit = self.guesses[job], alone.submit
        return mean_over(utility, alone, start - submit, guesses) < mean_over(
            utility, alone, first - submit, guesses
        )

    def climb(self, k: int) -> None:
        """Let jobs that lose go ahead, one after the other, until that gains nothing any more."""
        movable = len(self.jobs) - self.pinned
        turn = unchanged = 0
        while unchanged < movable:
            position = self.pinned + turn % movable
            loses = self.loses(self.order[k][position], k)
            unchanged = 0 if loses and self.advance(position, k) else unchanged + 1
            turn += 1

    def climb_all(self, order: list[int]) -> None:
        """Search all situations, beginning at one order."""
        self.judge(order)
        climbed = [-math.inf for _ in self.situations]
        while climbed != self.value:
            k = next(k for k, value in enumerate(self.value) if value > climbed[k])
            self.climb(k)
            climbed[k] = self.value[k]

    def nobody_loses(self) -> bool:
        """Whether every job gets what it would alone, in all situations."""
        situations = range(len(self.situations))
        return not any(self.loses(job, k) for job in range(len(self.jobs)) for k in situations)


def refine(
    orders: Sequence[list[int]],
    jobs: Sequence[Job],
    guesses: Sequence[Sequence[float]],
    situations: Sequence[Situation],
    pinned: int,
) -> list[list[float]]:
    """Return the planned starts (s) in each situation, beginning at each order in turn."""
    return best_of(orders, lambda: Refinement(jobs, guesses, situations, pinned))


def best_of(orders: Sequence[list[int]], blank: Callable[[], Refinement]) -> list[list[float]]:
    """Return the planned starts (s) of the best that searches from each order find.

    Orders are left out once nobody loses.
    """
    best = blank()
    for order in orders:
        found = blank()
        found.climb_all(order)
        for k, value in enumerate(found.value):
            if value > best.value[k]:
                best.order[k], best.value[k] = found.order[k], value
        if best.nobody_loses():
            break
    return [
        best.starts(order, situation)
        for order, situation in zip(best.order, best.situations, strict=True)
    ]
