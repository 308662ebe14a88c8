"""Misreports: what a user tells the centre about a job, and ways to tell it otherwise.

A lie is a frozen dataclass with a method ``tell(job) -> reports``; its fields are its options, made
with `option`. Names and options are written ``NAME[:key=value,...]``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from swfx import UtilityFunction
from swfx.base.configured import Configured, option
from swfx.base.registry import Registry

__all__ = [
    "MISREPORTS",
    "OWN",
    "Misreport",
    "Report",
    "ValueMisreport",
    "option",
    "register",
]


OWN = 0
"""Account name that a user's jobs have under the truth; other names of the user are above 0."""


class Report(NamedTuple):
    """A job as the centre gets it.

    Attributes
    ----------
    submit : float
        When it is submitted (s).
    size : int
        Processors.
    run : float
        For how long it runs if it is not killed (s).
    request : float
        Requested time, at which it is killed (s).
    curve : UtilityFunction
        What it is said to be worth, by the time since `submit`.
    rerunnable : bool
        Whether it may be killed and run again.
    place : int
        Which job it is, in the order of arrival.
    account : int
        Under which of its user's names it is submitted: `OWN`, or another.
    """

    submit: float
    size: int
    run: float
    request: float
    curve: UtilityFunction
    rerunnable: bool = False
    place: int = 0
    account: int = OWN

    @property
    def completes(self) -> bool:
        """Whether it runs to its end."""
        return self.request >= self.run


class Misreport(Configured, ABC):
    """Base of lies.

    Attributes
    ----------
    about_value : bool
        Whether nothing but the utility function is told otherwise.
    """

    about_value: ClassVar[bool] = False

    @abstractmethod
    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return what is told in place of the truth: one job, or several parts of it.

        A job that the lie does not fit is told as it is.
        """


class ValueMisreport(Misreport):
    """Base of lies about nothing but the utility function."""

    about_value = True

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        return (job._replace(curve=self.curve(job.curve)),)

    @abstractmethod
    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""


MISREPORTS: Registry[Misreport] = Registry(
    "lie", "utilitysched.audit.lies", "utilitysched.market.audit.misreports"
)
"""Lies by name."""

register = MISREPORTS.register
"""Class decorator that enters a lie: a frozen dataclass, under a name."""
