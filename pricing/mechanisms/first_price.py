"""First price: a job pays what its own utility function says it is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.outcome import Outcome
from pricing.readings import (
    END,
    REQUESTED,
    SCHEDULER,
    ReadingMechanism,
    highest_reading,
    readings_of,
)
from pricing.reasons import CUT_SHORT, first_that_holds
from pricing.registry import ConfiguredMechanism, Prices, register
from swfx import Workload
from swfx.base.columns import Floats

_REASONS = {
    REQUESTED: ("what it was worth at its requested end", "worth nothing at its requested end"),
    SCHEDULER: ("what it was ranked by", "it was ranked as worth nothing"),
    END: ("what it was worth", "it was worth nothing"),
}
"""Why a job is charged, and why not, by reading."""


@register("first-price")
@dataclass(frozen=True)
class FirstPrice(ReadingMechanism, ConfiguredMechanism):
    """What a job is worth by its own utility function at its requested end.

    Attributes
    ----------
    reading : {"requested", "scheduler", "end"}
        ``requested``: as if the job ran from its first start for as long as requested; at its
        realised end, where that is later. So no job pays more than it turns out to be worth.
        ``scheduler``: what the scheduler took the job to be worth when it started it. Of a job that
        was stopped and started again, the most at any of its starts. ``end``: the utility at the
        turnaround time, so that the charges add up to the aggregate utility of the schedule.

    By any of them a job that was killed before its work was done pays nothing: it is worth nothing.

    A curve that ends between the time by which the scheduler ranks a job and the time by which the
    job is charged ranks it first, for nothing. `utilitysched.as_billed_by` returns a scheduler that
    ranks by the requested end.

    Raises
    ------
    InputError
        By `price`, if no job has a utility function, or the scheduler's reading is charged and it
        reads none or is not known.

    References
    ----------
    LEE, section 3.4.3: first price at the end.
    """

    scope = "job"

    def price(self, outcome: Outcome) -> Prices:
        """Return what every job was read to be worth."""
        outcome.require_utilities(self.name)
        read = None
        if self.ranks:
            read = readings_of(outcome, self.reader(outcome))
            worth = highest_reading(read, outcome.places(read.starts.job), len(outcome))
        elif self.reading == END:
            worth = outcome.utility
        else:
            worth = self._at_requested_end(outcome)
        worth = np.where(outcome.cut_short, 0.0, worth)
        pays, nothing = _REASONS[self.reading]
        cases = (
            (outcome.cut_short, CUT_SHORT),
            (worth > 0, pays),
            (outcome.workload.utility.defined, nothing),
        )
        why = first_that_holds(cases, "no utility function").tolist()
        return Prices(worth, np.full(len(outcome), np.nan), read, why)

    def _at_requested_end(self, outcome: Outcome) -> Floats:
        """Return what jobs are worth at their requested end, or their realised end if later."""
        jobs = outcome.workload
        worth: Floats = jobs.utility.evaluate(outcome.requested_end - jobs.submit)
        return worth

    @property
    def about(self) -> str:
        """What a user pays for."""
        if self.ranks:
            return (
                "A job pays what its user said that it would be worth, as the scheduler read that"
                " when it started the job. How long the job then took does not matter."
            )
        if self.reading == END:
            return (
                "A job pays what its user said that it would be worth at the time at which it was"
                " done. One that was done too late to be of use pays nothing."
            )
        return (
            "A job pays what its user said that it would be worth at its requested end: when it"
            " started, plus the requested time. One that would then be of no use pays nothing."
        )

    def ceiling(self, workload: Workload) -> Floats:
        """Return the worth of jobs that start at once: no utility function rises."""
        if self.reading != REQUESTED:
            return workload.utility.start_values
        most: Floats = workload.utility.evaluate(workload.request)
        return most
