"""The job that somebody asks about."""

from typing import NamedTuple

from swfx import UtilityFunction
from utilitysched.runs.snapshot.jobs import NORMAL, UNKNOWN, PreemptionRecord, QueuedJob

WORTHLESS = UtilityFunction([0, 1], [0, 0])
"""Of a job that nothing is said about."""


class Inquiry(NamedTuple):
    """A job that is not submitted yet.

    Attributes
    ----------
    processors : int
        That it needs.
    request : float
        Requested time (s), its limit.
    user, queue : int
        Whose it is and where it would be submitted, -1 if that does not matter.
    priority : int
        Priority class, 0 the most urgent.
    """

    processors: int
    request: float
    user: int = UNKNOWN
    queue: int = UNKNOWN
    priority: int = NORMAL

    def submitted(
        self,
        number: int,
        at: float,
        curve: UtilityFunction,
        checkpoints: PreemptionRecord | None = None,
    ) -> QueuedJob:
        """Return the job as it is once submitted at some time (s), under a number.

        `checkpoints` say what stopping it means where it may be stopped otherwise than any job.
        """
        return QueuedJob(
            number,
            at,
            self.processors,
            self.request,
            curve,
            self.user,
            self.priority,
            self.queue,
            checkpoints,
        )
