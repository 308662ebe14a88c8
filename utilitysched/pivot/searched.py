"""Plans of the genetic scheduler."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from utilitysched.genetic.memory import Memory
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.kernels.absence import lone_values, occupied, only, worth_of_only
from utilitysched.kernels.fitness import Worth
from utilitysched.kernels.plan import Queue, Scratch
from utilitysched.kernels.refinement import refine
from utilitysched.pivot.plans import Plans
from utilitysched.state import Floats, Integers, QueueState

_SHORTEST = 1.0  # s; what a job without a requested time is taken to occupy its processors for


class SearchedPlans:
    """The best plans that a local search finds with and without a job.

    It begins at the order decided on, or at one searched for anew, and once more at the order by
    value per processor-second. Both plans are sought together and alike
    (`utilitysched.kernels.refinement`), so that what the scheduler's own search had overlooked is
    not taken for the job's doing. Jobs that are worth nothing any more, whatever is done, wait
    behind all others.
    """

    searches = True

    def __init__(self, scheduler: GeneticScheduler) -> None:
        self.scheduler = scheduler

    def started(
        self, state: QueueState, job: int, duration: float | None, seed: int | None
    ) -> Plans:
        """Search for the others' plans with the job running from now on, and without it."""
        memory = self.scheduler.memory
        queue, worth = self.scheduler.problem(state, memory)[:2]
        gone = state.queued == job
        number = int(gone.argmax())
        request = float(queue.request[number]) if duration is None else duration
        size = int(queue.size[number])
        kept = _matters(queue, worth) & ~gone
        rest = only(queue, kept)
        queues = (occupied(rest, size, request), rest)
        order = memory.order if seed is None else self._another_order(state, seed)
        start = np.full((2, len(gone)), np.inf)
        start[:, kept] = _refined(order, state.queued[kept], queues, worth_of_only(worth, kept))
        with_job, without_job = start[:, ~gone]
        others = worth_of_only(worth, ~gone)
        return Plans(np.array([memory.start[~gone], with_job]), without_job, others)

    def holders(self, state: QueueState, starts: Integers) -> Integers:  # noqa: ARG002
        """Return the first job of the order decided on that does not start."""
        order = self.scheduler.memory.order
        return order[~np.isin(order, starts)][:1]

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Search for the plans that begin later, and now."""
        memory = self.scheduler.memory
        queue, worth = self.scheduler.problem(waiting, memory)[:2]
        kept = _matters(queue, worth)
        rest = only(queue, kept)
        queues = (rest._replace(now=later), rest)
        start = np.full((2, len(kept)), np.inf)
        start[:, kept] = _refined(
            memory.order, waiting.queued[kept], queues, worth_of_only(worth, kept)
        )
        return Plans(start[:1], start[1], worth)

    def _another_order(self, state: QueueState, seed: int) -> Integers:
        """Return the order of a plan searched for without knowing the one decided on."""
        ignorant = replace(self.scheduler.memory, order=Memory().order)
        return self.scheduler.plan(state, ignorant, seed)[0].order


def _matters(queue: Queue, worth: Worth) -> NDArray[np.bool_]:
    """Say which jobs may still be worth something, or are ahead of all others anyway."""
    matters: NDArray[np.bool_] = lone_values(queue, worth) > 0
    matters[: queue.pinned] = True
    return matters


def _refined(order: Integers, jobs: Integers, queues: tuple[Queue, Queue], worth: Worth) -> Floats:
    """Return the planned starts of the best orders found for two queues of the same jobs (s).

    Parameters
    ----------
    order : (m,) int64
        Order to begin with, of these jobs and others.
    jobs : (k,) int64
        The jobs in the order of arrival.
    queues : tuple of Queue
        Of these jobs.
    worth : Worth
        What they are worth.
    """
    start = np.empty((len(queues), len(jobs)))
    if len(jobs):
        pinned = queues[1].pinned
        decided = np.searchsorted(jobs, order[np.isin(order, jobs)][pinned:]) - pinned
        orders = np.array([decided, _by_density(queues[1], worth)])
        scratch = Scratch.empty(len(jobs), len(queues[0].release_time))
        refine(orders, queues, worth, scratch, start)
    return start


def _by_density(queue: Queue, worth: Worth) -> Integers:
    """Return the order by value per processor-second if each job were alone, most first."""
    density = lone_values(queue, worth) / (queue.size * np.maximum(queue.request, _SHORTEST))
    return np.argsort(-density[queue.pinned :], kind="stable")
