"""A value that is gone when the job is done."""

from __future__ import annotations

from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.base.options import as_text
from utilitysched.market.audit.misreport import Misreport, Report, option, register
from utilitysched.market.audit.reading import read_factor


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
    factor: float = option(read_factor, 100.0, as_text)
    at: float = option(read_factor, 0.99, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with a cliff for a curve."""
        if not job.run > 0:
            return (job,)
        value = job.curve.start_value * self.factor
        return (job._replace(curve=UtilityFunction([0.0, self.at * job.run], [value, value])),)
