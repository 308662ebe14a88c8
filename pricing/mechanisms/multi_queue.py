"""A rate for each queue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.rates import Queue, rate_text, rates_text, read_rate, read_rates_of
from pricing.registry import RatedMechanism, option, register
from pricing.resources import resource_hours
from swfx import Workload
from swfx.base.columns import Floats

LEE_RATES: tuple[tuple[Queue, float], ...] = (
    (0, 1.0),
    (1, 1.7),
    (2, 2.0),
    (3, 1.0),
    (4, 0.5),
    (5, 0.5),
)
"""SU per processor-hour by SDSC-Blue's queue number. LEE gives express (1) 1.7, high (2) 2, normal
(3) 1 and low (4) 0.5; ours are interactive (0), charged as normal, and standby (5), charged as low.
"""


@register("multi-queue")
@dataclass(frozen=True)
class MultiQueue(RatedMechanism):
    """A rate per processor-hour for each queue: more expensive queues promise shorter waits.

    Attributes
    ----------
    rates : tuple of (int or str, float)
        Number or name of a queue, and SU per processor-hour; given rates replace the default ones
        altogether. A log names its queues or not; of one that is Slurm's, they are QOS.
    other : float
        Rate of every queue that `rates` does not name, an unknown queue (-1) among them.

    References
    ----------
    LEE, section 3.4.3, "GA within a Multiple-Queue, Multiple-Price Framework".
    """

    promises = frozenset({"value-blindness"})
    scope = "job"

    rates: tuple[tuple[Queue, float], ...] = option(read_rates_of, LEE_RATES, rates_text)
    other: float = option(read_rate, 1.0, rate_text)

    @property
    def about(self) -> str:
        """What a user pays for."""
        return (
            f"Every job pays for the {resource_hours(self.of)} that it used, at the rate of its"
            " queue. Queues that promise shorter waits cost more."
        )

    def hourly_rates(self, workload: Workload) -> Floats:
        """Return the rate of each job's queue."""
        queues, position = np.unique(workload.queue, return_inverse=True)
        rates, names = dict(self.rates), workload.labels.in_field("queue").names
        by_queue = [
            rates.get(queue, rates.get(names.get(queue, ""), self.other))
            for queue in queues.tolist()
        ]
        return np.array(by_queue, dtype=np.float64)[position]
