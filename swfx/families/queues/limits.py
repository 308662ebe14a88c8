"""Queues with limits, as centres have them."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError
from swfx.base.options import as_int, as_seconds, as_text
from swfx.families.queues.shares import read_queue

__all__ = ["Limit", "Limits", "first_within", "limits_text", "read_limits"]

FORMS = {"by-size": "PROCESSORS:QUEUE", "by-request": "TIME:QUEUE or TIME/PROCESSORS:QUEUE"}
"""How a limit of each model is written."""


class Limit(NamedTuple):
    """A queue for jobs up to a requested time (s) and a number of processors."""

    queue: int
    time: float = math.inf
    processors: float = math.inf


Limits = tuple[Limit, ...]


def read_limits(text: str, source: str) -> Limits:
    """Read ``LIMIT:QUEUE,LIMIT:QUEUE,...``, a limit as in `FORMS`.

    Raises
    ------
    InputError
        A piece of another form, or a queue that is not 0 to 5.

    Examples
    --------
    >>> read_limits("30min/8:1", "by-request"), read_limits("8:1", "by-size")
    ((Limit(queue=1, time=1800.0, processors=8),), (Limit(queue=1, time=inf, processors=8),))
    """
    return tuple(_limit(piece, source) for piece in text.split(","))


def _limit(piece: str, source: str) -> Limit:
    parts = re.fullmatch("([^:/]+)(?:/([^:/]+))?:([^:/]+)", piece)
    if not parts or (parts[2] and source == "by-size"):
        raise InputError(
            f"{piece!r} is not {FORMS[source]}", source=source, field="limits", remedy="rewrite it"
        )
    queue = read_queue(parts[3], "limits")
    if source == "by-size":
        return Limit(queue, processors=as_int(parts[1], source, "limits"))
    processors = as_int(parts[2], source, "limits") if parts[2] else math.inf
    return Limit(queue, as_seconds(parts[1], source, "limits"), processors)


def limits_text(limits: Limits) -> str:
    """Write what `read_limits` reads."""
    return ",".join(
        "/".join(as_text(value) for value in limit[1:] if value < math.inf) + f":{limit.queue}"
        for limit in limits
    )


def first_within(limits: Limits, other: int, time: Floats, processors: Ints) -> Ints:
    """Queue of the first limits that a job keeps, `other` if it keeps none, shape (n,)."""
    within = [(time <= limit.time) & (processors <= limit.processors) for limit in limits]
    return np.select(within, [limit.queue for limit in limits], default=other).astype(np.int64)
