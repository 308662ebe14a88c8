"""Series over time: step functions of machine, queue and utility (SU), and weekly metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from swfx import Workload
from swfx.base.columns import Bools
from swfx.clock import Clock, calendar_of
from utilitysched.analysis.metrics import realised_utility, weekly
from utilitysched.analysis.metrics.jobs import TAU
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import spans
from utilitysched.model.state import Floats, Integers

COLUMNS = 2000
"""Columns of pixels of a wide picture."""


@dataclass(frozen=True, eq=False)
class StepFunction:
    """A value that changes at instants: 0 before the first, the last one for ever after.

    Attributes
    ----------
    time : (k,) float64
        Instants (s on the log's clock), strictly increasing.
    value : (k,) float64
        What holds from each instant to the next one.

    Examples
    --------
    >>> steps = StepFunction.from_changes(np.array([0, 5, 5, 9]), np.array([2, 4, -2, -4]))
    >>> steps.time.tolist(), steps.value.tolist()
    ([0.0, 5.0, 9.0], [2.0, 4.0, 0.0])
    """

    time: Floats
    value: Floats

    def __post_init__(self) -> None:
        self.time.setflags(write=False)
        self.value.setflags(write=False)

    def __len__(self) -> int:
        return len(self.time)

    @classmethod
    def from_changes(cls, times: npt.ArrayLike, changes: npt.ArrayLike) -> StepFunction:
        """Add up changes, in any order; instants at which nothing changes in all are left out.

        The first and the last instant stay in any case: they say how long the matter lasted.
        """
        instant, place = np.unique(np.asarray(times, np.float64), return_inverse=True)
        if len(instant) == 0:
            return cls(instant, instant.copy())
        change = np.bincount(place, weights=np.asarray(changes, np.float64))
        kept = change != 0
        kept[[0, -1]] = True
        return cls(instant[kept], np.cumsum(change)[kept])

    def at(self, times: npt.ArrayLike) -> Floats:
        """Return the value at each of some instants."""
        before = np.searchsorted(self.time, np.asarray(times, np.float64), side="right")
        return np.concatenate([[0.0], self.value])[before]

    def scaled(self, factor: float) -> StepFunction:
        """Return every value times a factor."""
        return StepFunction(self.time, self.value * factor)

    def area(self) -> float:
        """Return the integral from the first instant to the last."""
        return float(self.integral(self.time[-1:]).sum())

    def integral(self, times: npt.ArrayLike) -> Floats:
        """Return the integral from the first instant up to each of some later ones."""
        if len(self) == 0:
            return np.zeros(np.shape(times))
        when = np.asarray(times, np.float64)
        whole = np.concatenate([[0.0], np.cumsum(self.value[:-1] * np.diff(self.time))])
        last = np.searchsorted(self.time, when, side="right") - 1
        up: Floats = whole[last] + self.value[last] * (when - self.time[last])
        return np.where(last < 0, 0.0, up)

    def means(self, edges: Floats) -> Floats:
        """Return the mean over time between neighbouring ones of (b + 1,) ascending instants.

        Examples
        --------
        >>> steps = StepFunction(np.array([0.0, 5.0]), np.array([2.0, 0.0]))
        >>> steps.means(np.array([0.0, 10.0])).tolist()
        [1.0]
        """
        return np.diff(self.integral(edges)) / np.diff(edges)

    def within(self, begin: float, end: float) -> StepFunction:
        """Return the part from `begin` to `end`, with a point at either."""
        inside = (self.time > begin) & (self.time < end)
        edges = np.array([begin, end])
        first, last = self.at(edges)
        return StepFunction(
            np.concatenate([[begin], self.time[inside], [end]]),
            np.concatenate([[first], self.value[inside], [last]]),
        )


def thinned(steps: StepFunction, columns: int = COLUMNS) -> StepFunction:
    """Keep what columns of pixels can show: the first, least, largest and last value of each.

    A line drawn in steps through what is kept covers the same pixels in every column as one
    through all points: it enters and leaves with the same value and reaches as high and as low.

    Parameters
    ----------
    steps : StepFunction
        Any number of points.
    columns : int, default 2000
        Columns that the whole time is drawn on.

    References
    ----------
    Jugel, Jerzak, Hackenbroich, Markl 2014: M4, a visualization-oriented time series data
    aggregation. PVLDB 7(10).
    """
    if len(steps) <= 4 * columns:
        return steps
    column = _columns(steps.time, columns)
    by_value = np.lexsort((steps.value, column))
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], len(column)) - 1
    kept = np.unique(np.concatenate([starts, ends, by_value[starts], by_value[ends]]))
    return StepFunction(steps.time[kept], steps.value[kept])


def _columns(time: Floats, columns: int) -> Integers:
    place: Floats = (time - time[0]) * (columns / (time[-1] - time[0]))
    column: Integers = np.minimum(place.astype(np.int64), columns - 1)
    return column


def processors_in_use(
    workload: Workload, schedule: Schedule, counted: Bools | None = None
) -> StepFunction:
    """Processors held by running jobs, or by those counted; its area is the processor-seconds."""
    return _held(schedule, _weight(workload.size, counted))


def utilisation(workload: Workload, schedule: Schedule) -> StepFunction:
    """Share of the machine's processors in use, 0 to 1."""
    return processors_in_use(workload, schedule).scaled(1 / schedule.machine_size)


def _held(schedule: Schedule, weight: Integers) -> StepFunction:
    job, start, end = spans(schedule)
    return _present(start, end, weight[job])


def waiting_jobs(
    workload: Workload, schedule: Schedule, counted: Bools | None = None
) -> StepFunction:
    """Jobs in the queue, or those counted; its area is the sum of the times in it (s)."""
    return _waiting(workload, schedule, _weight(np.ones(len(schedule), np.int64), counted))


def waiting_processors(workload: Workload, schedule: Schedule) -> StepFunction:
    """Processors that the jobs in the queue ask for."""
    return _waiting(workload, schedule, workload.size)


def _weight(weight: Integers, counted: Bools | None) -> Integers:
    return weight if counted is None else np.where(counted, weight, 0)


def _waiting(workload: Workload, schedule: Schedule, weight: Integers) -> StepFunction:
    submitted, segments = schedule.submitted(workload), schedule.segments
    if segments is None:
        return _present(submitted, schedule.start, weight)
    return _present(segments.entered(submitted), segments.start, weight[segments.job])


def delivered_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Return the utility realised up to each completion (SU), aggregate utility at the end."""
    return StepFunction.from_changes(schedule.end, realised_utility(workload, schedule))


def undelayed_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Return the utility of jobs that never wait, up to each completion (SU): an upper bound."""
    run = workload.effective_run
    return StepFunction.from_changes(
        schedule.submitted(workload) + run, workload.utility.evaluate(run)
    )


def offered_utility(workload: Workload, schedule: Schedule) -> StepFunction:
    """Return the start values submitted up to each instant (SU): an upper bound."""
    return StepFunction.from_changes(schedule.submitted(workload), workload.utility.start_values)


def _present(begin: npt.ArrayLike, end: npt.ArrayLike, weight: npt.ArrayLike) -> StepFunction:
    """Step function of the summed weights of m intervals, arrays of shape (m,)."""
    changes = np.asarray(weight, np.float64)
    return StepFunction.from_changes(
        np.concatenate([begin, end]), np.concatenate([changes, -changes])
    )


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
    clock = calendar_of(workload.header)
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
