"""Distributions over the jobs and the users, and how unequal users are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from utilitysched.analysis import series
from utilitysched.analysis.series import Distribution, Users
from utilitysched.report.charts.channels import by_run, joined, tips
from utilitysched.report.charts.look import BOUND
from utilitysched.report.charts.over_time import HEIGHT
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import (
    Axis,
    ScaleOf,
    duration_text,
    durations,
    numbers,
    percents,
)
from utilitysched.runs import RunResults

LEVELS = 300
"""Rows of pixels of a distribution."""


class Spread(NamedTuple):
    """A distribution over jobs or users.

    Attributes
    ----------
    key, title, label, caption : str
        Of the chart, and of its horizontal scale.
    of : str
        What is distributed: jobs or users.
    scale : callable
        Makes the horizontal scale.
    values : callable
        Gives the distribution of a run.
    """

    key: str
    title: str
    label: str
    caption: str
    of: str
    scale: ScaleOf
    values: Callable[[RunResults], Distribution]

    def columns(self, runs: Mapping[str, RunResults]) -> Columns:
        """Return the columns of the picture."""
        return joined({label: _risen(self.values(run)) for label, run in runs.items()})

    def picture(self, columns: Columns, labels: Sequence[str]) -> Picture:
        """Return the picture: lines of steps, from 0 to 100%.

        Parameters
        ----------
        columns : mapping of str to array_like
            run: one of the labels; value: s, % or a plain number, ascending in each run; share:
            of the jobs or users with at most that value (%), from 0 on.
        labels : sequence of str
            Of all runs.
        """
        share = f"{self.of} (%)"
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


def _logarithmic(axis: Axis, field: str, title: str) -> Any:
    return numbers(axis, field, title, type="log", nice=False)


WAITS = Spread(
    "waits",
    "Waits",
    "waited at most",
    "Which share of the jobs waited at most how long until they first started.",
    "jobs",
    durations,
    lambda run: series.wait_distribution(run.workload, run.schedule),
)
SHARES = Spread(
    "shares",
    "Share of the start value earned",
    "earned at most (% of its start value)",
    "Which share of the jobs earned at most which part of what they were worth at submission.",
    "jobs",
    percents,
    lambda run: series.start_value_share_distribution(run.workload, run.schedule).scaled(100),
)
USERS = (
    Spread(
        "user-waits",
        "Mean waits of users",
        "mean wait, at most",
        "Which share of the users waited at most how long on average.",
        "users",
        durations,
        lambda run: Distribution.of(_users(run).wait),
    ),
    Spread(
        "user-slowdowns",
        "Mean bounded slowdowns of users",
        "mean bounded slowdown, at most",
        "Which share of the users were slowed down at most so many times on average.",
        "users",
        _logarithmic,
        lambda run: Distribution.of(_users(run).bounded_slowdown),
    ),
    Spread(
        "user-shares",
        "Mean shares of start value that users earned",
        "mean share of start value earned, at most (%)",
        "Which share of the users earned at most which part on average.",
        "users",
        percents,
        lambda run: Distribution.of(100 * _users(run).start_value_share),
    ),
)


def _users(run: RunResults) -> Users:
    return series.users(run.workload, run.schedule, run.tau)


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
    both = {
        "x": percents(alt.X, "users", across),
        "y": percents(alt.Y, "slowdowns", up),
    }
    equal = alt.Chart(ends).mark_line(color=BOUND, strokeDash=[1, 3]).encode(**both)
    lines = (
        alt.Chart(data("lorenz", columns))
        .mark_line()
        .encode(
            **both,
            tooltip=tips(run="run", users=across, slowdowns=up),
            **by_run(labels, "strokeDash"),
        )
    )
    caption = "The nearer to the dotted diagonal, the more alike users fared."
    return Picture(
        "lorenz", "Fairness among users", alt.layer(equal, lines).properties(height=HEIGHT), caption
    )


def lorenz_columns(runs: Mapping[str, RunResults]) -> Columns:
    """Return the columns of `lorenz`."""
    curves = {label: series.lorenz(_users(run).bounded_slowdown) for label, run in runs.items()}
    return joined(
        {
            label: {"users": 100 * curve.users, "slowdowns": 100 * curve.metric}
            for label, curve in curves.items()
        }
    )
