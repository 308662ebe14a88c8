"""Queues that jobs go to: what multi-queue prices make of a utility function."""

from __future__ import annotations

import numpy as np

from pricing.outcome import requested_hours
from pricing.rates import read_rates
from swfx import Workload
from utilitysched.model.state import Integers

Thresholds = tuple[tuple[int, float], ...]

AS_LOGGED = "log"

QUEUES = "1:1.7,2:2,3:1,4:0"
"""The queues of SDSC-Blue: low (4), normal (3), express (1) and high (2), each from its rate on."""


def read_thresholds(text: str) -> Thresholds | None:
    """Read ``QUEUE:LEAST`` separated by commas; None for ``log``.

    Raises
    ------
    InputError
        Anything else, a queue named twice, or a negative number.
    """
    return None if text == AS_LOGGED else read_rates(text)


def with_queues(workload: Workload, thresholds: Thresholds | None) -> Workload:
    """Return the jobs in the queues that they go to by what they are said to be worth.

    A job goes to the queue with the highest threshold that it reaches with the value that its curve
    begins with, per processor-hour requested: where thresholds are rates, to the most expensive
    queue whose price for all the time it requests it would still be worth. One that reaches none
    goes to that with the lowest. Jobs without a curve stay where they are.

    Parameters
    ----------
    workload : Workload
        n jobs.
    thresholds : tuple of (int, float), or None
        Queue number and least value (SU per processor-hour requested); None leaves all as it is.
    """
    if thresholds is None:
        return workload
    by_threshold = sorted(thresholds, key=lambda pair: pair[1])
    least = np.array([threshold for _, threshold in by_threshold])
    queue: Integers = np.array([number for number, _ in by_threshold], dtype=np.int64)
    hours, worth = requested_hours(workload), workload.utility.start_values
    density = np.divide(worth, hours, out=np.zeros(len(workload)), where=hours > 0)
    reached = np.maximum(np.searchsorted(least, density, side="right") - 1, 0)
    return workload.replace(
        queue=np.where(workload.utility.defined, queue[reached], workload.queue)
    )
