"""Runs beside the first one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.models.annotations import Span
from bokeh.plotting import figure

from utilitysched.report.html.canvas import (
    ReportSection,
    blank,
    draw_points,
    name_rows,
    point_at,
    without_fading,
)
from utilitysched.report.html.palette import BETTER, GREY, WORSE
from utilitysched.report.html.shown import Shown
from utilitysched.report.ratios import beside

METRICS = {
    "aggregate_utility": "aggregate utility",
    "utilisation": "utilisation",
    "wait_mean": "mean wait",
    "wait_p98": "wait, 98% of jobs at most",
    "wait_p100": "longest wait",
    "turnaround_mean": "mean turnaround",
    "bounded_slowdown_mean": "mean bounded slowdown",
    "requested_expansion_factor_p75": "expansion factor, 75%",
    "makespan": "makespan",
}
"""Of which ratios are shown."""

MORE_IS_BETTER = {"aggregate_utility", "utilisation"}

LADDERS = (
    (0.9, 0.95, 1, 1.05, 1.1),
    (0.5, 0.6, 0.8, 1, 1.25, 1.6, 2),
    (0.1, 0.2, 0.5, 1, 2, 5, 10),
    (0.001, 0.01, 0.1, 1, 10, 100, 1000),
)
"""Marks of scales of ratios, of which the first is taken that goes far enough."""

MARGIN = 1.03
"""Factor beyond the outermost marks."""

ROW, MARGINS = 34, 110
"""Pixels for each metric, and for scales and tools."""

FULL = 0.9
"""Share of a row that is coloured."""

SPREAD = 0.5
"""Of the marks of a row, in rows, so that none hides another."""


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the ratios of several runs to the first; nothing for one run."""
    shares = _ratios(shown)
    if len(shown) > 1 and shares:
        yield _picture(shown, shares)


def _ratios(shown: Shown) -> dict[str, list[float]]:
    """Ratios of each run by metric; metrics that not all runs have are left out."""
    found: dict[str, list[float]] = {}
    for metric in METRICS:
        values = [run.summary.get(metric) for run in shown.runs]
        if values[0] and None not in values:
            found[metric] = [value / values[0] for value in values]
    return found


def _picture(shown: Shown, found: dict[str, list[float]]) -> ReportSection:
    baseline, scale = shown.labels[0], _scale([ratio for row in found.values() for ratio in row])
    logarithmic = scale["x_axis_type"] == "log"
    drawn = blank(
        f"ratio to {baseline}{' (logarithmic)' if logarithmic else ''}",
        "",
        height=MARGINS + ROW * len(found),
        x_axis_type=scale["x_axis_type"],
        x_range=scale["x_range"],
    )
    if logarithmic:
        drawn.xaxis.ticker = FixedTicker(ticks=scale["marks"])
    name_rows(drawn, [METRICS[metric] for metric in found])
    _shade(drawn, list(found), scale["x_range"])
    drawn.add_layout(Span(location=1, dimension="height", line_color=GREY, line_width=2))
    points = []
    for place, label in shown.key.items():
        ratios = [row[place] for row in found.values()]
        apart = SPREAD * (place / (len(shown) - 1) - 0.5)
        columns = {
            "x": ratios,
            "y": [row + apart for row in range(len(found))],
            "metric": [METRICS[metric] for metric in found],
            "run": [label] * len(found),
            "said": [f"{beside(ratio)} {baseline}" for ratio in ratios],
        }
        points.append(draw_points(drawn, place, ColumnDataSource(data=columns)))
    tips = [("run", "@run"), ("metric", "@metric"), ("ratio", "@x{0.000}"), ("", "@said")]
    point_at(drawn, tips, renderers=points)
    return ReportSection(
        "comparison",
        f"Compared with {baseline}",
        f"Figures of each run divided by those of {baseline}. One workload each: no interval can "
        "be given.",
        drawn,
        lines=shown.key,
        marked=True,
        colours={f"{BETTER}55": f"better than {baseline}", f"{WORSE}55": "worse"},
        wide=True,
    )


def _scale(ratios: Sequence[float]) -> dict[str, Any]:
    """Return a scale with marks on both sides of 1; it is linear if a ratio is not positive."""
    least, most = min(*ratios, 1), max(*ratios, 1)
    if least <= 0:
        margin = 0.1 * (most - least)
        return {
            "x_axis_type": "linear",
            "x_range": Range1d(start=least - margin, end=most + margin),
        }
    far = max(most, 1 / least)
    ladder = next((each for each in LADDERS if each[-1] >= far), LADDERS[-1])
    start = max([mark for mark in ladder if mark < 1 and mark <= least] or ladder[:1])
    end = min([mark for mark in ladder if mark > 1 and mark >= most] or ladder[-1:])
    return {
        "x_axis_type": "log",
        "x_range": Range1d(start=min(start, least) / MARGIN, end=max(end, most) * MARGIN),
        "marks": [mark for mark in ladder if start <= mark <= end],
    }


def _shade(drawn: figure, metrics: Sequence[str], scale: Range1d) -> None:
    """Colour each row on its better and on its worse side of 1."""
    for left, right, above in ((scale.start, 1, False), (1, scale.end, True)):
        good = [(metric in MORE_IS_BETTER) == above for metric in metrics]
        columns = {
            "y": list(range(len(metrics))),
            "colour": [BETTER if each else WORSE for each in good],
        }
        band = drawn.hbar(
            y="y",
            height=FULL,
            left=left,
            right=right,
            source=ColumnDataSource(data=columns),
            fill_color="colour",
            fill_alpha=0.15,
            line_color=None,
        )
        without_fading(band)
