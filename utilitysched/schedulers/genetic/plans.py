"""Plans of the genetic scheduler with and without some jobs."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.fitness import Problem, Worth, lone_values, occupied, only, worth_of_only
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.kernels.refinement import Incumbent, Objective, blank_workspace, refine, value_of
from utilitysched.model.plans import Begun, Planner, Plans
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.amounts import demand_of
from utilitysched.schedulers.genetic.genome_map import GenomeMap, Memory, not_preempted_first
from utilitysched.schedulers.genetic.initial import completed
from utilitysched.schedulers.value import valued

if TYPE_CHECKING:
    from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

_SHORTEST = 1.0  # s; what a job without a requested time is taken to occupy its processors for


class Subproblem(NamedTuple):
    """Jobs of a pivot comparison beside the beginning ones, in the queues with and without these.

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
        # beginning jobs leave the problem
        numbers = np.flatnonzero(line.job == jobs[:, np.newaxis]) % len(line.job)
        size = queue.size[numbers]
        kept = _matters(queue, problem.worth)
        kept[numbers] = False
        rest, (demand, free) = only(queue, kept), demand_of(queue)
        # two queues: amounts of the beginning jobs occupied, and free
        queues: tuple[PlannedQueue, ...] = (rest,)
        if (demand[numbers].sum(axis=0) <= free).all():
            by_end = np.argsort(np.append(rest.release_time, rest.now + duration), kind="stable")
            amounts = rest.amounts.occupied(queue.amounts, numbers, by_end)
            queues = occupied(rest, size, duration)._replace(amounts=amounts), rest
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
        """Return the value of an order in one of the queues (SU) with the planned starts (s)."""
        workspace = blank_workspace(self._scratch, self.objective, len(order), len(self.job))
        value = value_of(order, self.queues[queue], self.objective, workspace)
        return float(value), workspace.start

    def order_of(self, jobs: Integers) -> Integers:
        """Return an order of the subproblem from jobs given by index in arrival order.

        Running jobs that are not among them go ahead, queued ones wait behind.
        """
        # places of the known jobs in the subproblem
        by_arrival = np.argsort(self.job)
        known = jobs[np.isin(jobs, self.job)]
        places = by_arrival[np.searchsorted(self.job, known, sorter=by_arrival)]
        movable = places[places >= self.pinned] - self.pinned
        # running jobs outside the order go ahead
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
        """Number of jobs ahead of all other queued jobs."""
        return self.queues[-1].pinned

    @property
    def running(self) -> Integers:
        """Numbers of the running jobs in an order."""
        movable = len(self.job) - self.pinned
        return np.arange(movable - len(self.objective.not_preempted), movable)

    @property
    def _scratch(self) -> Scratch:
        return Scratch.empty(len(self.job), len(self.queues[0].release_time))


def _matters(queue: PlannedQueue, worth: Worth) -> NDArray[np.bool_]:
    """Mask of the jobs with value left, of pinned jobs, and of running jobs."""
    matters: NDArray[np.bool_] = lone_values(queue, worth) > 0
    matters[: queue.pinned] = True
    matters[len(matters) - len(queue.later) :] = True
    return matters


