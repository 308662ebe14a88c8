"""One rate for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.rates import rate_text, read_rate
from pricing.registry import RatedMechanism, option, register
from pricing.resources import resource_hour
from swfx import Workload
from swfx.base.columns import Floats
from swfx.base.configured import ANY


@register("single-price")
@dataclass(frozen=True)
class SinglePrice(RatedMechanism):
    """One rate per processor-hour used, or per hour of another resource, whatever the job.

    Attributes
    ----------
    rate : float
        SU per hour, 1 by default as at SDSC.

    References
    ----------
    LEE, section 3.4.3, "GA within a Single-Price Framework".
    """

    promises = frozenset({"value-blindness"})
    scope = "job"

    rate: float = option(read_rate, 1.0, rate_text, ANY)

    @property
    def about(self) -> str:
        """What a user pays for."""
        return (
            f"Every job pays {rate_text(self.rate)} SU for each {resource_hour(self.of)} that it"
            " used. It does not matter in which queue it was, or how long it waited."
        )

    def hourly_rates(self, workload: Workload) -> Floats:
        """Return the same for every job."""
        return np.full(len(workload), self.rate)
