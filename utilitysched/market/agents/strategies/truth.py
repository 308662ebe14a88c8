"""The truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from utilitysched.market.agents.strategy import Agent, AlwaysTold, Strategy, bid, register


@register("truth")
@dataclass(frozen=True)
class Truth(Strategy):
    """Every job is told as it is."""

    def agent(self, rng: np.random.Generator) -> Agent:  # noqa: ARG002
        """Return a user who tells the truth."""
        return AlwaysTold(bid(1.0))
