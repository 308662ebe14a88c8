"""Schedules week by week."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from utilitysched.analysis.documents import ResultTable, column, panel
from utilitysched.analysis.metrics.weekly import WEEK
from utilitysched.analysis.series import Weeks, weeks
from utilitysched.report.html.canvas import ReportSection, draw_line, from_zero, over_time, point_at
from utilitysched.report.html.shown import Shown


class Weekly(NamedTuple):
    """A figure by week: its field in `Weeks`, title, unit, and what it is multiplied with."""

    field: str
    title: str
    unit: str
    caption: str
    factor: float = 1.0


FIGURES = (
    Weekly(
        "wait", "Mean wait by week", "mean wait (h)", "Of the jobs submitted in the week.", 1 / 3600
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


def pictures(shown: Shown, shared: Range1d) -> Iterator[ReportSection]:
    """Yield a chart per figure; that of utility only for jobs that have utility functions."""
    found = {label: weeks(run.workload, run.schedule, run.tau) for label, run in shown}
    for wanted in FIGURES:
        if wanted.field != "utility" or shown.workload.has_utilities:
            yield _picture(wanted, found, shown, shared)


def _picture(
    wanted: Weekly, found: dict[str, Weeks], shown: Shown, shared: Range1d
) -> ReportSection:
    drawn = over_time(shown.scale, shared, wanted.unit, y_range=from_zero())
    for place, (label, each) in enumerate(found.items()):
        end = np.minimum(each.start + WEEK, shown.scale.origin + shown.scale.length)
        columns = {
            "x": shown.scale.place((each.start + end) / 2),
            "y": wanted.factor * getattr(each, wanted.field),
            "week": list(each.label),
        }
        marks = draw_line(drawn, place, ColumnDataSource(data=columns), marked=True)
        tips = [(label, f"@y{{0,0.[00]}} {wanted.unit}"), ("week from", "@week")]
        point_at(drawn, tips, renderers=[marks])
    return ReportSection(
        f"weekly-{wanted.field.replace('_', '-')}",
        wanted.title,
        f"{wanted.caption} Weeks are counted from the first submission; each is marked in its "
        "middle.",
        drawn,
        table=_table(wanted, found),
        lines=dict(enumerate(found)),
        marked=True,
    )


def _table(wanted: Weekly, found: dict[str, Weeks]) -> ResultTable:
    columns = {label: wanted.factor * getattr(each, wanted.field) for label, each in found.items()}
    dates = max((each.label for each in found.values()), key=len)
    return panel(
        wanted.field,
        "In figures",
        "",
        [
            column("week from", "text", "week"),
            *(column(f"{label}: {wanted.unit}", "number", label) for label in found),
        ],
        [
            (date, *(float(each[i]) if i < len(each) else None for each in columns.values()))
            for i, date in enumerate(dates)
        ],
    )
