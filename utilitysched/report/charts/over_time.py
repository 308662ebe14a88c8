"""Charts over time: the machine in use, the queue, the utility delivered, and metrics by week."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from utilitysched.analysis import series
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import StepFunction
from utilitysched.model.state import Floats
from utilitysched.report.charts.channels import by_run, joined, tips
from utilitysched.report.charts.look import PANEL
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import DAY, FULL, TimeScale, numbers
from utilitysched.runs import RunResults

STRETCHES = 200
"""Of time, whose means are drawn where a value changes more often."""

PIXELS = 500
"""Columns of a line of steps that only grows."""

OFFERED, UNDELAYED = "start values submitted", "if no job waited"
"""Upper bounds of utility, as they stand in the column `run`."""

HEIGHT, LOW = 150, 80
"""Of a chart, and of one of several above each other (pixels; points on paper)."""

THIN = 0.8
"""Width of the line of a bound (pixels)."""

WHOLE = 6.5
"""Days from which a week is taken for whole: logs seldom begin and end to the second."""


class Trend(NamedTuple):
    """A value over time of each run: chart, vertical scale and where that ends, and its steps."""

    key: str
    title: str
    label: str
    caption: str
    steps: Callable[[RunResults], StepFunction]
    top: float | None = None

    def columns(self, runs: Mapping[str, RunResults], scale: TimeScale) -> Columns:
        """Return the columns of the picture; `low` and `high` where values change often."""
        return joined({label: _stretches(self.steps(run), scale) for label, run in runs.items()})

    def picture(self, columns: Columns, labels: Sequence[str], scale: TimeScale) -> Picture:
        """Return the picture: a line of steps for each run.

        Parameters
        ----------
        columns : mapping of str to array_like
            run: one of the labels; time: on the scale; value: from then on; low, high: least and
            largest value of the stretch, which are shaded behind a single run; may be missing.
        labels : sequence of str
            Of all runs, whether there are rows of them or not.
        scale : TimeScale
            Of the horizontal axis.
        """
        ends = {} if self.top is None else {"domain": [0, self.top], "nice": False}
        line = (
            alt.Chart()
            .mark_line(interpolate="step-after", clip=True)
            .encode(
                x=scale.axis(),
                y=numbers(alt.Y, "value", self.label, **ends),
                tooltip=tips(run="run", when="time", value=self.label),
                **by_run(labels, "strokeDash"),
            )
        )
        layers = [line]
        if len(labels) == 1:
            band = alt.Chart().mark_area(interpolate="step-after", opacity=0.3, clip=True)
            low = numbers(alt.Y, "low", self.label, **ends)
            band = band.transform_filter("isValid(datum.low)").encode(
                x=scale.axis(), y=low, y2="high:Q", **by_run(labels)
            )
            layers = [band, line]
        chart = alt.layer(*layers, data=data(self.key, columns), height=HEIGHT)
        return Picture(self.key, self.title, _over_time(chart, scale), self.caption)


TRENDS = {
    trend.key: trend
    for trend in (
        Trend(
            "utilisation",
            "Utilisation over time",
            "processors in use (%)",
            "Share of the processors that run jobs.",
            lambda run: series.utilisation(run.workload, run.schedule).scaled(100),
            top=FULL,
        ),
        Trend(
            "queue",
            "Queue length over time",
            "jobs waiting",
            "Jobs submitted that have not started.",
            lambda run: series.waiting_jobs(run.workload, run.schedule),
        ),
        Trend(
            "demand",
            "Demand over time",
            "machines waited for",
            "Processors that waiting jobs ask for, divided by those of the machine.",
            lambda run: series.waiting_processors(run.workload, run.schedule).scaled(
                1 / run.schedule.machine_size
            ),
        ),
    )
}


def _over_time(chart: Any, scale: TimeScale) -> alt.TopLevelMixin:
    timed: alt.TopLevelMixin = chart.transform_calculate(when=scale.text()).add_params(
        *scale.parameters()
    )
    return timed


def _stretches(steps: StepFunction, scale: TimeScale) -> Columns:
    """Return a row for each change; for each of `STRETCHES` if there are more of these."""
    inside = steps.within(scale.origin, scale.end)
    if len(inside) <= STRETCHES:
        return {"time": scale.place(inside.time), "value": inside.value}
    edges = np.linspace(scale.origin, scale.end, STRETCHES + 1)
    times = np.union1d(inside.time, edges)[:-1]
    values, first = inside.at(times), np.searchsorted(times, edges[:-1])
    columns = {
        "value": inside.means(edges),
        "low": np.minimum.reduceat(values, first),
        "high": np.maximum.reduceat(values, first),
    }
    return {"time": scale.place(edges)} | {
        name: np.append(column, column[-1]) for name, column in columns.items()
    }


def highest(columns: Columns) -> float:
    """Return the largest value that a trend reaches."""
    values = [np.asarray(columns[name]) for name in ("value", "high") if name in columns]
    return float(np.nanmax(np.concatenate(values), initial=0.0)) or 1.0


def utility(columns: Columns, labels: Sequence[str], scale: TimeScale) -> Picture:
    """Return the utility delivered over time by each run, below its two upper bounds.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels, `OFFERED` or `UNDELAYED`; time: on the scale; value: SU from then
        on.
    labels : sequence of str
        Of all runs.
    scale : TimeScale
        Of the horizontal axis.
    """
    lines = alt.Chart(data("utility", columns), height=HEIGHT).mark_line(
        interpolate="step-after", clip=True
    )
    label = "utility so far (SU)"
    bound = {"field": "run", "oneOf": [OFFERED, UNDELAYED]}
    lines = lines.encode(
        x=scale.axis(),
        y=numbers(alt.Y, "value", label),
        tooltip=tips(run="run", when="time", value=label),
        size=alt.SizeValue(alt.Undefined, condition={"test": bound, "value": THIN}),
        **by_run(labels, "strokeDash", bounds=(OFFERED, UNDELAYED)),
    )
    caption = "Sum of the utility of all jobs that have ended. Grey: its upper bounds."
    return Picture("utility", "Utility over time", _over_time(lines, scale), caption)


def utility_columns(runs: Mapping[str, RunResults], scale: TimeScale) -> Columns:
    """Return the columns of `utility`.

    Raises
    ------
    InputError
        No job has a utility function of positive start value.
    """
    first = next(iter(runs.values()))
    if not np.any(first.workload.utility.start_values > 0):
        raise InputError(
            "no job has a utility function with a start value",
            remedy="simulate with `utilities=default`",
        )
    steps = {
        label: series.delivered_utility(run.workload, run.schedule) for label, run in runs.items()
    }
    steps[OFFERED] = series.offered_utility(first.workload, first.schedule)
    steps[UNDELAYED] = series.undelayed_utility(first.workload, first.schedule)
    edges = np.linspace(scale.origin, scale.end, PIXELS + 1)
    return joined({label: _changes(each.at(edges), edges, scale) for label, each in steps.items()})


def _changes(values: Floats, times: Floats, scale: TimeScale) -> Columns:
    """Return a row for each change, the first and the last."""
    kept = np.append(True, np.diff(values) != 0)
    kept[-1] = True
    return {"time": scale.place(times[kept]), "value": values[kept]}


class Weekly(NamedTuple):
    """A metric by week: its field in `Weeks`, title, unit, caption, and factor."""

    field: str
    title: str
    label: str
    caption: str
    factor: float = 1.0

    @property
    def key(self) -> str:
        """Name of the chart."""
        return f"weekly-{self.field.replace('_', '-')}"

    def columns(self, runs: Mapping[str, RunResults], scale: TimeScale) -> Columns:
        """Return the columns of the picture; weeks of which nothing is covered are left out."""
        return joined({label: self._columns(run, scale) for label, run in runs.items()})

    def _columns(self, run: RunResults, scale: TimeScale) -> Columns:
        weeks = series.weeks(run.workload, run.schedule, run.tau)
        value = self.factor * np.asarray(getattr(weeks, self.field), np.float64)
        running = self.field == "utilisation"
        last = run.schedule.end if running else run.schedule.submitted(run.workload)
        covered = np.clip(np.max(last) - weeks.start, 0, WEEK) / DAY
        if running:  # of the days that the run lasted, not of seven
            value = np.divide(7 * value, covered, out=value, where=covered > 0)
        kept = (covered > 0) & ~np.isnan(value)
        columns: dict[str, NDArray[np.generic]] = {
            "time": scale.place(weeks.start + covered * DAY / 2),
            "value": value,
            "covered": covered,
            "week": np.array(weeks.label),
        }
        return {name: column[kept] for name, column in columns.items()}

    def picture(self, columns: Columns, labels: Sequence[str], scale: TimeScale) -> Picture:
        """Return the picture: a mark in the middle of each week, hollow where days are missing.

        Parameters
        ----------
        columns : mapping of str to array_like
            run: one of the labels; time: middle of the covered part, on the scale; value; covered:
            days of the week, above 0; week: its first day, as text.
        labels : sequence of str
            Of all runs.
        scale : TimeScale
            Of the horizontal axis.
        """
        weeks = alt.Chart().encode(
            x=scale.axis(),
            y=numbers(alt.Y, "value", self.label),
            tooltip=tips(run="run", week="week from", covered="days covered", value=self.label),
        )
        seen = weeks.transform_filter("begin <= datum.time && datum.time <= end")
        whole = f"datum.covered >= {WHOLE}"
        ways = by_run(labels, "shape")
        marks = (
            seen.transform_filter(f"!({whole})").mark_point(fill=PANEL, opacity=1),
            seen.transform_filter(whole).mark_point(filled=True, opacity=1),
        )
        dashes = by_run(labels, "strokeDash")["strokeDash"]
        dashes.legend = None  # marks are told apart by their shapes
        line = weeks.mark_line(clip=True).encode(ways["color"], dashes)
        chart = alt.layer(
            line,
            *(each.encode(**ways) for each in marks),
            data=data(self.key, columns),
            height=HEIGHT,
        )
        caption = f"{self.caption} Hollow: weeks of which days are missing."
        return Picture(self.key, self.title, chart.add_params(*scale.parameters()), caption)


WEEKLY = {
    figure.key: figure
    for figure in (
        Weekly("jobs", "Jobs by week", "jobs submitted", "Submitted in the week."),
        Weekly(
            "wait",
            "Mean wait by week",
            "mean wait (h)",
            "Of the jobs submitted in the week.",
            1 / 3600,
        ),
        Weekly(
            "bounded_slowdown",
            "Mean bounded slowdown by week",
            "mean bounded slowdown",
            "Of the jobs submitted in the week.",
        ),
        Weekly(
            "utilisation", "Utilisation by week", "processors in use (%)", "By whatever job.", 100.0
        ),
        Weekly(
            "utility",
            "Utility by week",
            "utility (SU)",
            "Earned by the jobs submitted in the week, whenever they ended.",
        ),
    )
}
