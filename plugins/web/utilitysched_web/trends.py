"""Use, queue and charges of a run, day by day, week by week or month by month."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Literal, NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.columns import Bools, Floats
from swfx.base.numbers import whole
from swfx.clock import Clock, calendar_of
from utilitysched.analysis import series
from utilitysched.analysis.documents import Column, ColumnChart, Panel, ResultTable, column, panel
from utilitysched.analysis.series import Bill
from utilitysched.runs import RunResults

HOUR, DAY = 3600.0, 86_400.0

Length = Literal["day", "week", "month"]
LENGTHS: dict[Length, int] = {"day": 1, "week": 7, "month": 30}
"""Days of periods; months have so many where a log has no calendar."""

MOST_DAYS, MOST_WEEKS = 35, 210
"""Days up to which a log is shown by days, and by weeks, if nobody says."""


MOST_PERIODS = 20_000
"""Half a century of days."""

MOST_CHANGE = 10.0
"""Growth of which it is only said that it is more: there was next to nothing before."""


class Periods(NamedTuple):
    """Neighbouring days, weeks or months.

    Attributes
    ----------
    length : {"day", "week", "month"}
        Of each.
    edges : (k + 1,) float64
        Where they begin and end (s on the log's clock).
    labels : tuple of str
        Date of the first day, or month; ``week 3`` where a log has no calendar.
    covered : tuple of float
        First submission and last completion (s): of the first and the last period it is a part.
    """

    length: Length
    edges: Floats
    labels: tuple[str, ...]
    covered: tuple[float, float]

    @property
    def last_whole(self) -> int | None:
        """Place of the last period that the log covers; None if it covers none."""
        return int(np.flatnonzero(self.whole)[-1]) if self.whole.any() else None

    @property
    def whole(self) -> Bools:
        """Whether the log covers all of each period, (k,)."""
        begin, end = self.covered
        return (self.edges[:-1] >= begin) & (self.edges[1:] <= end)

    def sums(self, times: Floats, amounts: Floats) -> Floats:
        """Return the sum of the amounts at times in each period, (k,)."""
        place = np.searchsorted(self.edges, times, side="right") - 1
        sums: Floats = np.bincount(place, amounts, len(self.labels)).astype(np.float64)
        return sums


class Trend(NamedTuple):
    """Columns of a run by periods, all of shape (k,).

    Attributes
    ----------
    periods : Periods
        The rows.
    ended : float64
        Jobs that ended.
    used : float64
        Processor-hours.
    share : float64
        Of the machine's processors, 0 to 1; of the first and last period what the log covers.
    waiting : float64
        Jobs in the queue, mean over time.
    waited : float64
        Hours that jobs that started had waited, mean; NaN where none started.
    charge : float64
        Of jobs that ended (SU).
    """

    periods: Periods
    ended: Floats
    used: Floats
    share: Floats
    waiting: Floats
    waited: Floats
    charge: Floats


def usual_length(run: RunResults) -> Length:
    """Return the length of periods that a run is shown by if nobody says."""
    begin, end = _ends(run)
    days = (end - begin) / DAY
    return "day" if days <= MOST_DAYS else "week" if days <= MOST_WEEKS else "month"


def periods_of(run: RunResults, length: Length) -> Periods:
    """Return the periods from the first submission to the last completion.

    Raises
    ------
    InputError
        There are more than anybody reads: the log's times cannot be right.
    """
    begin, end = covered = _ends(run)
    clock = calendar_of(run.workload.header)
    count = int((end - begin) // (LENGTHS[length] * DAY)) + 1
    if count > MOST_PERIODS:
        raise InputError(f"the log lasts for {count:,} periods of this length", field="by")
    if clock is None:
        edges = begin + LENGTHS[length] * DAY * np.arange(count + 1, dtype=np.float64)
        return Periods(length, edges, tuple(f"{length} {i + 1}" for i in range(count)), covered)
    first = _first_day(clock.date(begin).date(), length)
    days = [first]
    step = timedelta(days=31 if length == "month" else LENGTHS[length])
    while clock.seconds(days[-1].isoformat()) <= end:
        days.append(_first_day(days[-1] + step, length))
    edges = np.array([clock.seconds(day.isoformat()) for day in days], np.float64)
    names = [f"{day:%Y-%m}" if length == "month" else day.isoformat() for day in days[:-1]]
    return Periods(length, edges, tuple(names), covered)


def _first_day(day: date, length: Length) -> date:
    if length == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if length == "week" else day


def month_after(month: str, clock: Clock) -> float:
    """Return when a month (YYYY-MM) has ended, in s on a clock."""
    following = date.fromisoformat(f"{month}-01") + timedelta(days=31)
    return clock.seconds(_first_day(following, "month").isoformat())


def _ends(run: RunResults) -> tuple[float, float]:
    """Return the first submission and the last completion (s), an hour apart at least."""
    begin = float(run.schedule.submitted(run.workload).min(initial=np.inf))
    begin = 0.0 if begin == np.inf else begin
    return begin, float(run.schedule.end.max(initial=begin + HOUR))


def trend_of(run: RunResults, bill: Bill, length: Length, counted: Bools | None = None) -> Trend:
    """Return a run by periods: all jobs, or those counted."""
    workload, schedule, periods = run.workload, run.schedule, periods_of(run, length)
    counts = np.ones(len(workload)) if counted is None else counted.astype(np.float64)
    within = np.clip(periods.edges, *periods.covered)
    busy = series.processors_in_use(workload, schedule, counted)
    used = np.diff(busy.integral(periods.edges)) / HOUR
    started = periods.sums(schedule.start, counts)
    waits = periods.sums(schedule.start, counts * schedule.wait(workload) / HOUR)
    return Trend(
        periods,
        periods.sums(schedule.end, counts),
        used,
        _means(busy, within) / schedule.machine_size,
        _means(series.waiting_jobs(workload, schedule, counted), within),
        np.divide(waits, started, out=np.full(len(waits), np.nan), where=started > 0),
        periods.sums(schedule.end, counts * np.nan_to_num(bill.charge)).round(bill.decimals),
    )


def _means(steps: series.StepFunction, edges: Floats) -> Floats:
    """Return means between edges; 0 between equal ones: the log ends as a period begins."""
    width = np.diff(edges)
    return np.divide(np.diff(steps.integral(edges)), width, out=width * 0, where=width > 0)


def trend_panels(trend: Trend, bill: Bill) -> list[Panel]:
    """Return a chart of each column that an operator follows, and the table of all."""
    each = f"Of each {trend.periods.length}"
    waited = np.nan_to_num(trend.waited)
    named: tuple[tuple[str, str, str, str, Floats], ...] = (
        ("utilisation", "Utilisation", f"{each}: processors in use.", "%", 100 * trend.share),
        ("revenue", "Charged", f"{each}: for the jobs that ended in it.", "SU", trend.charge),
        ("waiting", "Jobs waiting", f"{each}: mean over time.", "jobs", trend.waiting),
        ("waited", "Hours waited", f"{each}: mean of the jobs that started.", "hours", waited),
    )
    charts = [
        ColumnChart(key, title, caption, unit, trend.periods.labels, values.round(6).tolist())
        for key, title, caption, unit, values in named
    ]
    return [*charts, _table(trend, bill)]


def _table(trend: Trend, bill: Bill) -> ResultTable:
    charge, known = trend.charge, trend.periods.whole
    grows = np.full(len(charge), np.nan)
    comparable = known[1:] & known[:-1] & (charge[:-1] > 0)
    np.divide(charge[1:], charge[:-1], out=grows[1:], where=comparable)
    figures = (trend.used, trend.share, trend.waiting, trend.waited, charge, grows - 1)
    columns = [
        column(trend.periods.length, "text", "period"),
        column("jobs ended", "count", "jobs"),
        Column("processor-hours", write=whole, key="processor_hours"),
        column("utilisation (%)", "percent", "utilisation"),
        Column("jobs waiting", write=_to_one, key="waiting"),
        Column("waited (h)", write=_to_one, key="waited_h"),
        Column("charged", "SU", bill.text, key="charge"),
        Column("change (%)", write=change_text, key="change"),
    ]
    rows = [
        (label, int(jobs), *(None if np.isnan(each) else each for each in row))
        for label, jobs, *row in zip(
            trend.periods.labels,
            trend.ended.tolist(),
            *(each.tolist() for each in figures),
            strict=True,
        )
    ]
    sums = (int(trend.ended.sum()), float(trend.used.sum()))
    total = ("all", *sums, "", None, None, float(charge.sum()), None)
    caption = f"By {trend.periods.length}, the latest first"
    return replace(panel("periods", caption, "", columns, rows[::-1]), total=[total])


def change_text(share: float | None) -> str:
    """Return a change against what was before, in percent with its sign."""
    if share is None:
        return ""
    return f"{100 * share:+z,.0f}" if share < MOST_CHANGE else f"> +{100 * MOST_CHANGE:,.0f}"


def _to_one(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"
