"""Priorities that belong to people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Ints
from swfx.base.configured import choice, option
from swfx.base.errors import InputError
from swfx.families.generators.randomness import stream
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel
from swfx.families.queues.shares import SDSC_SP2, draw_queues, read_shares, shares_text
from swfx.workload import Workload


@PRIORITY_MODELS.register("by-user")
@dataclass(frozen=True)
class ByUser(PriorityModel):
    """A queue drawn for each user or group, who submit all their jobs there.

    Attributes
    ----------
    shares : tuple of (int, float)
        Queue, 0 to 5, and its relative share of the users, not of their jobs; the default is
        that of `random`.
    of : {"user", "group"}
        Whose priority it is. Jobs of unknown users (-1) count as those of one more user.

    Raises
    ------
    InputError
        By `rank`, if no job has a user or group.
    """

    shares: tuple[tuple[int, float], ...] = option(read_shares, SDSC_SP2, shares_text)
    of: str = choice(("user", "group"), "user")

    def rank(self, workload: Workload, seed: int) -> Ints:
        """Draw for every owner, in the order of their numbers."""
        numbers: Ints = getattr(workload, self.of)
        if len(numbers) and numbers.max() < 0:
            raise InputError(
                f"no job has a {self.of}",
                source="by-user",
                remedy="deal the jobs to users by --users zipf",
            )
        owners, which = np.unique(numbers, return_inverse=True)
        queues = draw_queues(self.shares, owners.size, stream(seed, "priorities of users"))
        return queues[which]
