"""More or less hurry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import UtilityFunction
from utilitysched.market.audit.misreport import ValueMisreport, register


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
