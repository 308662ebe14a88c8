"""More or less value."""

from __future__ import annotations

from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.options import as_text
from utilitysched.audit.lie import Lie, Report, option, register
from utilitysched.audit.reading import read_factor


@register("scale")
@dataclass(frozen=True)
class Scale(Lie):
    """Every value of the curve is multiplied by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    about_value = True

    factor: float = option(read_factor, 2.0, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another curve."""
        curve = UtilityFunction(job.curve.times, job.curve.values * self.factor)
        return (job._replace(curve=curve),)
