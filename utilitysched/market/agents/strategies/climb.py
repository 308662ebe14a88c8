"""Hill climbing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from swfx.base.configured import number, whole
from utilitysched.market.agents.strategy import (
    LEAST,
    MOST,
    Agent,
    Ended,
    Purse,
    Strategy,
    bid,
    register,
)
from utilitysched.market.audit.misreport import Misreport


@register("climb")
@dataclass(frozen=True)
class Climb(Strategy):
    """Values are told a step higher or lower, in the direction that left more last time.

    What is left is value less charges, as a share of what the jobs were worth. A user begins with
    the truth, and tries less first.

    Attributes
    ----------
    step : float
        By which share of it the factor changes.
    jobs : int
        So many jobs have to end under a factor before it is judged.
    """

    step: float = number(0.25, (0.01, 10.0))
    jobs: int = whole(5, (1, math.inf))

    def agent(self, rng: np.random.Generator) -> Agent:  # noqa: ARG002
        """Return a user who climbs."""
        return _Climber(self)


class _Climber(Agent):
    def __init__(self, strategy: Climb) -> None:
        self.strategy = strategy
        self.factor, self.higher = 1.0, False
        self._since, self._today = 0, 0
        self._before = -math.inf
        self._left: list[float] = []
        self._worth: list[float] = []

    def tell(self, day: int, purse: Purse) -> Misreport:  # noqa: ARG002
        self._today = day
        return bid(self.factor)

    def learn(self, ended: Ended) -> None:
        judged = ended.day >= self._since
        self._left += (ended.value - ended.charge)[judged].tolist()
        self._worth += ended.worth[judged].tolist()
        worth = math.fsum(self._worth)
        if len(self._left) < self.strategy.jobs or worth <= 0:
            return
        found = math.fsum(self._left) / worth
        if found < self._before:
            self.higher = not self.higher
        ratio = 1 + self.strategy.step
        self.factor *= ratio if self.higher else 1 / ratio
        self.factor = min(max(self.factor, LEAST), MOST)
        self._before, self._since = found, self._today + 1
        self._left.clear()
        self._worth.clear()
