"""An adversarial bandit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.configured import number
from utilitysched.market.agents.strategy import Agent, Ended, Purse, Strategy, bid, register
from utilitysched.market.audit.misreport import Misreport

FACTORS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 3.0, 10.0)
"""By which values are multiplied."""


@register("exp3")
@dataclass(frozen=True)
class Exp3(Strategy):
    """Every day values are told by a factor that is drawn; those that left more come more often.

    What a job leaves is its value less its charge, as a share of what it was worth, from -1 to 1.

    Attributes
    ----------
    explore : float
        Share of the days on which any factor is drawn.

    References
    ----------
    P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire: The nonstochastic multiarmed bandit
    problem. SIAM Journal on Computing 32(1), 2002, section 3.
    """

    explore: float = number(0.1, (0.001, 1.0))

    def agent(self, rng: np.random.Generator) -> Agent:
        """Return a user who draws."""
        return _Drawer(self.explore, rng)


class _Drawer(Agent):
    def __init__(self, explore: float, rng: np.random.Generator) -> None:
        self.explore, self.rng = explore, rng
        self._gain = np.zeros(len(FACTORS))
        self._drawn: dict[int, tuple[int, float]] = {}

    def tell(self, day: int, purse: Purse) -> Misreport:  # noqa: ARG002
        weight = np.exp(self._gain - self._gain.max())
        chance = (1 - self.explore) * weight / weight.sum() + self.explore / len(FACTORS)
        arm = int(self.rng.choice(len(FACTORS), p=chance / chance.sum()))
        self._drawn[day] = arm, float(chance[arm])
        return bid(FACTORS[arm])

    def learn(self, ended: Ended) -> None:
        left = ended.value - ended.charge
        share = np.divide(left, ended.worth, out=np.zeros(len(left)), where=ended.worth > 0)
        reward = (1 + share.clip(-1, 1)) / 2
        for day, gain in zip(ended.day.tolist(), reward.tolist(), strict=True):
            arm, chance = self._drawn[day]
            self._gain[arm] += self.explore * gain / (chance * len(FACTORS))
