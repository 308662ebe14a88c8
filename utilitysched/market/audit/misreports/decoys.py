"""Jobs beside the sampled one that do nothing for their user but change what is paid."""

from __future__ import annotations

import math
from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.base.configured import named, whole, within
from swfx.base.options import as_text, as_whole_seconds
from utilitysched.market.audit.misreport import Misreport, Report, positive, register

MONTH = 30 * 86_400.0
"""For how long a job that earns by being killed keeps its told value (s)."""


@register("worthless-rerunnable")
@dataclass(frozen=True)
class WorthlessRerunnable(Misreport):
    """Worthless re-runnable jobs beside the job, submitted to be paid for being displaced.

    They have the processors of the job.

    Attributes
    ----------
    jobs : int
        How many, at least 1.
    says : float
        What each is said to be worth (SU), above 0; it is worth nothing.
    lasts : int
        For how long each runs, and is requested: whole seconds, at least 1.
    """

    adds_jobs = True
    jobs: int = whole(10, (1, math.inf))
    says: float = positive(0.01)
    lasts: int = named(as_whole_seconds, 12 * 3600, as_text, within((1, math.inf)))

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job and the worthless ones."""
        decoy = job._replace(
            run=float(self.lasts),
            request=float(self.lasts),
            curve=UtilityFunction([0.0, MONTH], [self.says, self.says]),
            rerunnable=True,
            decoy=True,
        )
        return (job, *(decoy,) * self.jobs)


@register("shill")
@dataclass(frozen=True)
class Shill(Misreport):
    """Machine-wide jobs of a second with long requests, submitted to raise the bills of others.

    Whoever starts before such a job delays it by plans, and is charged for a value that nobody has.

    Attributes
    ----------
    jobs : int
        How many, at least 1.
    factor : float
        Their told value per processor-hour requested, as a multiple of that of the job; above 0.
        It falls to nothing within twice the requested time.
    request : int
        Requested time, whole seconds, at least 1.
    """

    adds_jobs = True
    jobs: int = whole(3, (1, math.inf))
    factor: float = positive(10.0)
    request: int = named(as_whole_seconds, 18 * 3600, as_text, within((1, math.inf)))

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job and the shills; a job that requests no time is told as it is."""
        if not job.request > 0:
            return (job,)
        area = job.machine * self.request / (job.size * job.request)
        value = self.factor * job.curve.start_value * area
        shill = job._replace(
            size=job.machine,
            run=1.0,
            request=float(self.request),
            curve=UtilityFunction([0.0, 2.0 * self.request], [value, 0.0]),
            decoy=True,
        )
        return (job, *(shill,) * self.jobs)