class GeneticPlans(Planner):
    """The best plans that a local search finds with and without jobs that start.

    It begins at the order decided on, or at one searched for anew, and once more at the order by
    value per processor-second. Both plans are sought together and alike
    (`utilitysched.kernels.refinement`), so that what the scheduler's own search had overlooked is
    not taken for their doing. Jobs that are worth nothing any more, whatever is done, wait
    behind all others.

    Where running jobs may be preempted, plans with preemptions are then sought in the same way,
    beginning at what was found without. As the scheduler does, one is taken where it is worth more
    by its fitness, with what that adds for running jobs; without preemptions there may be no room
    for them.
    """

    searches = reserves = True

    def __init__(self, scheduler: "GeneticScheduler") -> None:
        self.scheduler = scheduler

    def fork(self) -> "GeneticPlans":
        """See `Planner`."""
        return GeneticPlans(self.scheduler.fork())

    def in_force(self, state: QueueState) -> Floats:
        """Return the starts in the plan found afresh, by the draws of the decision."""
        memory, _ = self.scheduler.plan(state, Memory(), self.scheduler.seed)
        return self.scheduler.whole_plan(state, memory)

    def started(self, state: QueueState, begun: Begun, seed: int | None) -> Plans:
        """Search for the others' plans with the jobs running from now on, and without them."""
        memory, state = self.scheduler.memory, begun.present(state)
        order = memory.order if seed is None else self._another_order(state, seed)
        queue, whole = self.scheduler.line(state), self.scheduler.line_with_running(state)
        problem = self.scheduler.problem_in(state, queue)
        # queued jobs alone, with and without the begun ones
        subproblem = self._subproblem(state, queue, problem, begun)
        plan, starts = subproblem.refined(
            np.array([subproblem.order_of(order), subproblem.by_density()])
        )
        # then with running jobs that may be stopped, from those plans on
        if len(whole.preemptible.job):
            without = [subproblem.jobs_of(one) for one in plan.order]
            problem = self.scheduler.problem_in(state, whole)
            subproblem = self._subproblem(state, whole, problem, begun)
            starts = self._preempting(subproblem, order, without)
        # values are those of the other jobs
        others = ~np.isin(whole.job, begun.job)
        planned = np.full((2, len(others)), np.inf)
        planned[:, subproblem.kept] = starts
        with_job, without_job = planned[:, others]
        jobs = whole.job[others]
        worth = worth_of_only(problem.worth, others)
        plans = [with_job]
        if not len(begun.left_out):
            plans.insert(0, _decided(memory, state, jobs))
        return valued(np.array(plans), without_job, worth, jobs, state.known)

    def holders(self, state: QueueState, starts: Integers) -> Integers:
        """Return the first queued job of the order decided on that does not start."""
        order = self.scheduler.memory.order
        return order[np.isin(order, state.queued) & ~np.isin(order, starts)][:1]

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Search for the plans without preemptions that begin later, and now."""
        line = self.scheduler.line(waiting)
        problem = self.scheduler.problem_in(waiting, line)
        subproblem = Subproblem.later_and_now(line, problem, later)
        orders = [subproblem.order_of(self.scheduler.memory.order), subproblem.by_density()]
        start = np.full((2, len(line.job)), np.inf)
        start[:, subproblem.kept] = subproblem.refined(np.array(orders))[1]
        return valued(start[:1], start[1], problem.worth, line.job, waiting.known)

    def _subproblem(
        self, state: QueueState, line: GenomeMap, problem: Problem, begun: Begun
    ) -> Subproblem:
        held = begun.job, begun.lasting(state.known.request)
        return Subproblem.over(line, problem, held, self.scheduler.settings.weight("utility"))

    def _preempting(
        self, subproblem: Subproblem, order: Integers, without: Sequence[Integers]
    ) -> Floats:
        """Return planned starts with and without jobs that begin, preemptions allowed.

        Parameters
        ----------
        subproblem : Subproblem
            Of queued and running jobs.
        order : (m,) int64
            The order to begin with, by index in arrival order.
        without : sequence of (k,) int64
            The best orders found without preemptions, likewise: with those that start, if there is
            room for them, and without them.
        """
        not_preempted = [subproblem.order_of(jobs) for jobs in without]
        plan, starts = subproblem.refined(
            np.array([*not_preempted, subproblem.order_of(order), subproblem.by_density()])
        )
        for room in range(-len(not_preempted), 0):
            orders = plan.order[room], not_preempted[room]
            starts[room] = _if_it_pays(subproblem, room, orders)
        return starts

    def _another_order(self, state: QueueState, seed: int) -> Integers:
        """Return the order of a plan searched for without knowing the one decided on."""
        ignorant = replace(self.scheduler.memory, order=Memory().order)
        return self.scheduler.plan(state, ignorant, seed)[0].order


def _decided(memory: Memory, state: QueueState, jobs: Integers) -> Floats:
    """Return the starts of jobs in the plan decided on (s).

    Running jobs that it does not preempt go on running, those too that it would start later but
    need not make room.
    """
    planned = memory.reserved(jobs)
    # one that was preempted before and runs again may still be in `preempted`, not in the plan
    preempted = np.isin(jobs, memory.preempted) & np.isfinite(planned)
    planned[np.isin(jobs, state.running) & ~preempted] = state.now
    return planned


def _if_it_pays(subproblem: Subproblem, queue: int, orders: tuple[Integers, Integers]) -> Floats:
    """Return the planned starts of an order (s), if worth more than those without preemption.

    Those are the second order, and the first with all running jobs moved to its front.
    """
    value, start = subproblem.plan(orders[0], queue)
    plans = [subproblem.plan(subproblem.not_preempted(order), queue) for order in orders]
    without = max(plans, key=itemgetter(0))
    return start if value > without[0] else without[1]
