"""Plans of the genetic scheduler."""

from dataclasses import replace

import numpy as np

from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.kernels.fitness import Worth
from utilitysched.kernels.plan import Scratch, place
from utilitysched.state import Floats, QueueState


class SearchedPlans:
    """What the genetic scheduler planned, and what it would plan without a job.

    The search without the job begins, among others, at the order decided on.
    """

    searches = True

    def __init__(self, scheduler: GeneticScheduler) -> None:
        self.scheduler = scheduler

    def in_force(self, state: QueueState) -> Floats:  # noqa: ARG002 - it is remembered
        """Return the plan decided on."""
        return self.scheduler.memory.start

    def with_duration(self, state: QueueState, job: int, duration: float) -> Floats:
        """Place the order decided on with another duration of one job."""
        memory = self.scheduler.memory
        queue = self.scheduler.problem(state, memory).queue
        request = queue.request.copy()
        request[np.searchsorted(state.queued, job)] = duration
        order = np.searchsorted(state.queued, memory.order[queue.pinned :]) - queue.pinned
        start = np.empty(len(request))
        scratch = Scratch.empty(len(request), len(queue.release_time))
        place(order, queue._replace(request=request), scratch, start)
        return start

    def without(self, state: QueueState, job: int, seed: int) -> Floats:
        """Search the queue without the job."""
        rest = replace(state, queued=state.queued[state.queued != job])
        memory, _ = self.scheduler.plan(rest, self.scheduler.memory, seed)
        return memory.start

    def worth(self, state: QueueState) -> Worth:
        """Return what the search maximises."""
        return self.scheduler.problem(state, self.scheduler.memory).worth
