"""The schedule that a log tells of, in place of one that is simulated."""

from collections.abc import Callable

import numpy as np

from swfx import InputError, Workload
from utilitysched.model.scheduler import KnownSchedule, RecordedTimes
from utilitysched.schedulers.registry import scheduler

FAMILY = "recorded"


@scheduler(
    FAMILY,
    summary="the log's own starts and ends: nothing is simulated",
    kind="record",
)
class RecordedSchedule(KnownSchedule):
    """The log's own starts and ends: what really happened.

    Jobs may have run for longer than they asked for, and on more processors together than the
    machine is said to have.
    """

    label = FAMILY
    told, instead = "the log's own schedule", "simulate a scheduler"

    @property
    def bids_matter(self) -> bool:
        """False: recorded starts do not depend on bids."""
        return False

    def recorded(
        self,
        workload: Workload,
        watch: Callable[[float], None] | None = None,  # noqa: ARG002 - it is all there
    ) -> RecordedTimes:
        """Return when each job started and ended by the log.

        Raises
        ------
        InputError
            The log does not tell of a job when it started, or for how long it ran.
        """
        for field, column in (("wait", workload.wait), ("run", workload.run)):
            unknown = np.flatnonzero(~(column >= 0))
            if len(unknown):
                raise InputError(
                    f"the log does not say when {len(unknown):,} jobs ran, the first is job"
                    f" {workload.job_name(unknown[0])}",
                    field=field,
                    remedy="simulate a scheduler, or leave these jobs out",
                )
        start = workload.submit + workload.wait
        return RecordedTimes(start, start + workload.run)
