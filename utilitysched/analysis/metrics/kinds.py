"""Kinds of jobs: one truth value per job, shape (n,)."""

import math

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Stop

PREMATURE_RATIO = 100.0
STARVATION_FACTOR = 3.0
ROUNDING = 1e-6
"""Sums of segments are not exact to the last bit (s)."""


def at_once(workload: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job started the instant it was submitted."""
    return np.equal(schedule.wait(workload), 0)


def premature(workload: Workload) -> NDArray[np.bool_]:
    """Whether a job ended long before its limit: a stated request of at least 100 run times.

    References
    ----------
    CARASTAN, table 4.3.
    """
    stated = workload.requested_time > 0
    return stated & (workload.request >= PREMATURE_RATIO * workload.effective_run)


def preempted(schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job was preempted while it ran, by a scheduler; none where none can be."""
    found = schedule.segments
    if found is None:
        return np.zeros(len(schedule), np.bool_)
    return found.per_job((found.stop == Stop.PREEMPTED).astype(np.float64), len(schedule)) > 0


def cut_short(workload: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job was killed with work left that its request would have had time for.

    A restart took longer than its request was extended by; see `checkpoint.PreemptionRules`.
    """
    found = schedule.segments
    if found is None:
        return np.zeros(len(schedule), np.bool_)
    done = found.per_job(found.kept, len(schedule))
    return done < workload.effective_run - ROUNDING


def starved(
    workload: Workload, schedule: Schedule, threshold: float | None = None
) -> NDArray[np.bool_]:
    """Whether a job waited longer than the starvation threshold.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    threshold : float, optional
        Seconds; without it, the scheduler's own, or three times the longest request of the
        workload if it has none.
    """
    return schedule.wait(workload) > starvation_threshold(workload, schedule, threshold)


def starvation_threshold(
    workload: Workload, schedule: Schedule, threshold: float | None = None
) -> float:
    """`threshold` if given, else the scheduler's own, else three times the longest request (s)."""
    if threshold is not None:
        return threshold
    if schedule.starvation_threshold < math.inf:
        return schedule.starvation_threshold
    return STARVATION_FACTOR * float(np.max(workload.request, initial=0.0))
