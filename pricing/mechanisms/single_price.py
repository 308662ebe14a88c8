"""One rate for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.outcome import Outcome
from pricing.rates import rate_text, read_rate
from pricing.registry import ConfiguredMechanism, Prices, option, register


@register("single-price")
@dataclass(frozen=True)
class SinglePrice(ConfiguredMechanism):
    """One rate per processor-hour used, whatever the job and however long it waited.

    Attributes
    ----------
    rate : float
        SU per processor-hour, 1 by default as at SDSC.

    References
    ----------
    LEE, section 3.4.3, "GA within a Single-Price Framework".
    """

    rate: float = option(read_rate, 1.0, rate_text)

    def price(self, outcome: Outcome) -> Prices:
        """Rate x processor-hours of every job."""
        rate = np.full(len(outcome), self.rate)
        return Prices(rate * outcome.processor_hours, rate)
