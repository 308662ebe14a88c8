"""A later submission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx import UtilityFunction
from swfx.base.options import as_text, as_whole_seconds
from utilitysched.market.audit.misreport import Misreport, Report, option, register
from utilitysched.market.audit.reading import at_least


def _by(text: str) -> int:
    return at_least(as_whole_seconds(text, "delay", "by"), 1, "delay", "by")


@register("delay")
@dataclass(frozen=True)
class Delay(Misreport):
    """The job is submitted later, with what is left of its curve by then.

    Attributes
    ----------
    by : int
        Whole seconds, at least 1; ``1h`` and the like are understood.
    """

    by: int = option(_by, 3600, as_text)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job later."""
        return (job._replace(submit=job.submit + self.by, curve=left_of(job.curve, self.by)),)


def left_of(curve: UtilityFunction, since: float) -> UtilityFunction:
    """Return what is left of a curve when some time has passed (s)."""
    later = curve.times > since
    if not later.any():
        return UtilityFunction([0.0, 1.0], [0.0, 0.0])
    times = np.concatenate([[0.0], curve.times[later] - since])
    return UtilityFunction(times, np.concatenate([[curve(since)], curve.values[later]]))
