"""Misreports: what a user tells the centre about a job, and ways to tell it otherwise.

A lie is a frozen dataclass with a method ``tell(job) -> reports``; its fields are its options, made
with `option`. Names and options are written ``NAME[:key=value,...]``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np

from swfx import InputError, UtilityFunction
from swfx.base.configured import Configured, named, option
from swfx.base.options import as_float, as_text
from swfx.base.registry import Registry

__all__ = [
    "MISREPORTS",
    "OWN",
    "Misreport",
    "Report",
    "ValueMisreport",
    "left_of",
    "option",
    "positive",
    "register",
]


OWN = 0
"""Account name that a user's jobs have under the truth; other names of the user are above 0."""


class Report(NamedTuple):
    """Job as reported to the centre.

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
    machine : int
        Processors of the machine.
    decoy : bool
        Whether it does none of the job's work: a job beside it, worth nothing to its user.
    """

    submit: float
    size: int
    run: float
    request: float
    curve: UtilityFunction
    rerunnable: bool = False
    place: int = 0
    account: int = OWN
    machine: int = 0
    decoy: bool = False

    @property
    def completes(self) -> bool:
        """Whether the requested time is enough for the run time."""
        return self.request >= self.run


class Misreport(Configured, ABC):
    """Base of lies.

    Attributes
    ----------
    about_value : bool
        Whether nothing but the utility function is told otherwise.
    adds_jobs : bool
        Whether jobs are submitted that are not in the workload. What happens to other users is then
        measured, too.
    """

    about_value: ClassVar[bool] = False
    adds_jobs: ClassVar[bool] = False

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
    "misreport", "utilitysched.audit.lies", "utilitysched.market.audit.misreports"
)
"""Lies by name."""

register = MISREPORTS.register
"""Class decorator that enters a lie: a frozen dataclass, under a name."""


def positive(default: float) -> Any:
    """Return the option field of a misreport for a finite number above 0."""
    return named(as_float, default, as_text, _require_above_zero)


def _require_above_zero(value: float, source: str, field: str) -> None:
    if not value > 0:
        message = f"{value:g} is not above 0"
        raise InputError(message, source=source, field=field, remedy="give more")


def left_of(curve: UtilityFunction, since: float) -> UtilityFunction:
    """Return what is left of a curve when some time has passed (s)."""
    later = curve.times > since
    if not later.any():
        return UtilityFunction([0.0, 1.0], [0.0, 0.0])
    times = np.concatenate([[0.0], curve.times[later] - since])
    return UtilityFunction(times, np.concatenate([[curve(since)], curve.values[later]]))
