"""Runs beside the first one."""

from __future__ import annotations

from collections.abc import Iterator

from bokeh.models import ColumnDataSource, DataRange1d
from bokeh.models.annotations import Span

from utilitysched.report.html.canvas import ReportSection, blank, draw_points, name_rows, point_at
from utilitysched.report.html.palette import GREY
from utilitysched.report.html.shown import Shown
from utilitysched.report.ratios import is_wide

METRICS = {
    "aggregate_utility": "aggregate utility",
    "utilisation": "utilisation",
    "wait_mean": "mean wait",
    "wait_p98": "wait, 98% of jobs at most",
    "turnaround_mean": "mean turnaround",
    "bounded_slowdown_mean": "mean bounded slowdown",
    "requested_expansion_factor_p75": "expansion factor, 75%",
    "makespan": "makespan",
}
"""Of which ratios are shown."""

ROW, MARGINS = 34, 110
"""Pixels for each metric, and for scales and tools."""

SPREAD = 0.5
"""Of the marks of a row, in rows, so that none hides another."""


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the ratios of several runs to the first; nothing for one run."""
    shares = _ratios(shown)
    if len(shown) > 1 and shares:
        yield _picture(shown, shares)


def _ratios(shown: Shown) -> dict[str, list[float | None]]:
    """Ratios of each run by metric; metrics without any are left out."""
    found: dict[str, list[float | None]] = {}
    for metric in METRICS:
        values = [run.summary.get(metric) for run in shown.runs]
        if values[0]:
            found[metric] = [None if value is None else value / values[0] for value in values]
    return found


def _picture(shown: Shown, found: dict[str, list[float | None]]) -> ReportSection:
    reached = [ratio for row in found.values() for ratio in row if ratio is not None]
    wide = is_wide(reached)
    drawn = blank(
        f"ratio to {shown.labels[0]}" + (" (logarithmic)" if wide else ""),
        "",
        height=MARGINS + ROW * len(found),
        x_axis_type="log" if wide else "linear",
        x_range=DataRange1d(range_padding=0.1),
    )
    name_rows(drawn, [METRICS[metric] for metric in found])
    drawn.add_layout(Span(location=1, dimension="height", line_color=GREY, line_dash=[2, 2]))
    for place, label in shown.key.items():
        rows = [(i, row[place]) for i, row in enumerate(found.values()) if row[place] is not None]
        apart = SPREAD * (place / (len(shown) - 1) - 0.5)
        columns = {
            "x": [ratio for _, ratio in rows],
            "y": [i + apart for i, _ in rows],
            "metric": [METRICS[list(found)[i]] for i, _ in rows],
            "run": [label] * len(rows),
        }
        draw_points(drawn, place, ColumnDataSource(data=columns))
    tips = [("run", "@run"), ("metric", "@metric"), ("ratio", "@x{0.000}")]
    point_at(drawn, tips)
    return ReportSection(
        "comparison",
        f"Compared with {shown.labels[0]}",
        f"Figures of each run divided by those of {shown.labels[0]}. More is better for utility "
        "and utilisation, less for all others. One workload each: no interval can be given.",
        drawn,
        lines=shown.key,
        marked=True,
    )
