"""Distributions of waits and of earned shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from utilitysched.analysis.documents import ResultTable, column, panel
from utilitysched.analysis.series import (
    Distribution,
    start_value_share_distribution,
    wait_distribution,
)
from utilitysched.model.state import Floats
from utilitysched.report.html.canvas import (
    LEAST_DURATION,
    ReportSection,
    blank,
    draw_line,
    point_at,
    scale_durations,
)
from utilitysched.report.html.shown import Shown

WAIT_LEVELS = (
    ("at once", 0.0),
    ("1 min", 60.0),
    ("10 min", 600.0),
    ("1 h", 3600.0),
    ("10 h", 36_000.0),
    ("1 d", 86_400.0),
    ("4 d", 345_600.0),
)
SHARE_LEVELS = tuple((f"{percent}%", percent / 100) for percent in (0, 10, 25, 50, 75, 90, 100))


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the distribution of waits, and that of earned shares where jobs have start values."""
    waits = {label: wait_distribution(run.workload, run.schedule) for label, run in shown}
    yield _waits(waits)
    shares = {
        label: start_value_share_distribution(run.workload, run.schedule) for label, run in shown
    }
    if any(len(each) for each in shares.values()):
        yield _shares(shares)


def _waits(found: Mapping[str, Distribution]) -> ReportSection:
    longest = max(float(each.value[-1]) for each in found.values())
    drawn = blank(
        "waited at most (logarithmic)",
        "jobs (%)",
        x_axis_type="log",
        x_range=Range1d(start=LEAST_DURATION, end=max(longest, 6 * LEAST_DURATION) * 1.1),
        y_range=Range1d(start=0, end=102),
    )
    scale_durations(drawn)
    for place, (label, each) in enumerate(found.items()):
        thin = each.thinned()
        line = _draw(drawn, place, np.maximum(thin.value, LEAST_DURATION), thin.share)
        _point(drawn, line, label, "waited at most @x{0,0} s")
    return ReportSection(
        "waits",
        "Waits",
        "Which share of the jobs waited at most how long; waits below 10 s are drawn at 10 s. "
        "The further up and to the left, the shorter the waits.",
        drawn,
        table=_table("wait at most", found, WAIT_LEVELS),
        lines=dict(enumerate(found)),
    )


def _shares(found: Mapping[str, Distribution]) -> ReportSection:
    drawn = blank(
        "earned at most (% of its start value)",
        "jobs (%)",
        x_range=Range1d(start=0, end=100),
        y_range=Range1d(start=0, end=102),
    )
    for place, (label, each) in enumerate(found.items()):
        thin = each.scaled(100).thinned()
        line = _draw(drawn, place, thin.value, thin.share)
        _point(drawn, line, label, "earned at most @x{0.0}%")
    return ReportSection(
        "shares",
        "Share of the start value earned",
        "Which share of the jobs earned at most which part of what they were worth at submission. "
        "The further down and to the right, the more was earned.",
        drawn,
        table=_table("earned at most", found, SHARE_LEVELS),
        lines=dict(enumerate(found)),
    )


def _draw(drawn: figure, place: int, value: Floats, share: Floats) -> GlyphRenderer[Any]:
    """Draw a step at each value, from the bottom."""
    heights = np.concatenate([[0.0], 100 * share])
    corners = {"x": np.repeat(value, 2), "y": np.repeat(heights, 2)[1:-1]}
    return draw_line(drawn, place, ColumnDataSource(data=corners))


def _point(drawn: figure, line: GlyphRenderer[Any], label: str, text: str) -> None:
    tips = [(label, f"@y{{0.0}}% of the jobs {text}")]
    point_at(drawn, tips, renderers=[line], line_policy="nearest")


def _table(
    name: str, found: Mapping[str, Distribution], levels: Sequence[tuple[str, float]]
) -> ResultTable:
    at = np.array([value for _, value in levels])
    shares = [each.at(at) for each in found.values()]
    return panel(
        "levels",
        "In figures",
        "",
        [
            column(name, "text", "level"),
            *(column(f"{label} (% of jobs)", "percent", label) for label in found),
        ],
        [(text, *(float(column[i]) for column in shares)) for i, (text, _) in enumerate(levels)],
    )
