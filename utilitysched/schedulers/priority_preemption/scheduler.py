"""Priority preemption with easy placement."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.scheduling_pass import Limits, Queue, Releases, SchedulingPass
from utilitysched.model.state import Decision, Integers, QueueState
from utilitysched.schedulers.placements import placements
from utilitysched.schedulers.priority_preemption.attempt import Attempt, released_by
from utilitysched.schedulers.priority_preemption.options import FAMILY, PriorityOptions
from utilitysched.schedulers.priority_preemption.victims import (
    candidates,
    of_lower_classes,
    victims,
)


class PriorityPreempt(Scheduler):
    """Priority-FIFO in which urgent jobs that do not fit preempt running ones of lower classes.

    At every pass the queued jobs of urgent classes are gone through in queue order. One that does
    not fit has as many jobs preempted as it needs, or none if all that may be preempted are not
    enough. The first that cannot start holds a reservation at the earliest time at which enough
    processors are free, those of jobs that may be preempted among them; behind it, urgent jobs
    start, by preemptions or not, only where it moves no later. All other jobs get the placement of
    ``priority-fifo`` around what then runs, and around that reservation. Preempted jobs are in the
    queue from the next pass on, behind all urgent ones.

    Parameters
    ----------
    options : PriorityOptions
        Who may preempt whom.
    label : str
        Text that makes this scheduler.
    """

    preempts = True

    def __init__(self, options: PriorityOptions | None = None, label: str = FAMILY) -> None:
        self.settings = options or PriorityOptions()
        self.label = label

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return asdict(self.settings)

    def fork(self, seed: int | None = None) -> "PriorityPreempt":  # noqa: ARG002  nothing is drawn
        """Return an independent scheduler in the same state."""
        return PriorityPreempt(self.settings, self.label)

    def memory_of(self, queued: Integers) -> object:  # noqa: ARG002  see below
        """Return nothing: what can be seen decides."""
        return None

    def preemptible(self, state: QueueState) -> Integers:
        """Return the running jobs of lower classes, which it may preempt once they ran for long."""
        return of_lower_classes(state, self.settings)

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to preempt and to start now."""
        urgent = state.queued[state.known.priority[state.queued] <= self.settings.urgent]
        order = _in_queue_order(state, state.queued)
        waits = state.known.size[urgent].sum() > state.free
        preemptible = candidates(state, self.settings) if waits else []
        if not preemptible:
            return Decision(_easy(state), order=order)
        attempt = self._attempt(state, _in_queue_order(state, urgent).tolist(), preemptible)
        return Decision(
            np.concatenate((np.array(attempt.started, dtype=np.int64), _easy(attempt.rest()))),
            order=order,
            preempts=np.array(attempt.preempted, dtype=np.int64),
        )

    def _attempt(
        self, state: QueueState, urgent: Sequence[int], preemptible: Sequence[int]
    ) -> Attempt:
        """Return which urgent jobs start now, and who is preempted for them.

        Whoever may be preempted does not keep the first one that cannot start waiting any longer.
        """
        size, request = state.known.size, state.known.request
        attempt, head, limit = Attempt(state), None, np.inf
        left, free = list(preemptible), state.free
        for job in urgent:
            preempted = victims(left, size, size.item(job) - free)
            if preempted is None:
                if head is None:
                    head = job
                    attempt = replace(attempt, state=released_by(state, preemptible))
                    limit = attempt.shadow_time(head)
                continue
            tried = attempt.then(job, preempted)
            late = state.now + request[job] > limit  # who has ended by then moves nothing
            if head is not None and late and tried.shadow_time(head) > limit:
                continue
            attempt, free = tried, tried.free
            left = [other for other in left if other not in preempted]
            if head is not None:
                limit = attempt.shadow_time(head)
        return attempt


def _easy(state: QueueState) -> Integers:
    """Return the jobs that easy placement starts of the queue by class."""
    known, queued = state.known, state.queued
    easy = placements()["easy"]
    score = known.priority[queued].astype(np.float64)
    started = np.zeros(len(known.submit), np.bool_)
    # not compiled: numba would look at the types of all columns at every pass, which takes longer
    easy.place(
        SchedulingPass(state.now, state.free, state.finished),
        Queue(queued, score, score),
        Releases(state.expected_end, state.running),
        known,
        Limits(1, np.inf),
        easy.blank_plan(0, known.machine_size),
        started,
    )
    return queued[started[queued]]


def _in_queue_order(state: QueueState, jobs: Integers) -> Integers:
    """Return jobs, given in arrival order, by class."""
    ordered: Integers = in_order(jobs, state.known.priority[jobs].astype(np.float64))
    return ordered
