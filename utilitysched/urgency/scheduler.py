"""Priority preemption with easy placement."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from utilitysched.kernels.selection import in_order
from utilitysched.list_options import list_scheduler
from utilitysched.scheduler import Setting
from utilitysched.state import Decision, Integers, QueueState
from utilitysched.urgency.attempt import Attempt, released_by
from utilitysched.urgency.options import FAMILY, UrgencyOptions
from utilitysched.urgency.victims import candidates, victims


class PriorityPreempt:
    """Priority-FIFO in which urgent jobs that do not fit bump running ones of lower classes.

    At every pass the queued jobs of urgent classes are gone through in queue order. One that does
    not fit has as many jobs bumped as it needs, or none if all that may be bumped are not enough.
    The first that cannot start holds a reservation at the earliest time at which enough processors
    are free, those of jobs that may be bumped among them; behind it, urgent jobs start, by bumps or
    not, only where it moves no later. All other jobs get the placement of ``priority-fifo`` around
    what then runs, and around that reservation. Bumped jobs are in the queue from the next pass
    on, behind all urgent ones.

    Parameters
    ----------
    options : UrgencyOptions
        Who may bump whom.
    label : str
        Text that makes this scheduler.
    """

    preempts = True
    stochastic = False

    def __init__(self, options: UrgencyOptions | None = None, label: str = FAMILY) -> None:
        self.settings = options or UrgencyOptions()
        self.label = label
        self._easy = list_scheduler("priority-fifo", "priority-fifo", {})

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return asdict(self.settings)

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self._setting = setting
        self._easy.prepare(setting)

    def fork(self, seed: int | None = None) -> "PriorityPreempt":  # noqa: ARG002  nothing is drawn
        """Return a scheduler that goes on like this one."""
        other = PriorityPreempt(self.settings, self.label)
        other.prepare(self._setting)
        return other

    def memory_of(self, queued: Integers) -> object:  # noqa: ARG002  see below
        """Return nothing: what can be seen decides."""
        return None

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to bump and to start now."""
        urgent = state.queued[state.known.priority[state.queued] <= self.settings.urgent]
        if state.known.size[urgent].sum() <= state.free:
            return self._easy.decide(state)
        bumpable = candidates(state, self.settings)
        if not bumpable:
            return self._easy.decide(state)
        attempt = self._attempt(state, _in_queue_order(state, urgent).tolist(), bumpable)
        rest = attempt.rest()
        others = self._easy.decide(rest).starts if len(rest.queued) else np.empty(0, np.int64)
        return Decision(
            np.concatenate((np.array(attempt.started, dtype=np.int64), others)),
            order=_in_queue_order(state, state.queued),
            preempts=np.array(attempt.bumped, dtype=np.int64),
        )

    def _attempt(
        self, state: QueueState, urgent: Sequence[int], bumpable: Sequence[int]
    ) -> Attempt:
        """Return which urgent jobs start now, and who is bumped for them.

        Whoever may be bumped does not keep the first one that cannot start waiting any longer.
        """
        size = state.known.size
        attempt, head = Attempt(state), None
        for job in urgent:
            left = [other for other in bumpable if other not in attempt.bumped]
            bumped = victims(left, size, size.item(job) - attempt.free)
            if bumped is None:
                if head is None:
                    head = job
                    attempt = replace(attempt, state=released_by(state, bumpable))
                continue
            tried = attempt.then(job, bumped)
            if head is None or tried.shadow_time(head) <= attempt.shadow_time(head):
                attempt = tried
        return attempt


def _in_queue_order(state: QueueState, jobs: Integers) -> Integers:
    """Return jobs, given in arrival order, by class."""
    ordered: Integers = in_order(jobs, state.known.priority[jobs].astype(np.float64))
    return ordered
