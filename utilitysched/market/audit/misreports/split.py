"""Several jobs in place of one."""

from __future__ import annotations

from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.base.configured import choice
from swfx.base.options import as_int
from utilitysched.market.audit.misreport import Misreport, Report, option, register
from utilitysched.market.audit.reading import at_least


def _parts(text: str) -> int:
    return at_least(as_int(text, "split", "parts"), 2, "split", "parts")


@register("split")
@dataclass(frozen=True)
class Split(Misreport):
    """The job is submitted as equal parts at once, each with its share of the value.

    Attributes
    ----------
    by : {"processors", "time"}
        Each part has its share of the processors (those left over go to the first parts) for the
        whole time, or all processors for its share of the time. Parts may run in any order, and at
        once: by time, that is done sooner than the job ever could be.
    parts : int
        At least 2. A job with fewer processors is not split by processors.
    """

    by: str = choice(("processors", "time"), "processors")
    parts: int = option(_parts, 2)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the parts."""
        curve = UtilityFunction(job.curve.times, job.curve.values / self.parts)
        part = job._replace(curve=curve)
        if self.by == "time":
            shorter = part._replace(run=job.run / self.parts, request=job.request / self.parts)
            return (shorter,) * self.parts
        each, left = divmod(job.size, self.parts)
        if not each:
            return (job,)
        return tuple(part._replace(size=each + (number < left)) for number in range(self.parts))
