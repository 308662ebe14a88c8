"""Misreports of a job beyond its utility function: time, processors, names, restarts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.base.configured import choice, named, whole, within
from swfx.base.options import as_text, as_whole_seconds
from utilitysched.market.audit.misreport import Misreport, Report, left_of, positive, register


@register("request")
@dataclass(frozen=True)
class Request(Misreport):
    """The requested time is multiplied by a factor; a job that runs longer is killed.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = positive(2.0)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job with another requested time."""
        return (job._replace(request=job.request * self.factor),)


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
    gap : int
        Whole seconds between the submissions of the parts, of which each has what is left of the
        curve; by default all are submitted at once.
    """

    by: str = choice(("processors", "time"), "processors")
    parts: int = whole(2, (2, math.inf))
    gap: int = named(as_whole_seconds, 0, as_text, within((0, math.inf)))

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the parts."""
        curve = UtilityFunction(job.curve.times, job.curve.values / self.parts)
        part, numbers = job._replace(curve=curve), range(self.parts)
        if self.by == "time":
            shorter = part._replace(run=job.run / self.parts, request=job.request / self.parts)
            return tuple(_later(shorter, number * self.gap) for number in numbers)
        each, left = divmod(job.size, self.parts)
        if not each:
            return (job,)
        sizes = [each + (number < left) for number in numbers]
        return tuple(_later(part._replace(size=sizes[i]), i * self.gap) for i in numbers)


@register("delay")
@dataclass(frozen=True)
class Delay(Misreport):
    """The job is submitted later, with what is left of its curve by then.

    Attributes
    ----------
    by : int
        Whole seconds, at least 1; ``1h`` and the like are understood.
    """

    by: int = named(as_whole_seconds, 3600, as_text, within((1, math.inf)))

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job later."""
        return (_later(job, self.by),)


def _later(job: Report, by: int) -> Report:
    """Return the job submitted later, with what is then left of its curve."""
    if not by:
        return job
    return job._replace(submit=job.submit + by, curve=left_of(job.curve, by))


@register("accounts")
@dataclass(frozen=True)
class Accounts(Misreport):
    """Jobs are submitted under several names of their user, in turn.

    Attributes
    ----------
    names : int
        At least 2. Jobs that arrive in a row have different ones.
    """

    names: int = whole(2, (2, math.inf))

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job under another name."""
        return (job._replace(account=1 + job.place % self.names),)


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
