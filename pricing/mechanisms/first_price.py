"""Everybody pays what the job was said to be worth, as one reading of its curve has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.outcome import Outcome
from pricing.readings import ReadingMechanism, highest_reading, readings_of
from pricing.reasons import first_that_holds
from pricing.registry import ConfiguredMechanism, Prices, register
from swfx import Workload
from swfx.base.columns import Floats


@register("first-price")
@dataclass(frozen=True)
class FirstPrice(ReadingMechanism, ConfiguredMechanism):
    """The utility that the user's own curve gives, as it ranked the job or at its end.

    Attributes
    ----------
    reading : {"scheduler", "end"}
        ``scheduler``: what the scheduler took the job to be worth when it started it. Of a job that
        was stopped and started again, the most at any of its starts. ``end``: the utility at the
        turnaround time, so that a job that finishes after its deadline pays nothing, and the
        charges add up to the aggregate utility of the schedule. A curve that ends just before the
        job can be done then makes the job rank high, and cost nothing.

    Raises
    ------
    InputError
        By `price`, if no job has a utility function, or the scheduler reads none or is not known.

    References
    ----------
    LEE, section 3.4.3: first price at the end.
    """

    scope = "job"

    def price(self, outcome: Outcome) -> Prices:
        """Return what every job was read to be worth."""
        outcome.require_utilities(self.name)
        worth, known, read = outcome.utility, outcome.workload.utility.defined, None
        texts = "what it was worth", "it was worth nothing"
        if self.ranks:
            read = readings_of(outcome, self.reader(outcome))
            worth = highest_reading(read, outcome.places(read.starts.job), len(outcome))
            texts = "what it was ranked by", "it was ranked as worth nothing"
        cases = ((worth > 0, texts[0]), (known, texts[1]))
        why = first_that_holds(cases, "no utility function").tolist()
        return Prices(worth, np.full(len(outcome), np.nan), read, why)

    @property
    def about(self) -> str:
        """What a user pays for."""
        if self.ranks:
            return (
                "A job pays what its user said that it would be worth, as the scheduler read that"
                " when it started the job. How long the job then took does not matter."
            )
        return (
            "A job pays what its user said that it would be worth at the time at which it was done."
            " One that was done too late to be of use pays nothing."
        )

    def ceiling(self, workload: Workload) -> Floats:
        """Return what each utility function begins with: none rises."""
        return workload.utility.start_values
