"""Priorities drawn for each job by shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Ints
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_text
from swfx.families.generators.randomness import stream
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel, read_queue
from swfx.workload import Workload

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


def shares_text(shares: Shares) -> str:
    """Write what `read_shares` reads."""
    return ",".join(f"{queue}:{as_text(share)}" for queue, share in shares)


def draw_queues(shares: Shares, count: int, rng: np.random.Generator) -> Ints:
    """Draw `count` queues independently."""
    queues, weights = (np.array(column) for column in zip(*shares, strict=True))
    ends = np.cumsum(weights) / weights.sum()
    drawn: Ints = queues[np.searchsorted(ends[:-1], rng.random(count), side="right")]
    return drawn


@PRIORITY_MODELS.register("random")
@dataclass(frozen=True)
class Random(PriorityModel):
    """A queue drawn for each job, independently of everything else.

    Attributes
    ----------
    shares : tuple of (int, float)
        Queue, 0 to 5, and its relative share of the jobs; by default those of the SDSC-SP2 log:
        1 express 0.09, 2 high 0.16, 3 normal 0.5, 4 low 0.24.
    """

    shares: tuple[tuple[int, float], ...] = option(read_shares, SDSC_SP2, shares_text)

    def rank(self, workload: Workload, seed: int) -> Ints:
        """Draw the queues."""
        return draw_queues(self.shares, len(workload), stream(seed, "priorities of jobs"))
