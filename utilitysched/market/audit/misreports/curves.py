"""Misreports of the utility function alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import UtilityFunction
from swfx.base.configured import choice
from utilitysched.market.audit.misreport import (
    Misreport,
    Report,
    ValueMisreport,
    left_of,
    positive,
    register,
)


@register("scale")
@dataclass(frozen=True)
class Scale(ValueMisreport):
    """Every value of the curve is multiplied by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = positive(2.0)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return UtilityFunction(truth.times, truth.values * self.factor)


@register("steeper")
@dataclass(frozen=True)
class Steeper(ValueMisreport):
    """The curve begins as it does, and falls to nothing at its last point.

    At each point its value is multiplied by the share of the time to the last point that is left.
    """

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        times = truth.times
        return UtilityFunction(times, truth.values * (1 - times / times[-1]))


@register("flatter")
@dataclass(frozen=True)
class Flatter(ValueMisreport):
    """The curve keeps the value that it begins with up to its last point."""

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return UtilityFunction(truth.times, np.full(len(truth.values), truth.start_value))


@register("earlier")
@dataclass(frozen=True)
class Earlier(ValueMisreport):
    """Every time of the curve is divided by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = positive(2.0)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return _stretched(truth, 1 / self.factor)


@register("later")
@dataclass(frozen=True)
class Later(ValueMisreport):
    """Every time of the curve is multiplied by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = positive(2.0)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return _stretched(truth, self.factor)


@register("shift")
@dataclass(frozen=True)
class ShiftedCurve(ValueMisreport):
    """The whole curve is moved in time.

    Attributes
    ----------
    by : float
        How far, as a share of the time of the last point; above 0.
    to : {"later", "earlier"}
        Where: the value that the curve begins with is kept so much longer, or so much of its
        beginning is left out; nothing is left of a curve that is moved by all its time.
    """

    by: float = positive(0.5)
    to: str = choice(("later", "earlier"), "later")

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        by = self.by * truth.deadline
        if self.to == "earlier":
            return left_of(truth, by)
        times = np.concatenate([[0.0], truth.times + by])
        return UtilityFunction(times, np.concatenate([[truth.start_value], truth.values]))


@register("step")
@dataclass(frozen=True)
class Step(ValueMisreport):
    """A false step: the value that the curve begins with up to a time, and nothing after it.

    Attributes
    ----------
    at : float
        The time, as a share of that of the last point; above 0.
    """

    at: float = positive(0.5)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        value = truth.start_value
        return UtilityFunction([0.0, self.at * truth.deadline], [value, value])


def _stretched(truth: UtilityFunction, factor: float) -> UtilityFunction:
    return UtilityFunction(truth.times * factor, truth.values)


@register("cliff")
@dataclass(frozen=True)
class Cliff(Misreport):
    """Much value until the job could be done at the earliest, and nothing from then on.

    Who reads the curve while the job waits sees a most valuable job; who reads it at completion,
    one that is worth nothing. A job that runs for 0 s is told as it is.

    Attributes
    ----------
    factor : float
        By which the value that the curve begins with is multiplied; above 0.
    at : float
        When all of it is lost, as a share of the run time, which the user is taken to know;
        above 0.
    """

    about_value = True
    factor: float = positive(100.0)
    at: float = positive(0.99)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with a cliff for a curve."""
        if not job.run > 0:
            return (job,)
        value = job.curve.start_value * self.factor
        return (job._replace(curve=UtilityFunction([0.0, self.at * job.run], [value, value])),)
