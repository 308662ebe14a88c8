"""Strategies: how a user decides what to tell of its jobs, day by day.

A strategy is a frozen dataclass with a method ``agent(rng) -> Agent``; its fields are its options,
made with `option`. The name of a lie about values is a strategy, too: it is told of every job.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.configured import Configured, option
from swfx.base.options import nearest
from swfx.base.registry import Registry
from utilitysched.market.audit.misreport import MISREPORTS, Misreport
from utilitysched.market.audit.misreports.scale import Scale
from utilitysched.model.state import Floats, Integers

__all__ = [
    "STRATEGIES",
    "Agent",
    "Ended",
    "Purse",
    "Strategy",
    "bid",
    "make_strategy",
    "option",
    "register",
]

LEAST, MOST = 0.01, 100.0
"""By which an agent multiplies values at least, and at most."""


class Purse(NamedTuple):
    """What a user can spend.

    Attributes
    ----------
    balance : float
        What is left this month (SU); negative after more was charged than was there.
    grant : float
        What is given for a month (SU); infinite if there are no budgets.
    days : float
        How many days of the month are still to come, counting this one.
    spent : float
        What was charged for jobs that ended on the day before (SU).
    daily : float
        Grant by day (SU).
    """

    balance: float
    grant: float
    days: float
    spent: float
    daily: float


class Ended(NamedTuple):
    """A user's jobs that ended on a day.

    Attributes
    ----------
    day : (m,) int64
        On which day each was told.
    worth : (m,) float64
        What it would have been worth if it had completed at once (SU).
    value : (m,) float64
        What it turned out to be worth (SU).
    charge : (m,) float64
        What it was charged (SU).
    """

    day: Integers
    worth: Floats
    value: Floats
    charge: Floats


class Agent(ABC):
    """A user who decides."""

    @abstractmethod
    def tell(self, day: int, purse: Purse) -> Misreport:
        """Return what is told of the jobs that are submitted on a day."""

    def learn(self, ended: Ended) -> None:  # noqa: B027 - not all do
        """Take note of jobs that have ended."""


class Strategy(Configured, ABC):
    """Base of strategies.

    Attributes
    ----------
    needs_budget : bool
        Whether it decides by what is left of a budget.
    """

    needs_budget: ClassVar[bool] = False

    @abstractmethod
    def agent(self, rng: np.random.Generator) -> Agent:
        """Return a user who follows the strategy, with draws of its own."""


STRATEGIES: Registry[Strategy] = Registry(
    "strategy", "utilitysched.market.strategies", "utilitysched.market.agents.strategies"
)
"""Strategies by name."""

register = STRATEGIES.register
"""Class decorator that enters a strategy: a frozen dataclass, under a name."""


@dataclass(frozen=True)
class AlwaysTold(Strategy, Agent):
    """The same lie about every job.

    Attributes
    ----------
    lie : Misreport
        What is told.
    """

    lie: Misreport

    @property
    def label(self) -> str:
        """Text of the lie."""
        return self.lie.label

    def agent(self, rng: np.random.Generator) -> Agent:  # noqa: ARG002
        """Return a user who tells it."""
        return self

    def tell(self, day: int, purse: Purse) -> Misreport:  # noqa: ARG002
        """Return the lie."""
        return self.lie


def make_strategy(text: str) -> Strategy:
    """Return a strategy by its name, or by that of a lie about values, and options.

    Raises
    ------
    InputError
        It is not known, or the lie is about more than values.
    """
    name = text.partition(":")[0]
    if name in STRATEGIES.names():
        return STRATEGIES.make(text)
    if name not in MISREPORTS.names():
        known = (*STRATEGIES.names(), *MISREPORTS.names())
        raise InputError(f"unknown strategy {name!r}", remedy=nearest(name, known))
    lie = MISREPORTS.make(text)
    if not lie.about_value:
        raise InputError(
            f"{name} is about more than values",
            field="strategy",
            remedy="audit it with `utilitysched audit --lie`",
        )
    return AlwaysTold(lie)


def bid(factor: float) -> Misreport:
    """Return that all values are told so many times as high."""
    return Scale(factor)
