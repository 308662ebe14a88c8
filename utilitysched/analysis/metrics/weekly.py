"""Weekly metrics of a schedule, from the first submission on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.analysis.metrics.machine import used_until
from utilitysched.analysis.metrics.times import TAU, bounded_slowdown
from utilitysched.analysis.metrics.value import realised_utility
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

WEEK = 604800.0


class Week(NamedTuple):
    """One week.

    Attributes
    ----------
    week : int
        From 0; the first begins with the first submission.
    jobs : int
        Jobs submitted in it. The next three metrics are theirs, whenever they ran.
    wait : float or None
        Mean wait (s).
    bounded_slowdown : float or None
        Mean bounded slowdown.
    utility : float
        Realised utility (SU).
    utilisation : float
        Share of the processors in use during the week, by whatever job.
    """

    week: int
    jobs: int
    wait: float | None
    bounded_slowdown: float | None
    utility: float
    utilisation: float


def weekly(workload: Workload, schedule: Schedule, tau: float = TAU) -> list[Week]:
    """Each week from the first submission to the last completion, empty ones too.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    tau : float
        Bound of the bounded slowdown (s).

    Returns
    -------
    list of Week

    References
    ----------
    LEGRAND: sums of weekly average bounded slowdowns.
    """
    if len(workload) == 0:
        return []
    submitted = schedule.submitted(workload)
    first = submitted.min()
    week = ((submitted - first) // WEEK).astype(np.int64)
    weeks = int((schedule.end.max() - first) // WEEK) + 1
    jobs = np.bincount(week, minlength=weeks)
    waits = _sums(week, schedule.wait(workload), weeks)
    slowdowns = _sums(week, bounded_slowdown(workload, schedule, tau), weeks)
    utility = _sums(week, realised_utility(workload, schedule), weeks)
    used = np.diff(used_until(workload, schedule, first + WEEK * np.arange(weeks + 1)))
    return [
        Week(
            i,
            int(jobs[i]),
            _mean(waits[i], jobs[i]),
            _mean(slowdowns[i], jobs[i]),
            float(utility[i]),
            float(used[i] / (schedule.machine_size * WEEK)),
        )
        for i in range(weeks)
    ]


def _sums(week: NDArray[np.int64], values: Floats, weeks: int) -> Floats:
    return np.bincount(week, weights=values, minlength=weeks).astype(np.float64)


def _mean(total: float, count: int) -> float | None:
    return float(total / count) if count else None
