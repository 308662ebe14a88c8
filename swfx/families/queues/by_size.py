"""Priorities by the number of processors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from swfx.base.columns import Ints
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.families.queues.limits import Limit, first_within, limits_text, read_limits
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel
from swfx.families.queues.shares import read_queue
from swfx.workload import Workload


@PRIORITY_MODELS.register("by-size")
@dataclass(frozen=True)
class BySize(PriorityModel):
    """The first queue whose limit on processors the job keeps.

    Attributes
    ----------
    limits : tuple of Limit
        Most processors of each queue, in the order they are tried: ``8:1,64:2`` favours small
        jobs, ``8:4,64:3`` with ``other=1`` wide ones.
    other : int, default 3
        Queue of jobs that are wider than all limits.
    """

    limits: tuple[Limit, ...] = option(lambda text: read_limits(text, "by-size"), text=limits_text)
    other: int = option(lambda text: read_queue(text, "other"), 3)

    def __post_init__(self) -> None:
        for narrower, wider in pairwise(self.limits):
            if wider.processors <= narrower.processors:
                raise InputError(
                    f"no job reaches queue {wider.queue}: all up to {wider.processors:g} "
                    f"processors are in queue {narrower.queue}",
                    source="by-size",
                    field="limits",
                    remedy="give limits in ascending order",
                )

    def rank(self, workload: Workload, seed: int) -> Ints:  # noqa: ARG002  nothing is drawn
        """Compare."""
        anytime = np.zeros(len(workload))
        return first_within(self.limits, self.other, anytime, workload.size)
