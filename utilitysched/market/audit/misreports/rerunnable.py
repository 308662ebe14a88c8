"""Another word on whether the job may be killed and run again."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.configured import choice
from utilitysched.market.audit.misreport import Misreport, Report, register


@register("rerunnable")
@dataclass(frozen=True)
class RerunnableMark(Misreport):
    """The job is said to be re-runnable, or not to be.

    Attributes
    ----------
    says : {"no", "yes"}
        What is said. A job that cannot be run again, and says so all the same, is worth nothing
        once it was killed for another.
    """

    says: str = choice(("no", "yes"), "no")

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with or without the mark."""
        return (job._replace(rerunnable=self.says == "yes"),)
