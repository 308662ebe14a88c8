"""Priorities by what is requested: short queues, narrow queues, and the rest."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.columns import Ints
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.families.queues.limits import Limit, first_within, limits_text, read_limits
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel
from swfx.families.queues.shares import read_queue
from swfx.workload import Workload

DATASTAR: tuple[Limit, ...] = (Limit(1, 2 * 3600.0, 64),)


@PRIORITY_MODELS.register("by-request")
@dataclass(frozen=True)
class ByRequest(PriorityModel):
    """The first queue whose limits on requested time and processors the job keeps.

    Attributes
    ----------
    limits : tuple of Limit
        Longest request and most processors of each queue, in the order they are tried:
        ``30min:0,2h/64:1``. By default ``2h/64:1``, as the header of the SDSC-DS log states it
        for express: 2 hours and 8 nodes of 8 processors.
    other : int, default 3
        Queue of all other jobs.

    Raises
    ------
    InputError
        By `rank`, if no job has a requested time.
    """

    limits: tuple[Limit, ...] = option(
        lambda text: read_limits(text, "by-request"), DATASTAR, limits_text
    )
    other: int = option(lambda text: read_queue(text, "other"), 3)

    def rank(self, workload: Workload, seed: int) -> Ints:  # noqa: ARG002  nothing is drawn
        """Compare."""
        if len(workload) and workload.requested_time.max() <= 0:
            raise InputError(
                "no job has a requested time",
                source="by-request",
                remedy="give the jobs requests by --estimates tsafrir",
            )
        return first_within(self.limits, self.other, workload.request, workload.size)
