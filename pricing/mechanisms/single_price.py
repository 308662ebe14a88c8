"""One rate for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.outcome import Outcome, by_the_hour, requested_hours
from pricing.rates import rate_text, read_rate
from pricing.registry import HourlyMechanism, Prices, option, register
from swfx import Workload
from swfx.base.columns import Floats


@register("single-price")
@dataclass(frozen=True)
class SinglePrice(HourlyMechanism):
    """One rate per processor-hour used, whatever the job and however long it waited.

    Attributes
    ----------
    rate : float
        SU per processor-hour, 1 by default as at SDSC.

    References
    ----------
    LEE, section 3.4.3, "GA within a Single-Price Framework".
    """

    promises = frozenset({"value-blindness"})
    scope = "job"

    rate: float = option(read_rate, 1.0, rate_text)

    def price(self, outcome: Outcome) -> Prices:
        """Rate x processor-hours of every job."""
        rate = np.full(len(outcome), self.rate)
        with np.errstate(over="ignore"):  # refused as a charge
            charge = rate * outcome.processor_hours
        return Prices(charge, rate, why=by_the_hour(charge))

    def ceiling(self, workload: Workload) -> Floats:
        """Return rate x processor-hours requested."""
        return self.rate * requested_hours(workload)
