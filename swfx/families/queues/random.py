"""Priorities that follow from nothing."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.columns import Ints
from swfx.base.configured import option
from swfx.families.generators.randomness import stream
from swfx.families.queues.registry import PRIORITY_MODELS, PriorityModel
from swfx.families.queues.shares import SDSC_SP2, draw_queues, read_shares, shares_text
from swfx.workload import Workload


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
        """Draw."""
        return draw_queues(self.shares, len(workload), stream(seed, "priorities of jobs"))
