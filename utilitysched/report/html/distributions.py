"""Distributions of waits and of earned shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from bokeh.models import Range1d
from bokeh.plotting import figure

from utilitysched.analysis.documents import ResultTable
from utilitysched.analysis.series import (
    Distribution,
    start_value_share_distribution,
    wait_distribution,
)
from utilitysched.report.html.canvas import (
    LEAST_DURATION,
    ReportSection,
    blank,
    draw_line,
    filled,
    point_at,
    scale_durations,
    table_by_run,
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
    _draw(drawn, "waits", found, "waited at most @said")
    return ReportSection(
        "waits",
        "Waits",
        "Which share of the jobs waited at most how long until they first started; waits below "
        "10 s are drawn at 10 s. "
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
    _draw(drawn, "shares", found, "earned at most @said")
    return ReportSection(
        "shares",
        "Share of the start value earned",
        "Which share of the jobs earned at most which part of what they were worth at submission. "
        "The further down and to the right, the more was earned.",
        drawn,
        table=_table("earned at most", found, SHARE_LEVELS),
        lines=dict(enumerate(found)),
    )


def _draw(drawn: figure, key: str, labels: Iterable[str], text: str) -> None:
    """Draw a step at each value, and say what is pointed at."""
    for place, label in enumerate(labels):
        line = draw_line(drawn, place, filled(key, place, ("x", "y", "said")))
        tips = [(label, f"@y{{0.0}}% of the jobs {text}")]
        point_at(drawn, tips, renderers=[line], line_policy="nearest")


def _table(
    name: str, found: Mapping[str, Distribution], levels: Sequence[tuple[str, float]]
) -> ResultTable:
    at = np.array([value for _, value in levels])
    shares = {label: each.at(at) for label, each in found.items()}
    texts = [text for text, _ in levels]
    return table_by_run(("levels", name, "level"), " (% of jobs)", texts, shares, "percent")
