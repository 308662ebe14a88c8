"""One rate for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.rates import rate_text, read_rate
from pricing.registry import RatedMechanism, option, register
from swfx import Workload
from swfx.base.columns import Floats


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

    rate: float = option(read_rate, 1.0, rate_text)

    def hourly_rates(self, workload: Workload) -> Floats:
        """Return the same for every job."""
        return np.full(len(workload), self.rate)
