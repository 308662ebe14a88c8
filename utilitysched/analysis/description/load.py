"""Work submitted by hour of the day, day of the week, and week of the log."""

from collections.abc import Iterator

import numpy as np

from swfx import Header, Workload
from swfx.clock import clock_of, unknown_zone
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.tally import SECONDS_PER_HOUR, Sums, shares
from utilitysched.analysis.documents import ColumnChart, Panel
from utilitysched.analysis.series.weeks import week_label
from utilitysched.model.state import Floats

DAY = 86_400.0
WEEK = 604_800.0
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MOST_WEEKS = 2_000
"""A longer log has weeks without any job left out."""


class Load:
    """Submissions over time, on the clock of the machine's place if the header tells it."""

    def __init__(self, header: Header, machine_size: int | None) -> None:
        self._clock = clock_of(header)
        self._no_zone = unknown_zone(header)
        self._machine_size = machine_size
        self._origin: float | None = None
        self._hours, self._days, self._weeks = Sums(2), Sums(2), Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        if self._origin is None:
            self._origin = float(part.submit[0])
        ones, area = np.ones(len(part)), processor_seconds(part)
        local = self._local(part.submit)
        self._hours.add((local % DAY // SECONDS_PER_HOUR).astype(np.int64), ones, area)
        self._days.add((local // DAY % 7).astype(np.int64), ones, area)
        self._weeks.add(((part.submit - self._origin) // WEEK).astype(np.int64), ones, area)

    def panels(self) -> Iterator[Panel]:
        """Yield six charts: jobs and processor-hours, each three ways."""
        hours = [f"{hour:02d}" for hour in range(24)]
        days = WEEKDAYS if self._clock else tuple(f"day {day}" for day in range(1, 8))
        for key, sums, labels in (
            ("hour_of_day", self._hours, hours),
            ("day_of_week", self._days, days),
        ):
            step = key.replace("_of_", " of the ")
            jobs, work = 100 * shares(sums.rows(list(range(len(labels))))).T
            for name, what, values in (("jobs", "Jobs", jobs), ("work", "Processor-hours", work)):
                title = f"{what} by {step}"
                yield ColumnChart(
                    f"{name}_by_{key}", title, self._where(), "%", labels, values.tolist()
                )
        yield from self._weekly()

    def _where(self) -> str:
        if self._clock is None:
            return (
                "By submission; counted from time 0 of the log, which does not say when it began."
            )
        why = f", as no zone is named {self._no_zone!r}" if self._no_zone else ""
        return f"By submission, on the clock of {self._clock.zone}{why}."

    def _weekly(self) -> Iterator[Panel]:
        weeks = list(self._weeks)
        if weeks[-1] - weeks[0] < MOST_WEEKS:
            weeks = list(range(weeks[0], weeks[-1] + 1))
        if len(weeks) == 1:
            return
        jobs, area = self._weeks.rows(weeks).T
        labels = [self._week_label(week) for week in weeks]
        caption = "Jobs submitted in each week, the first of which begins with the first job."
        yield ColumnChart(
            "jobs_by_week", "Submissions by week", caption, "jobs", labels, jobs.tolist()
        )
        if self._machine_size:
            load = 100 * area / (self._machine_size * WEEK)
            caption = (
                "Offered load: processor-seconds of the jobs submitted in each week, whenever they "
                f"ran, in percent of what {self._machine_size:,} processors have."
            )
            yield ColumnChart("load_by_week", "Load by week", caption, "%", labels, load.tolist())

    def _week_label(self, week: int) -> str:
        return week_label(self._clock, week, (self._origin or 0.0) + week * WEEK)

    def _local(self, submit: Floats) -> Floats:
        """Return seconds since a Monday's midnight on the clock on the wall."""
        if self._clock is None:
            return submit
        hour, place = np.unique(submit // SECONDS_PER_HOUR, return_inverse=True)
        shift = np.array([self._shift(seconds) for seconds in (hour * SECONDS_PER_HOUR).tolist()])
        thursday = 3 * DAY  # Unix time began on one
        local: Floats = submit + self._clock.start + shift[place] + thursday
        return local

    def _shift(self, seconds: float) -> float:
        """Return how far the clock on the wall is ahead of UTC (s)."""
        assert self._clock is not None
        try:
            offset = self._clock.date(seconds).utcoffset()
        except (OverflowError, ValueError):  # beyond the year 9999
            return 0.0
        return offset.total_seconds() if offset else 0.0
