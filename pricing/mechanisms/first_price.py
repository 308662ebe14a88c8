"""Everybody pays what the job turned out to be worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pricing.outcome import Outcome
from pricing.reasons import first_that_holds
from pricing.registry import ConfiguredMechanism, Prices, register
from swfx import UtilityTable, Workload
from swfx.base.columns import Floats

LOWER = 0.1
"""Share by which utility functions are lowered to show what that saves."""


@register("first-price")
@dataclass(frozen=True)
class FirstPrice(ConfiguredMechanism):
    """The utility that the user's own curve gives at the job's turnaround time.

    A job that finishes after its deadline, or has no curve, pays nothing. The charges add up to the
    aggregate utility of the schedule.

    Raises
    ------
    InputError
        By `price`, if no job has a utility function.

    References
    ----------
    LEE, section 3.4.3.
    """

    promises = frozenset({"rationality"})
    scope = "job"

    def price(self, outcome: Outcome) -> Prices:
        """Realised utility of every job."""
        outcome.require_utilities(self.name)
        worth, known = outcome.utility, outcome.workload.utility.defined
        cases = ((worth > 0, "what it was worth"), (known, "it was worth nothing"))
        why = first_that_holds(cases, "no utility function").tolist()
        return Prices(worth, np.full(len(outcome), np.nan), why=why)

    @property
    def about(self) -> str:
        """What a user pays for."""
        return (
            "A job pays what its user said that it would be worth at the time at which it was done."
            " One that was done too late to be of use pays nothing."
        )

    def alternatives(self, outcome: Outcome) -> Iterator[tuple[str, Outcome]]:
        """Yield the same jobs with utility functions a tenth lower."""
        given = outcome.workload.utility
        curves = UtilityTable(given.offsets, given.times, given.values * (1 - LOWER))
        lower = outcome.workload.replace(utility=curves)
        said = "utility functions had been a tenth lower, and jobs had run as they did"
        yield said, replace(outcome, workload=lower)

    def ceiling(self, workload: Workload) -> Floats:
        """Return what each utility function begins with: none rises."""
        return workload.utility.start_values
