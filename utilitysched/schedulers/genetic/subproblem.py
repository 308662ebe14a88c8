"""The jobs of a line but some, beside these running and without them."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.absence import lone_values, occupied, only, worth_of_only
from utilitysched.kernels.fitness import Problem, Worth
from utilitysched.kernels.plan import PlannedQueue, Scratch
from utilitysched.kernels.refinement import Incumbent, Objective, blank_workspace, refine, value_of
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.genome_map import GenomeMap, not_preempted_first
from utilitysched.schedulers.genetic.initial import completed

_SHORTEST = 1.0  # s; what a job without a requested time is taken to occupy its processors for


class Subproblem(NamedTuple):
    """Who else is in the line, and in which queues.

    Jobs that are worth nothing any more, whatever is done, are left out, but for those ahead of all
    others and running ones.

    Attributes
    ----------
    job : (k,) int64
        They by index in arrival order, as the queues number them.
    kept : (n,) bool
        Which of the line they are.
    queues : tuple of PlannedQueue
        They with the others running, if there is room for those, and they without them.
    objective : Objective
        What their plans are worth.
    """

    job: Integers
    kept: NDArray[np.bool_]
    queues: tuple[PlannedQueue, ...]
    objective: Objective

    @classmethod
    def over(
        cls, line: GenomeMap, problem: Problem, begun: tuple[Integers, Floats], utility: float
    ) -> Self:
        """Return the subproblem beside some of the jobs.

        Parameters
        ----------
        line, problem : GenomeMap, Problem
            All jobs.
        begun : ((g,) int64, (g,) float64)
            Jobs that start now, by index in arrival order, and for how long each is taken to run
            (s).
        utility : float
            Weight of utility in what the problem adds for running jobs that go on running.
        """
        queue, (jobs, duration) = problem.queue, begun
        numbers = np.flatnonzero(line.job == jobs[:, np.newaxis]) % len(line.job)
        size = queue.size[numbers]
        kept = _matters(queue, problem.worth)
        kept[numbers] = False
        rest = only(queue, kept)
        queues = (occupied(rest, size, duration), rest) if size.sum() <= queue.free else (rest,)
        objective = Objective(
            worth_of_only(problem.worth, kept), problem.not_preempted / (utility or 1.0)
        )
        return cls(line.job[kept], kept, queues, objective)

    @classmethod
    def later_and_now(cls, line: GenomeMap, problem: Problem, later: float) -> Self:
        """Return the subproblem of the same jobs that can start from some time on (s), and now."""
        kept = _matters(problem.queue, problem.worth)
        rest = only(problem.queue, kept)
        objective = Objective(worth_of_only(problem.worth, kept), problem.not_preempted)
        return cls(line.job[kept], kept, (rest._replace(now=later), rest), objective)

    def refined(self, orders: Integers) -> tuple[Incumbent, Floats]:
        """Return the best orders found, and their planned starts (Q, k) (s)."""
        start = np.empty((len(self.queues), len(self.job)))
        return refine(orders, self.queues, self.objective, self._scratch, start), start

    def plan(self, order: Integers, queue: int) -> tuple[float, Floats]:
        """Return what an order is worth in one of the queues (SU), and its planned starts (s)."""
        workspace = blank_workspace(self._scratch, self.objective, len(order), len(self.job))
        value = value_of(order, self.queues[queue], self.objective, workspace)
        return float(value), workspace.start

    def order_of(self, jobs: Integers) -> Integers:
        """Return jobs in their order, by index in arrival order, as an order of these.

        Running jobs that are not among them go ahead, queued ones wait behind.
        """
        by_arrival = np.argsort(self.job)
        known = jobs[np.isin(jobs, self.job)]
        places = by_arrival[np.searchsorted(self.job, known, sorter=by_arrival)]
        movable = places[places >= self.pinned] - self.pinned
        lacking = self.running[~np.isin(self.running, movable)]
        return completed(np.concatenate([lacking, movable]), len(self.job) - self.pinned)

    def jobs_of(self, order: Integers) -> Integers:
        """Return the movable jobs in an order, by index in arrival order."""
        return self.job[self.pinned :][order]

    def by_density(self) -> Integers:
        """Return the order by value per processor-second if each job were alone, most first."""
        queue = self.queues[-1]
        value = lone_values(queue, self.objective.worth)
        density = value / (queue.size * np.maximum(queue.request, _SHORTEST))
        return np.argsort(-density[self.pinned :], kind="stable")

    def not_preempted(self, order: Integers) -> Integers:
        """Return an order with all running jobs moved to its front: nobody is preempted."""
        waiting = len(order) - len(self.objective.not_preempted)
        first: Integers = not_preempted_first(order[np.newaxis], waiting)[0]
        return first

    @property
    def pinned(self) -> int:
        """So many of the jobs are ahead of the other queued ones."""
        return self.queues[-1].pinned

    @property
    def running(self) -> Integers:
        """The running jobs, as orders number them."""
        movable = len(self.job) - self.pinned
        return np.arange(movable - len(self.objective.not_preempted), movable)

    @property
    def _scratch(self) -> Scratch:
        return Scratch.empty(len(self.job), len(self.queues[0].release_time))


def _matters(queue: PlannedQueue, worth: Worth) -> NDArray[np.bool_]:
    """Say which jobs may still be worth something, or are ahead of all others or running anyway."""
    matters: NDArray[np.bool_] = lone_values(queue, worth) > 0
    matters[: queue.pinned] = True
    matters[len(matters) - len(queue.later) :] = True
    return matters
