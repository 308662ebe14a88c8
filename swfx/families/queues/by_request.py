"""Priorities by what is requested: short queues, narrow queues, and the rest."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_int, as_seconds, as_text
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel, read_queue
from swfx.workload import Workload

SOURCE = "by-request"


class QueueLimit(NamedTuple):
    """A queue for jobs up to a requested time (s) and a number of processors."""

    queue: int
    time: float = math.inf
    processors: float = math.inf


DATASTAR: tuple[QueueLimit, ...] = (QueueLimit(1, 2 * 3600.0, 64),)


def read_limits(text: str) -> tuple[QueueLimit, ...]:
    """Read ``TIME:QUEUE`` or ``TIME/PROCESSORS:QUEUE``, several separated by commas.

    Raises
    ------
    InputError
        A piece of another form, or a queue that is not 0 to 5.

    Examples
    --------
    >>> read_limits("30min/8:1")
    (QueueLimit(queue=1, time=1800.0, processors=8),)
    """
    return tuple(_limit(piece) for piece in text.split(","))


def _limit(piece: str) -> QueueLimit:
    parts = re.fullmatch("([^:/]+)(?:/([^:/]+))?:([^:/]+)", piece)
    if not parts:
        raise InputError(
            f"{piece!r} is not TIME:QUEUE or TIME/PROCESSORS:QUEUE",
            source=SOURCE,
            field="limits",
            remedy="rewrite it",
        )
    processors = as_int(parts[2], SOURCE, "limits") if parts[2] else math.inf
    return QueueLimit(
        read_queue(parts[3], "limits"), as_seconds(parts[1], SOURCE, "limits"), processors
    )


def limits_text(limits: tuple[QueueLimit, ...]) -> str:
    """Return the text of limits, the inverse of `read_limits`."""
    return ",".join(
        "/".join(as_text(value) for value in limit[1:] if value < math.inf) + f":{limit.queue}"
        for limit in limits
    )


def first_within(
    limits: tuple[QueueLimit, ...], other: int, time: Floats, processors: Ints
) -> Ints:
    """Return the queue of the first limit that each job keeps, else `other`, shape (n,)."""
    within = [(time <= limit.time) & (processors <= limit.processors) for limit in limits]
    return np.select(within, [limit.queue for limit in limits], default=other).astype(np.int64)


@PRIORITY_MODELS.register(SOURCE)
@dataclass(frozen=True)
class ByRequest(PriorityModel):
    """The first queue whose limits on requested time and processors the job keeps.

    Attributes
    ----------
    limits : tuple of QueueLimit
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

    limits: tuple[QueueLimit, ...] = option(read_limits, DATASTAR, limits_text)
    other: int = option(lambda text: read_queue(text, "other"), 3)

    def rank(self, workload: Workload, seed: int) -> Ints:  # noqa: ARG002  nothing is drawn
        """Compare requests with the limits."""
        if len(workload) and workload.requested_time.max() <= 0:
            raise InputError(
                "no job has a requested time",
                source=SOURCE,
                remedy="give the jobs requests by `estimates=tsafrir`",
            )
        return first_within(self.limits, self.other, workload.request, workload.size)
