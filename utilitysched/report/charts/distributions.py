"""Distributions over the jobs and the users, and how unequal users are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import NamedTuple

import altair as alt
import numpy as np

from swfx import InputError
from swfx.base.numbers import UNKNOWN
from utilitysched import metrics
from utilitysched.analysis import series
from utilitysched.analysis.series import Distribution, Users
from utilitysched.model.state import Floats
from utilitysched.report.charts.channels import LETTERS, by_run, joined, tips
from utilitysched.report.charts.look import BOUND
from utilitysched.report.charts.over_time import HEIGHT, LOW
from utilitysched.report.charts.picture import Columns, Picture, above, data
from utilitysched.report.charts.scales import (
    ScaleOf,
    duration_text,
    durations,
    logarithms,
    percents,
)
from utilitysched.runs import RunResults

LEVELS = 300
"""Rows of pixels of a distribution."""


class Distributed(NamedTuple):
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
        Gives what is distributed in a run; not a number where it is not defined.
    """

    key: str
    title: str
    label: str
    caption: str
    of: str
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


WAITS = Distributed(
    "waits",
    "Waits",
    "waited at most",
    "Which share of the jobs waited at most how long until they first started.",
    "jobs",
    durations,
    lambda run: metrics.wait(run.workload, run.schedule),
)
SHARES = Distributed(
    "shares",
    "Share of the start value earned",
    "earned at most (% of its start value)",
    "Which share of the jobs earned at most which part of what they were worth at submission.",
    "jobs",
    percents,
    lambda run: 100 * metrics.start_value_share(run.workload, run.schedule),
)
USERS = (
    Distributed(
        "user-waits",
        "Mean waits of users",
        "mean wait, at most",
        "Which share of the users waited at most how long on average.",
        "users",
        durations,
        lambda run: _users(run).wait,
    ),
    Distributed(
        "user-slowdowns",
        "Mean bounded slowdowns of users",
        "mean bounded slowdown, at most",
        "Which share of the users were slowed down at most so many times on average.",
        "users",
        logarithms,
        lambda run: _users(run).bounded_slowdown,
    ),
    Distributed(
        "user-shares",
        "Mean shares of start value that users earned",
        "mean share of start value earned, at most (%)",
        "Which share of the users earned at most which part on average.",
        "users",
        percents,
        lambda run: 100 * _users(run).start_value_share,
    ),
)


def check_users(runs: Mapping[str, RunResults]) -> None:
    """Refuse to compare fewer than two users."""
    if len(_users(next(iter(runs.values()))).user) < 2:
        raise InputError("the log tells fewer than two users apart")


def _users(run: RunResults) -> Users:
    return series.users(run.workload, run.schedule, run.tau)


def fairness(runs: Mapping[str, RunResults]) -> Picture:
    """Return the distributions over the users above each other, with coefficients of each.

    Raises
    ------
    InputError
        The log tells fewer than two users apart.
    """
    check_users(runs)
    panels = []
    for spread in USERS:
        columns = spread.columns(runs)
        if len(np.asarray(columns["run"])):
            picture = spread.picture(columns, list(runs))
            titled = picture.chart.properties(title=_coefficients(spread, runs), height=LOW)
            panels.append(replace(picture, chart=titled))
    return above("fairness", "Fairness among users", panels)


def _coefficients(spread: Distributed, runs: Mapping[str, RunResults]) -> list[str]:
    """Return Gini coefficient and Jain's index of each run, in lines."""
    texts = []
    for label, run in runs.items():
        indices = series.fairness(spread.values(run))
        figures = (UNKNOWN if index is None else f"{index:.2f}" for index in indices)
        texts.append(f"{label.replace(chr(10), '')} {', '.join(figures)}")
    return wrap(f"Gini, Jain: {'; '.join(texts)}", LETTERS)


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
