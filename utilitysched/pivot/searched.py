"""Plans of the genetic scheduler."""

from dataclasses import replace

import numpy as np

from utilitysched.genetic.memory import Memory
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.kernels.absence import occupied, without, worth_without
from utilitysched.kernels.fitness import Worth
from utilitysched.kernels.plan import Queue, Scratch
from utilitysched.kernels.refinement import refine
from utilitysched.pivot.plans import Plans
from utilitysched.state import Floats, Integers, QueueState


class SearchedPlans:
    """The best plans that a local search finds with and without a job, from one order.

    The order is that of the plan decided on, or of one searched for anew. Both plans are sought
    together and alike (`utilitysched.kernels.refinement`), so that what the scheduler's own search
    had overlooked is not taken for the job's doing.
    """

    searches = True

    def __init__(self, scheduler: GeneticScheduler) -> None:
        self.scheduler = scheduler

    def started(
        self, state: QueueState, job: int, duration: float | None, seed: int | None
    ) -> Plans:
        """Search for the others' plans with the job running from now on, and without it."""
        memory = self.scheduler.memory
        problem = self.scheduler.problem(state, memory)
        queue, kept = problem.queue, state.queued != job
        number = int(np.searchsorted(state.queued, job))
        rest, worth = without(queue, number), worth_without(problem.worth, number)
        request = float(queue.request[number]) if duration is None else duration
        beside = occupied(rest, int(queue.size[number]), request)
        order = memory.order if seed is None else self._another_order(state, seed)
        start = _refined(order[order != job], state.queued[kept], (beside, rest), worth)
        return Plans(np.array([memory.start[kept], start[0]]), start[1], worth)

    def holders(self, state: QueueState, starts: Integers) -> Integers:  # noqa: ARG002
        """Return the first job of the order decided on that does not start."""
        order = self.scheduler.memory.order
        return order[~np.isin(order, starts)][:1]

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Search for the plans that begin later, and now."""
        memory = self.scheduler.memory
        queue, worth, _ = self.scheduler.problem(waiting, memory)
        order = memory.order[np.isin(memory.order, waiting.queued)]
        start = _refined(order, waiting.queued, (queue._replace(now=later), queue), worth)
        return Plans(start[:1], start[1], worth)

    def _another_order(self, state: QueueState, seed: int) -> Integers:
        """Return the order of a plan searched for without knowing the one decided on."""
        ignorant = replace(self.scheduler.memory, order=Memory().order)
        return self.scheduler.plan(state, ignorant, seed)[0].order


def _refined(order: Integers, jobs: Integers, queues: tuple[Queue, Queue], worth: Worth) -> Floats:
    """Return the planned starts of the best orders found for two queues of the same jobs (s).

    Parameters
    ----------
    order : (k,) int64
        Order to begin with.
    jobs : (k,) int64
        The same jobs in the order of arrival.
    queues : tuple of Queue
        Of these jobs.
    worth : Worth
        What they are worth.
    """
    pinned = queues[0].pinned
    numbers = np.searchsorted(jobs, order[pinned:]) - pinned
    start = np.empty((len(queues), len(jobs)))
    scratch = Scratch.empty(len(jobs), len(queues[0].release_time))
    refine(numbers, queues, worth, scratch, start)
    return start
