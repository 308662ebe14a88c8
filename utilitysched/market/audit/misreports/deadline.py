"""Other deadlines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import UtilityFunction
from swfx.base.configured import choice
from swfx.base.options import as_text
from utilitysched.market.audit.misreport import ValueMisreport, option, register
from utilitysched.market.audit.misreports.delay import left_of
from utilitysched.market.audit.reading import read_factor


@register("earlier")
@dataclass(frozen=True)
class Earlier(ValueMisreport):
    """Every time of the curve is divided by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = option(read_factor, 2.0, as_text)

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

    factor: float = option(read_factor, 2.0, as_text)

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

    by: float = option(read_factor, 0.5, as_text)
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

    at: float = option(read_factor, 0.5, as_text)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        value = truth.start_value
        return UtilityFunction([0.0, self.at * truth.deadline], [value, value])


def _stretched(truth: UtilityFunction, factor: float) -> UtilityFunction:
    return UtilityFunction(truth.times * factor, truth.values)
