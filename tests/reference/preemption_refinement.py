"""Local search for orders of queued and running jobs, in several situations at once."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.jobs import Job
from tests.reference.preempting_plan import (
    Held,
    PreemptingPlan,
    fitness_with_preemption,
    in_line,
    plan_with_preemption,
)
from tests.reference.refinement import Refinement, Situation, best_of
from tests.reference.values import mean_over, utility


class PreemptionRefinement(Refinement):
    """The best orders found so far, in which running jobs are preempted or not.

    Orders are of positions in `jobs` from `pinned` on. `not_preempted` is what each running job
    adds plans in which it goes on running (SU), by number.
    """

    def __init__(
        self,
        line: tuple[Sequence[Job], int],
        held: Sequence[Held],
        guesses: Sequence[Sequence[float]],
        situations: Sequence[Situation],
        not_preempted: Sequence[tuple[int, float]],
    ) -> None:
        jobs, ahead = line
        super().__init__(jobs, guesses, situations, 0)
        self.held, self.not_preempted = held, not_preempted
        self.first, self.rest = jobs[:ahead], jobs[ahead:]

    def planned(self, order: Sequence[int], situation: Situation) -> PreemptingPlan:
        """The plan of an order."""
        queue = in_line([self.rest[place] for place in order], self.first, self.held)
        return plan_with_preemption(queue, self.held, *situation)

    def starts(self, order: Sequence[int], situation: Situation) -> list[float]:
        """Planned starts (s) of an order."""
        found = self.planned(order, situation)
        return [found.start[job.number] for job in self.jobs]

    def worth(self, order: Sequence[int], situation: Situation) -> float:
        """What the plan of an order is worth (SU)."""
        found = self.planned(order, situation)
        return fitness_with_preemption(self.jobs, found, self.guesses, self.not_preempted)

    def alone(self, job: Job, situation: Situation) -> float:
        """What a job is worth if no other is queued, nor may be preempted (SU)."""
        running = [one for one in self.held if one.job.number == job.number]
        return self.gets(job, plan_with_preemption([job], running, *situation))

    def gets(self, job: Job, found: PreemptingPlan) -> float:
        """What a job is worth in a plan (SU)."""
        guesses = self.guesses[self.jobs.index(job)]
        return mean_over(utility, job, found.start[job.number] - job.submit, guesses)

    def loses(self, job: int, k: int) -> bool:
        """Whether the job, a position in an order, is preempted or would be worth more alone."""
        own, situation = self.rest[job], self.situations[k]
        found = self.planned(self.order[k], situation)
        return own.number in found.preempted or self.gets(own, found) < self.alone(own, situation)

    def climb(self, k: int) -> None:
        """Let jobs that lose go ahead, one after the other, until that gains nothing any more."""
        turn = unchanged = 0
        while unchanged < len(self.rest):
            position = turn % len(self.rest)
            loses = self.loses(self.order[k][position], k)
            unchanged = 0 if loses and self.advance(position, k) else unchanged + 1
            turn += 1

    def nobody_loses(self) -> bool:
        """Whether each situation's best order is worth what nothing can exceed."""
        return all(map(self.reaches, self.value, self.situations))

    def reaches(self, value: float, situation: Situation) -> bool:
        """Whether a value is that of all jobs alone, with all running ones running on."""
        most = 0.0
        for job in self.jobs:
            most += self.alone(job, situation)
        for _, added in self.not_preempted:
            most += added
        return value >= most


def refine(
    orders: Sequence[list[int]],
    line: tuple[Sequence[Job], int],
    held: Sequence[Held],
    guesses: Sequence[Sequence[float]],
    situations: Sequence[Situation],
    not_preempted: Sequence[tuple[int, float]],
) -> list[list[float]]:
    """Return the planned starts (s) in each situation, beginning at each order in turn."""
    return best_of(
        orders, lambda: PreemptionRefinement(line, held, guesses, situations, not_preempted)
    )
