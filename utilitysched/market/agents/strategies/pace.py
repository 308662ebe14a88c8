"""Budgets that are to last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from swfx.base.configured import number
from utilitysched.market.agents.strategy import LEAST, MOST, Agent, Purse, Strategy, bid, register
from utilitysched.market.audit.misreport import Misreport


@register("pace")
@dataclass(frozen=True)
class Pace(Strategy):
    """Values are told lower the faster the budget is spent, and never higher than they are.

    A value is divided by 1 + mu; each day mu grows by the step times the share by which more was
    spent than the grant has for a day, and shrinks where it was less.

    Attributes
    ----------
    step : float
        Of mu.

    References
    ----------
    S. R. Balseiro, Y. Gur: Learning in repeated auctions with budgets: Regret minimization and
    equilibrium. Management Science 65(9), 2019, section 3: adaptive pacing.
    """

    needs_budget: ClassVar[bool] = True

    step: float = number(0.1, (0.001, 10.0))

    def agent(self, rng: np.random.Generator) -> Agent:  # noqa: ARG002
        """Return a user who paces."""
        return _Pacer(self.step)


class _Pacer(Agent):
    def __init__(self, step: float) -> None:
        self.step, self.mu = step, 0.0

    def tell(self, day: int, purse: Purse) -> Misreport:
        if day and purse.daily > 0:
            self.mu += self.step * (purse.spent / purse.daily - 1)
            self.mu = min(max(self.mu, 0.0), 1 / LEAST - 1)
        return bid(1 / (1 + self.mu))


@register("spend")
@dataclass(frozen=True)
class Spend(Strategy):
    """Values are told so that the budget is spent by the end of the month, whatever they are.

    Money that is left then is lost. Each day the factor is multiplied by a power of what is left
    for a day over what was spent on the one before; it doubles at most, and is halved at least.

    Attributes
    ----------
    step : float
        The exponent.
    """

    needs_budget: ClassVar[bool] = True

    step: float = number(0.5, (0.001, 10.0))

    def agent(self, rng: np.random.Generator) -> Agent:  # noqa: ARG002
        """Return a user who spends."""
        return _Spender(self.step)


class _Spender(Agent):
    def __init__(self, step: float) -> None:
        self.step, self.factor = step, 1.0

    def tell(self, day: int, purse: Purse) -> Misreport:
        if day and purse.balance > 0:
            wanted = purse.balance / purse.days
            ratio = 2.0 if purse.spent <= 0 else (wanted / purse.spent) ** self.step
            self.factor = min(max(self.factor * min(max(ratio, 0.5), 2.0), LEAST), MOST)
        return bid(self.factor)
