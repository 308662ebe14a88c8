"""Other deadlines."""

from __future__ import annotations

from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.options import as_text
from utilitysched.audit.lie import Lie, Report, option, register
from utilitysched.audit.reading import read_factor


@register("earlier")
@dataclass(frozen=True)
class Earlier(Lie):
    """Every time of the curve is divided by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    about_value = True

    factor: float = option(read_factor, 2.0, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        return (_stretched(job, 1 / self.factor),)


@register("later")
@dataclass(frozen=True)
class Later(Lie):
    """Every time of the curve is multiplied by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    about_value = True

    factor: float = option(read_factor, 2.0, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        return (_stretched(job, self.factor),)


@register("step")
@dataclass(frozen=True)
class Step(Lie):
    """A false step: the value that the curve begins with up to a time, and nothing after it.

    Attributes
    ----------
    at : float
        The time, as a share of that of the last point; above 0.
    """

    about_value = True

    at: float = option(read_factor, 0.5, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        value = job.curve.start_value
        curve = UtilityFunction([0.0, self.at * job.curve.deadline], [value, value])
        return (job._replace(curve=curve),)


def _stretched(job: Report, factor: float) -> Report:
    curve = UtilityFunction(job.curve.times * factor, job.curve.values)
    return job._replace(curve=curve)
