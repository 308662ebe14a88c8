"""Charts of what jobs ask for, and distributions over jobs and users."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import NamedTuple

import altair as alt
import numpy as np

from swfx import InputError, Workload
from swfx.base.numbers import UNKNOWN
from utilitysched import metrics
from utilitysched.analysis import series
from utilitysched.analysis.series import Distribution, Users
from utilitysched.model.state import Floats
from utilitysched.report.charts.channels import LETTERS, by_run, joined, tips
from utilitysched.report.charts.look import BOUND, colour
from utilitysched.report.charts.over_time import HEIGHT
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import (
    ScaleOf,
    duration_text,
    durations,
    logarithms,
    numbers,
    percents,
)
from utilitysched.runs import RunResults

LEVELS = 300
"""Rows of pixels of a distribution."""


class Distributed(NamedTuple):
    """A distribution over jobs: chart, `scale` from left to right, and what is distributed.

    Of `values`, what is not a number is left out.
    """

    key: str
    title: str
    label: str
    caption: str
    scale: ScaleOf
    values: Callable[[RunResults], Floats]

    def columns(self, runs: Mapping[str, RunResults]) -> Columns:
        """Return the columns of the picture."""
        return joined(
            {label: _risen(Distribution.of(self.values(run))) for label, run in runs.items()}
        )

    def picture(self, columns: Columns, labels: Sequence[str]) -> Picture:
        """Return the picture: lines of steps, from 0 to 100%.

        Parameters
        ----------
        columns : mapping of str to array_like
            run: one of the labels; value: s or %, ascending in each run; share:
            of the jobs with at most that value (%), from 0 on.
        labels : sequence of str
            Of all runs.
        """
        share = "jobs (%)"
        lines = alt.Chart(data(self.key, columns), height=HEIGHT).mark_line(
            interpolate="step-after", clip=True
        )
        written = {"text" if self.scale is durations else "value": self.label}
        lines = lines.transform_calculate(text=duration_text("value")).encode(
            x=self.scale(alt.X, "value", self.label),
            y=percents(alt.Y, "share", share),
            order=alt.Order("share:Q"),
            tooltip=tips(run="run", **written, share=share),
            **by_run(labels, "strokeDash"),
        )
        return Picture(self.key, self.title, lines, self.caption)


def _risen(distribution: Distribution) -> Columns:
    """Return the steps of a distribution; it rises from 0 at its least value."""
    drawn = distribution.thinned(LEVELS)
    return {
        "value": np.concatenate([drawn.value[:1], drawn.value]),
        "share": 100 * np.concatenate([np.zeros(len(drawn.value[:1])), drawn.share]),
    }


WAITS = Distributed(
    "waits",
    "Waits",
    "waited at most",
    "Which share of the jobs waited at most how long until they first started.",
    durations,
    lambda run: metrics.wait(run.workload, run.schedule),
)
SHARES = Distributed(
    "shares",
    "Share of the start value earned",
    "earned at most (% of its start value)",
    "Which share of the jobs earned at most which part of what they were worth at submission.",
    percents,
    lambda run: 100 * metrics.start_value_share(run.workload, run.schedule),
)


def _users(runs: Mapping[str, RunResults]) -> dict[str, Users]:
    """Return the users of each run; fewer than two cannot be compared, and are refused."""
    users = {
        label: series.users(run.workload, run.schedule, run.tau) for label, run in runs.items()
    }
    if len(next(iter(users.values())).user) < 2:
        raise InputError("the log tells fewer than two users apart")
    return users


def fairness(runs: Mapping[str, RunResults]) -> Picture:
    """Return the Lorenz curves of runs, with coefficients of each above.

    Raises
    ------
    InputError
        The log tells fewer than two users apart.
    """
    slowdowns = {label: each.bounded_slowdown for label, each in _users(runs).items()}
    curves = {label: series.lorenz(each) for label, each in slowdowns.items()}
    columns = joined(
        {
            label: {"users": 100 * curve.users, "slowdowns": 100 * curve.metric}
            for label, curve in curves.items()
        }
    )
    picture = lorenz(columns, list(runs))
    texts = []
    for label, each in slowdowns.items():
        indices = (UNKNOWN if index is None else f"{index:.2f}" for index in series.fairness(each))
        texts.append(f"{label.replace(chr(10), '')} {', '.join(indices)}")
    title = wrap(f"Gini, Jain: {'; '.join(texts)}", LETTERS)
    return replace(picture, key="fairness", chart=picture.chart.properties(title=title))


def lorenz(columns: Columns, labels: Sequence[str]) -> Picture:
    """Return the Lorenz curves of the users' mean bounded slowdowns.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels; users: the least slowed down first (%); slowdowns: sum of theirs
        (%); both from 0 to 100.
    labels : sequence of str
        Of all runs.
    """
    across, up = "users, the least slowed down first (%)", "sum of their slowdowns (%)"
    ends = alt.InlineData(values=[{"users": 0, "slowdowns": 0}, {"users": 100, "slowdowns": 100}])
    both = {"x": percents(alt.X, "users", across), "y": percents(alt.Y, "slowdowns", up)}
    equal = alt.Chart(ends).mark_line(color=BOUND, strokeDash=[1, 3]).encode(**both)
    lines = alt.Chart(data("lorenz", columns)).mark_line()
    tooltip = tips(run="run", users=across, slowdowns=up)
    lines = lines.encode(**both, tooltip=tooltip, **by_run(labels, "strokeDash"))
    chart = alt.layer(equal, lines, height=HEIGHT)
    caption = "The nearer to the dotted diagonal, the more alike users fared."
    return Picture("lorenz", "Fairness among users", chart, caption)


def users(columns: Columns, labels: Sequence[str]) -> Picture:
    """Return a mark for each user: what they used, and how long their jobs waited.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels; user: name; jobs; hours: processor-hours used; wait: mean (s).
    labels : sequence of str
        Of all runs.
    """
    hours, wait = "processor-hours used", "mean wait"
    marks = alt.Chart(data("users", columns), height=HEIGHT).mark_point(opacity=0.8)
    marks = marks.transform_filter("datum.hours > 0").encode(
        x=logarithms(alt.X, "hours", hours),
        y=durations(alt.Y, "wait", wait),
        tooltip=tips(run="run", user="user", jobs="jobs", hours=hours, text=wait),
        **by_run(labels, "shape"),
    )
    marks = marks.transform_calculate(text=duration_text("wait"))
    caption = "Each mark is a user: what they used, and how long their jobs waited."
    return Picture("users", "Users", marks, caption)


def users_columns(runs: Mapping[str, RunResults]) -> Columns:
    """Return the columns of `users`.

    Raises
    ------
    InputError
        The log tells fewer than two users apart.
    """
    parts: dict[str, Columns] = {}
    for label, each in _users(runs).items():
        names = runs[label].workload.labels.in_field("user")
        parts[label] = {
            "user": [names.name(user) for user in each.user.tolist()],
            "jobs": each.jobs,
            "hours": each.processor_hours,
            "wait": each.wait,
        }
    return joined(parts)


STEPS = 4
"""Of requested times, within a factor of 10."""

LARGEST = 700
"""Area of the largest mark (square pixels)."""


def requests(workload: Workload) -> Picture:
    """Return how many jobs ask for about how many processors, and for about how long."""
    size = 2.0 ** np.round(np.log2(np.maximum(workload.size, 1)))
    step = np.round(STEPS * np.log10(np.maximum(workload.request, 1)))
    (sizes, steps), jobs = np.unique(np.stack([size, step]), axis=1, return_counts=True)
    columns = {"processors": sizes, "request": 10 ** (steps / STEPS), "jobs": jobs}
    request = "requested time"
    marks = alt.Chart(data("requests", columns), height=260).mark_circle(
        color=colour(0), opacity=0.7, stroke=None
    )
    marks = marks.transform_calculate(text=duration_text("request")).encode(
        x=durations(alt.X, "request", request),
        y=numbers(alt.Y, "processors", "processors", type="log", base=2, padding=12),
        size=alt.Size("jobs:Q", title="jobs", scale=alt.Scale(range=[4, LARGEST])),
        tooltip=tips(processors="processors", text=request, jobs="jobs"),
    )
    caption = "The larger a mark, the more jobs ask for about so much time on so many processors."
    return Picture("requests", "What jobs ask for", marks, caption)
