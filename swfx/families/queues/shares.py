"""Queues drawn by shares."""

from __future__ import annotations

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_int, as_text
from swfx.families.queues.registry import QUEUES

__all__ = ["SDSC_SP2", "Shares", "draw_queues", "read_queue", "read_shares", "shares_text"]

Shares = tuple[tuple[int, float], ...]

SDSC_SP2: Shares = ((1, 0.09), (2, 0.16), (3, 0.5), (4, 0.24))
"""Shares of the jobs of the SDSC-SP2 log: express, high, normal, low."""


def read_shares(text: str) -> Shares:
    """Read ``QUEUE:SHARE,QUEUE:SHARE,...``; shares need not add up to 1.

    Raises
    ------
    InputError
        A piece of another form, a queue that is not 0 to 5 or given twice, a share below 0, or
        none above 0.

    Examples
    --------
    >>> read_shares("1:1,3:4")
    ((1, 1.0), (3, 4.0))
    """
    shares: dict[int, float] = {}
    for piece in text.split(","):
        queue_text, _, share_text = piece.partition(":")
        queue, share = read_queue(queue_text, "shares"), as_float(share_text, "queues", "shares")
        require_between("queues", f"share of queue {queue}", share, 0, 1e12)
        if queue in shares:
            raise InputError(
                f"queue {queue} is given twice",
                source="queues",
                field="shares",
                remedy="keep one",
            )
        shares[queue] = share
    if not any(shares.values()):
        raise InputError(
            "all are 0", source="queues", field="shares", remedy="give at least one above 0"
        )
    return tuple(sorted(shares.items()))


def read_queue(text: str, field: str) -> int:
    """Read the number of a queue, 0 to 5.

    Raises
    ------
    InputError
        Anything else.
    """
    queue = as_int(text, "queues", field)
    require_between("queues", field, queue, 0, len(QUEUES) - 1)
    return queue


def shares_text(shares: Shares) -> str:
    """Write what `read_shares` reads."""
    return ",".join(f"{queue}:{as_text(share)}" for queue, share in shares)


def draw_queues(shares: Shares, count: int, rng: np.random.Generator) -> Ints:
    """Draw `count` queues independently."""
    queues, weights = (np.array(column) for column in zip(*shares, strict=True))
    ends = np.cumsum(weights) / weights.sum()
    drawn: Ints = queues[np.searchsorted(ends[:-1], rng.random(count), side="right")]
    return drawn
