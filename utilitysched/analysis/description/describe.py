"""Description of a workload, made part by part: the whole log, its load, its jobs."""

import math
import re
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from swfx import Header, InputError, LoadReport, Workload
from swfx.base.numbers import plural, shortened, span
from swfx.clock import calendar_of, unknown_zone
from swfx.offered_load import load_over, processor_seconds
from utilitysched.analysis.description.extras import (
    Checkpoints,
    Followers,
    RerunnableJobs,
    Resources,
    SoftEstimates,
    ValuePart,
)
from utilitysched.analysis.description.jobs import Jobs, Owners
from utilitysched.analysis.description.tally import SECONDS_PER_HOUR, Section, Sums, shares
from utilitysched.analysis.documents import (
    ColumnChart,
    Description,
    Fact,
    Facts,
    Panel,
    column,
    panel,
)
from utilitysched.analysis.series.over_time import week_label
from utilitysched.model.state import Floats

DAY = 86_400.0
WEEK = 604_800.0
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MOST_WEEKS = 2_000
"""A longer log has weeks without any job left out."""


class Load:
    """Submissions over time, on the clock of the machine's place if the header tells it."""

    def __init__(self, header: Header, machine_size: int | None) -> None:
        self._clock = calendar_of(header)
        self._no_zone = unknown_zone(header)
        self._machine_size = machine_size
        self._origin: float | None = None
        self._last = 0.0
        self._hours, self._days, self._weeks = Sums(2), Sums(2), Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        if self._origin is None:
            self._origin = float(part.submit[0])
        self._last = max(self._last, float(part.submit[-1]))
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
        covered = self._last - (self._origin or 0.0) - weeks[-1] * WEEK
        caption = (
            "Jobs submitted in each week, the first of which begins with the first job; the last"
            f" job comes {span(covered)} into the last."
        )
        yield ColumnChart(
            "jobs_by_week", "Submissions by week", caption, "jobs", labels, jobs.tolist()
        )
        if self._machine_size:
            seconds = np.full(len(weeks), WEEK)
            seconds[-1] = max(covered, DAY)
            load = 100 * area / (self._machine_size * seconds)
            caption = (
                "Offered load: processor-seconds of the jobs submitted in each week, whenever they "
                f"ran, in percent of what {self._machine_size:,} processors have; the last week "
                f"counts as {span(seconds[-1])}, since the log ends there."
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


class Overview:
    """Section on the whole log: jobs, days, processor-hours, load."""

    def __init__(self, header: Header, machine_size: int | None) -> None:
        self._header = header
        self._machine_size = machine_size
        self._jobs = 0
        self._area = 0.0
        self._first, self._last, self._end = math.inf, -math.inf, -math.inf

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        self._jobs += len(part)
        self._area += float(processor_seconds(part).sum())
        self._first = min(self._first, float(part.submit.min()))
        self._last = max(self._last, float(part.submit.max()))
        ran = part.wait >= 0
        if ran.any():
            ends = part.submit[ran] + part.wait[ran] + part.effective_run[ran]
            self._end = max(self._end, float(ends.max()))

    def panels(self) -> Iterator[Panel]:
        """Yield the numbers."""
        yield Facts("overview", "Overview", list(self._facts()))

    def verdict(self) -> str:
        """Return the sentence on how many jobs there are, and how busy they keep the machine."""
        jobs = f"{plural(self._jobs, 'job')} in {(self._last - self._first) / DAY:,.1f} days"
        offered, used = map(self._share, (self._last, self._end))
        if offered is None:
            return f"{jobs} need {self._area / SECONDS_PER_HOUR:,.0f} processor-hours."
        waits = "" if used is None else f"; by the log's waits, {used:.1%} of these were in use"
        return f"{jobs} offer work for {offered:.1%} of {self._machine_size:,} processors{waits}."

    def _facts(self) -> Iterator[Fact]:
        for key in ("Computer", "Installation"):
            text = self._header.get(key)
            yield Fact(key.lower(), key.lower(), text, text or "")
        size = self._machine_size
        processors = "of unknown size" if size is None else f"{size:,} processors"
        yield Fact("machine_size", "machine", size, processors)
        yield Fact("jobs", "jobs", self._jobs, f"{self._jobs:,}")
        days = (self._last - self._first) / DAY
        yield Fact("days", "submitted", days, f"{self._dates()}{days:,.1f} days")
        hours = self._area / SECONDS_PER_HOUR
        yield Fact("processor_hours", "work", hours, f"{hours:,.0f} processor-hours")
        yield self._load("offered_load", "offered load, by submissions", self._last)
        yield self._load("utilisation", "utilisation, by the log's waits", self._end)
        model = self._header.get("UtilityModel")
        spaced = re.sub(",(?=[^ ])", ", ", shortened(model or ""))  # so that the line can be broken
        yield Fact("utility_model", "utilities", model, spaced)

    def _dates(self) -> str:
        clock = calendar_of(self._header)
        if clock is None:
            return ""
        try:
            ends = [clock.date(time).date().isoformat() for time in (self._first, self._last)]
        except InputError:
            return ""
        return f"{ends[0]} to {ends[1]}, "

    def _share(self, until: float) -> float | None:
        return load_over(self._area, self._machine_size, until - self._first)

    def _load(self, key: str, name: str, until: float) -> Fact:
        load = self._share(until)
        return Fact(key, name, load, "" if load is None else f"{load:.1%}")


def reading(report: LoadReport) -> Iterator[Panel]:
    """Yield a table of what was dropped, repaired or noted while the log was read."""
    counts = report.counts()
    rows = [
        (rule.name, rule.action, rule.meaning, counts[rule.name])
        for rule in report.rules
        if rule.name in counts
    ]
    folded = f"{report.folded:,} part of another line's job, " if report.folded else ""
    caption = (
        f"{report.job_lines:,} job lines: {report.kept:,} kept, {report.dropped:,} dropped, "
        f"{folded}{report.repaired:,} of the kept repaired. utilitysched check has their numbers."
    )
    columns = [
        column("rule", "text", "rule"),
        column("jobs are", "text", "action"),
        column("meaning", "text", "meaning"),
        column("lines", "count", "lines"),
    ]
    yield panel("reading", "Reading the log", caption, columns, rows)


def describe(
    parts: Iterable[Workload], header: Header, report: Callable[[], LoadReport]
) -> Description:
    """Describe a workload that need not fit into memory.

    Parameters
    ----------
    parts : iterable of Workload
        Its jobs in any number of parts, seen once; the result does not depend on the division.
    header : Header
        Its header: machine size, queues' names, clock.
    report : callable
        Gives the account of reading once all parts have been seen.
    """
    machine_size = header.max_procs or header.max_nodes
    overview = Overview(header, machine_size)
    sections: list[Section] = [
        overview,
        Jobs(),
        Load(header, machine_size),
        Owners(header),
        Resources(),
        ValuePart(),
        Checkpoints(),
        RerunnableJobs(),
        SoftEstimates(),
        Followers(),
    ]
    for part in parts:
        for section in sections if len(part) else ():
            section.add(part)
    panels = [panel for section in sections for panel in section.panels()]
    account = report()
    lead = [overview.verdict()] if panels else []
    return Description(account.source, [*panels, *reading(account)], lead)
