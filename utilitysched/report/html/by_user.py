"""Fairness among users."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from bokeh.models import ColumnDataSource, Range1d
from bokeh.models.renderers import DataRenderer

from swfx.base.numbers import significant
from utilitysched.analysis.documents import Cell, ResultTable, column, panel
from utilitysched.analysis.series import Users, fairness, lorenz, users
from utilitysched.report.html.canvas import (
    LEAST_DURATION,
    ReportSection,
    blank,
    draw_line,
    draw_points,
    point_at,
    scale_durations,
)
from utilitysched.report.html.palette import GREY
from utilitysched.report.html.shown import Shown

MOST_ROWS = 20
LEAST_HOURS = 0.01
"""Users with less are drawn here (processor-hours)."""


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield mean waits of users, and how unevenly slowdowns are spread; none for one user."""
    found = {
        label: users(
            run.workload,
            run.schedule,
            run.tau,
            None if run.bill is None else run.bill.charge,
        )
        for label, run in shown
    }
    if len(next(iter(found.values())).user) > 1:
        yield _waits(found)
        yield _evenness(found)


def _waits(found: dict[str, Users]) -> ReportSection:
    longest = max(float(each.wait.max()) for each in found.values())
    drawn = blank(
        "processor-hours used (h, logarithmic)",
        "mean wait (logarithmic)",
        x_axis_type="log",
        y_axis_type="log",
        y_range=Range1d(start=LEAST_DURATION * 0.8, end=max(longest, 6 * LEAST_DURATION) * 1.3),
    )
    scale_durations(drawn, "y")
    for place, (label, each) in enumerate(found.items()):
        columns = {
            "x": np.maximum(each.processor_hours, LEAST_HOURS),
            "y": np.maximum(each.wait, LEAST_DURATION),
            "user": each.user,
            "jobs": each.jobs,
            "hours": each.wait / 3600,
            "run": [label] * len(each.user),
        }
        draw_points(drawn, place, ColumnDataSource(data=columns))
    tips = [
        ("user", "@user"),
        ("run", "@run"),
        ("jobs", "@jobs{0,0}"),
        ("processor-hours", "@x{0,0.[00]}"),
        ("mean wait", "@hours{0,0.[00]} h"),
    ]
    point_at(drawn, tips)
    return ReportSection(
        "users",
        "Users",
        "Each mark is a user: what they used, and how long their jobs waited. Means below 10 s are "
        "drawn at 10 s. Jobs of unknown users are left out.",
        drawn,
        table=_largest(found),
        lines=dict(enumerate(found)),
        marked=True,
    )


def _evenness(found: dict[str, Users]) -> ReportSection:
    drawn = blank(
        "users, the least slowed down first (%)",
        "sum of their slowdowns (%)",
        x_range=Range1d(start=0, end=100),
        y_range=Range1d(start=0, end=102),
    )
    drawn_lines: list[DataRenderer] = []
    said = []
    for place, (label, each) in enumerate(found.items()):
        curve = lorenz(each.bounded_slowdown)
        columns = {"x": 100 * curve.users, "y": 100 * curve.metric}
        drawn_lines.append(draw_line(drawn, place, ColumnDataSource(data=columns)))
        gini, jain = fairness(each.bounded_slowdown)
        said.append(f"{label}: Gini {significant(gini)}, Jain {significant(jain)}")
    drawn.line([0, 100], [0, 100], line_color=GREY, line_dash=[1, 3])
    tip = "@x{0.0}% of the users have @y{0.0}% of the slowdowns"
    point_at(drawn, tip, renderers=drawn_lines, line_policy="nearest")
    return ReportSection(
        "evenness",
        "Evenness among users",
        "Lorenz curves of the users' mean bounded slowdowns: the nearer to the dotted diagonal, "
        f"the more alike users fared. {'; '.join(said)}. Gini 0 and Jain 1: all alike.",
        drawn,
        lines=dict(enumerate(found)),
    )


def _largest(found: dict[str, Users]) -> ResultTable:
    """Those who used most."""
    first = next(iter(found.values()))
    chosen = np.argsort(-first.processor_hours, kind="stable")[:MOST_ROWS].tolist()
    rows: list[list[Cell]] = []
    for i in chosen:
        waits = [float(each.wait[i]) / 3600 for each in found.values()]
        hours = float(first.processor_hours[i])
        rows.append([str(first.user[i]), int(first.jobs[i]), hours, *waits])
    return panel(
        "largest-users",
        "In figures",
        f"Of {len(first.user)} users, the {len(rows)} who used most.",
        [
            column("user", "text", "user"),
            column("jobs", "count", "jobs"),
            column("processor-hours", "count", "processor_hours"),
            *(column(f"{label}: mean wait (h)", "number", label) for label in found),
        ],
        rows,
    )
