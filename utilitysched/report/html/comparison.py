"""Runs beside the first one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.models.annotations import Span
from bokeh.plotting import figure

from utilitysched.analysis.metrics.catalogue import known_metrics, own_metrics
from utilitysched.report.html.canvas import (
    ReportSection,
    blank,
    draw_points,
    filled,
    name_rows,
    point_at,
    without_fading,
)
from utilitysched.report.html.shown import BETTER, GREY, WORSE, Shown

METRICS = {
    "aggregate_utility": "aggregate utility",
    "utilisation": "utilisation",
    "wait_mean": "mean wait",
    "wait_p98": "wait, 98% of jobs at most",
    "wait_p100": "longest wait",
    "submission_wait_mean": "mean wait from submission",
    "turnaround_mean": "mean turnaround",
    "bounded_slowdown_mean": "mean bounded slowdown",
    "requested_expansion_factor_p75": "expansion factor, 75%",
    "makespan": "makespan",
}
"""Of which ratios are shown, beside those of plug-ins."""

ROW, MARGINS = 34, 110
"""Pixels for each metric, and for scales and tools."""

FAR = 1e6
"""Ratio that none is beyond in the picture."""

FACTS = ("metric", "run", "said")
FULL = 0.9
"""Share of a row that is coloured."""


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the ratios of several runs to the first; nothing for one run."""
    titles = METRICS | {own.name: own.title for own in own_metrics()}
    shares = _ratios(shown, titles)
    if len(shown) > 1 and shares:
        yield _picture(shown, shares, titles)


def _ratios(shown: Shown, metrics: Iterable[str]) -> dict[str, list[float]]:
    """Ratios of each run by metric; metrics that not all runs have are left out."""
    ratios: dict[str, list[float]] = {}
    for metric in metrics:
        values = [run.summary.get(metric) for run in shown.runs]
        if values[0] and None not in values:
            ratios[metric] = [value / values[0] for value in values]
    return ratios


def _picture(
    shown: Shown, ratios: Mapping[str, list[float]], titles: Mapping[str, str]
) -> ReportSection:
    baseline = shown.labels[0]
    logarithmic = all(ratio > 0 for row in ratios.values() for ratio in row)
    drawn = blank(
        f"ratio to {baseline}{' (logarithmic)' if logarithmic else ''}",
        "",
        height=MARGINS + ROW * len(ratios),
        x_axis_type="log" if logarithmic else "linear",
        x_range=Range1d(start=0.5, end=2, name="ratios"),  # the page's script sets it
    )
    if logarithmic:
        drawn.xaxis.ticker = FixedTicker(name="ratio marks")
    name_rows(drawn, [titles[metric] for metric in ratios])
    _shade(drawn, list(ratios), logarithmic=logarithmic)
    drawn.add_layout(Span(location=1, dimension="height", line_color=GREY, line_width=2))
    columns = ("x", "y", *FACTS)
    points = [
        draw_points(drawn, place, filled("comparison", place, columns)) for place in shown.key
    ]
    tips = [("run", "@run"), ("metric", "@metric"), ("", "@said")]
    point_at(drawn, tips, renderers=points)
    return ReportSection(
        "comparison",
        f"Compared with {baseline}",
        f"Figures of each run divided by those of {baseline}. One workload each: no interval can "
        "be given.",
        drawn,
        lines=shown.key,
        marked=True,
        metrics={metric: titles[metric] for metric in ratios},
        colours={f"{BETTER}55": f"better than {baseline}", f"{WORSE}55": "worse"},
        wide=True,
    )


def _shade(drawn: figure, metrics: Sequence[str], *, logarithmic: bool) -> None:
    """Colour each row on its better and on its worse side of 1."""
    known = known_metrics()
    for left, right, above in ((1 / FAR if logarithmic else -FAR, 1, False), (1, FAR, True)):
        good = [(known[metric].better == "higher") == above for metric in metrics]
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
