"""Another requested time."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.options import as_text
from utilitysched.market.audit.misreport import Misreport, Report, option, register
from utilitysched.market.audit.reading import read_factor


@register("request")
@dataclass(frozen=True)
class Request(Misreport):
    """The requested time is multiplied by a factor; a job that runs longer is killed.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = option(read_factor, 2.0, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another requested time."""
        return (job._replace(request=job.request * self.factor),)
