"""Utility that jobs lose by waiting, and how few jobs lose most of it."""

import math

import numpy as np

from swfx import Workload
from utilitysched.analysis.metrics.value import realised_utility
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats


def lost_utility(workload: Workload, schedule: Schedule) -> Floats:
    """Value that each job lost by not starting when it was submitted (SU), shape (n,)."""
    at_once = workload.utility.evaluate(workload.effective_run)
    return np.maximum(at_once - realised_utility(workload, schedule), 0.0)


def effective_losers(workload: Workload, schedule: Schedule) -> float | None:
    """Effective number of jobs that lose utility: (sum of losses)^2 / sum of their squares.

    As many jobs with equal losses would be as concentrated. None where no job loses anything.
    """
    lost = lost_utility(workload, schedule)
    most = float(lost.max(initial=0.0))
    if most == 0:
        return None
    shares = lost / most  # squares of tiny losses are no zeros then
    return math.fsum(shares) ** 2 / math.fsum(shares**2)
