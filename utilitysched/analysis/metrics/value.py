"""Value of the schedule to the users (SU)."""

import math

import numpy as np

from swfx import Workload
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats


def realised_utility(workload: Workload, schedule: Schedule) -> Floats:
    """Each job's utility function at its turnaround time (SU), 0 without one; shape (n,)."""
    return workload.utility.evaluate(schedule.turnaround(workload))


def aggregate_utility(workload: Workload, schedule: Schedule) -> float:
    """Sum of the realised utilities (SU), exact and rounded once.

    `pricing` sums charges by the same rule, so a bill by ``first-price:reading=end`` adds up to it.

    References
    ----------
    LEE, section 2.5.
    """
    return math.fsum(realised_utility(workload, schedule))


def start_value_share(workload: Workload, schedule: Schedule) -> Floats:
    """Share of its start value that each job earned, u(turnaround) / u(0); shape (n,).

    NaN for a job without utility function, or whose start value is 0.
    """
    start = workload.utility.start_values
    share = np.full(len(workload), np.nan)
    np.divide(realised_utility(workload, schedule), start, out=share, where=start > 0)
    return share
