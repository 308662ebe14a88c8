"""More or less hurry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import UtilityFunction
from utilitysched.audit.lie import Lie, Report, register


@register("steeper")
@dataclass(frozen=True)
class Steeper(Lie):
    """The curve begins as it does, and falls to nothing at its last point.

    At each point its value is multiplied by the share of the time to the last point that is left.
    """

    about_value = True

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        times, values = job.curve.times, job.curve.values
        return (job._replace(curve=UtilityFunction(times, values * (1 - times / times[-1]))),)


@register("flatter")
@dataclass(frozen=True)
class Flatter(Lie):
    """The curve keeps the value that it begins with up to its last point."""

    about_value = True

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        values = np.full(len(job.curve.values), job.curve.start_value)
        return (job._replace(curve=UtilityFunction(job.curve.times, values)),)
