"""Weekly metrics of a schedule, in columns."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from swfx.clock import Clock, clock_of
from utilitysched.analysis.metrics import weekly
from utilitysched.analysis.metrics.jobs import TAU
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats


class Weeks(NamedTuple):
    """Metrics of each week from the first submission to the last completion.

    Attributes
    ----------
    start : (k,) float64
        When each week begins (s on the log's clock).
    label : tuple of str
        Date of that on the clock of the machine's place, ``2000-04-01``; ``week 1`` where the log
        does not tell when it began.
    zone : str or None
        Time zone of the dates; None where there are none.
    jobs : (k,) int64
        Jobs submitted in the week. The next three metrics are theirs, whenever they ran.
    wait, bounded_slowdown : (k,) float64
        Means (s; no unit); NaN without jobs.
    utility : (k,) float64
        Realised utility (SU).
    utilisation : (k,) float64
        Share of the processors in use in the week, 0 to 1, by whatever job.
    """

    start: Floats
    label: tuple[str, ...]
    zone: str | None
    jobs: NDArray[np.int64]
    wait: Floats
    bounded_slowdown: Floats
    utility: Floats
    utilisation: Floats


def weeks(workload: Workload, schedule: Schedule, tau: float = TAU) -> Weeks:
    """Columns of `utilitysched.analysis.metrics.machine`, with dates where the log has a clock."""
    rows = weekly(workload, schedule, tau)
    submitted = schedule.submitted(workload)
    start = np.min(submitted, initial=np.inf) + WEEK * np.arange(len(rows))
    clock = clock_of(workload.header)
    return Weeks(
        start,
        tuple(week_label(clock, i, seconds) for i, seconds in enumerate(start.tolist())),
        None if clock is None else str(clock.zone),
        np.array([row.jobs for row in rows], np.int64),
        _column([row.wait for row in rows]),
        _column([row.bounded_slowdown for row in rows]),
        _column([row.utility for row in rows]),
        _column([row.utilisation for row in rows]),
    )


def week_label(clock: Clock | None, week: int, seconds: float) -> str:
    """Return the date of the first day of a week, or its number from 1 without a clock."""
    if clock is not None:
        try:
            return clock.date(seconds).date().isoformat()
        except (OverflowError, ValueError):  # beyond the year 9999
            pass
    return f"week {week + 1}"


def _column(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)
