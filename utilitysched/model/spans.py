"""Spans of time in which jobs held processors."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats


class Spans(NamedTuple):
    """Stretches of time during which a job held its processors without a break.

    Everything that is drawn over time is drawn from these: a job that is preempted and starts again
    has more than one.

    Attributes
    ----------
    job : (m,) int64
        Position in the workload.
    start, end : (m,) float64
        Seconds on the log's clock.
    """

    job: NDArray[np.int64]
    start: Floats
    end: Floats


def spans(schedule: Schedule) -> Spans:
    """Return all segments where there are any, else one span for every job in workload order."""
    found = schedule.segments
    if found is not None:
        return Spans(found.job, found.start, found.end)
    return Spans(np.arange(len(schedule)), schedule.start, schedule.end)
