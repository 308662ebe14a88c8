"""Runs and schedulers beside a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import ArrayLike

from swfx import InputError
from swfx.base.numbers import significant
from utilitysched.analysis.metrics.catalogue import known_metrics
from utilitysched.analysis.statistics import Comparison, compare_all
from utilitysched.report.charts import look
from utilitysched.report.charts.channels import LETTERS, by_run, folded, tips
from utilitysched.report.charts.look import BETTER, BOUND, INK, QUIET, WORSE
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import NUMBER, check_told_apart
from utilitysched.report.comparison import WIDE_RANGE, check_baseline
from utilitysched.runs import RunResults

METRICS = ("aggregate_utility", "wait_mean", "bounded_slowdown_mean")
"""That papers compare."""

ROW = 14
"""Height of a line (pixels)."""

LINE = 8
"""Height of a line of a name (points on paper)."""

MARGIN = 10
"""Pixels between the ends of the scale and the outermost marks."""

MOST = 22
"""Letters of a line beside a chart."""

SMALL = "abs(datum.ratio - 1) <= 0.01 && !isValid(datum.low)"
"""Differences in grey: without an interval they may be chance."""

TICKS = [float(f"{digit}e{power}") for power in range(-6, 7) for digit in (1, 2, 5)]
"""Of ratios that differ by more than `WIDE_RANGE`."""


def comparison(
    columns: Columns, labels: Sequence[str], baseline: str, better: Mapping[str, str]
) -> Picture:
    """Return the ratios of runs to a baseline: a row for each metric, in it a line for each run.

    Parameters
    ----------
    columns : mapping of str to array_like
        metric: one of the rows; run: one of the labels; ratio: above 0; low, high: ends of its
        interval, may be missing; text: the ratio as it is written beside the row.
    labels : sequence of str
        Of all runs, the baseline's among them.
    baseline : str
        Label of the run that others are divided by.
    better : mapping of str to str
        ``higher`` or ``lower`` by metric: the rows, from above.
    """
    others = [label for label in labels if label != baseline]
    lines = alt.YOffset("run:N", scale=alt.Scale(domain=others))
    ways = {"yOffset": lines, **by_run(labels, "shape", named=others)}
    beside = ", 95% intervals" if np.isfinite(columns.get("low", [np.nan])).any() else ""
    layers = _ratios(columns, "metric", better, ways, f"ratio to {baseline}{beside}")
    chart = alt.layer(*layers, height=len(better) * (ROW * len(others) + 6))
    caption = f"Figures of each run divided by those of {baseline}. Shaded: the better side of 1."
    return Picture("comparison", f"Compared with {baseline}", chart, caption)


def compared(runs: Sequence[RunResults], baseline: str | None = None) -> Picture:
    """Return the ratios of runs to those of a baseline on the same workloads.

    Of one workload each ratio stands alone; of several there are intervals.

    Raises
    ------
    InputError
        There is one scheduler only, there are too many, or the baseline is none of them.
    """
    labels = list(dict.fromkeys(run.label for run in runs))
    chosen = labels[0] if baseline is None else baseline
    check_baseline(chosen, labels)
    if len(labels) < 2:
        raise InputError("a comparison needs runs of two schedulers")
    check_told_apart(len(labels))
    known = known_metrics()
    better = {known[metric].title: known[metric].better for metric in METRICS}
    rows = [
        (known[metric].title, folded(label), row)
        for metric in METRICS
        for label, row in _beside(runs, metric, chosen).items()
        if label != chosen and row.ratio is not None
    ]
    if not rows:
        raise InputError("no metric has a ratio to the baseline", field=chosen)
    metrics, names, ratios = zip(*rows, strict=True)
    columns = {"metric": metrics, "run": names} | _columns(ratios)
    return comparison(columns, list(map(folded, labels)), folded(chosen), better)


def _beside(runs: Sequence[RunResults], metric: str, baseline: str) -> Mapping[str, Comparison]:
    """Return the comparison of a metric by scheduler, paired by workload."""
    values: dict[str, dict[Any, list[float | None]]] = {}
    for run in runs:
        cells = values.setdefault(run.label, {})
        cells.setdefault(run.workload.digest(), []).append(run.summary[metric])
    return compare_all(values, baseline)


def ratios(
    rows: Mapping[str, Comparison],
    baseline: str,
    metric: str,
    published: Mapping[str, float],
    heading: str = "",
) -> Picture:
    """Return the ratios of any number of candidates to a baseline, a line for each.

    Parameters
    ----------
    rows : mapping of str to Comparison
        By candidate, from above; the baseline and those without a ratio are left out.
    baseline, metric : str
        What ratios are to, and of which metric.
    published : mapping of str to float
        Ratios by candidate that others found: diamonds.
    heading : str
        Where the comparisons hold.

    Raises
    ------
    InputError
        No candidate has a ratio.
    """
    shown = {name: row for name, row in rows.items() if name != baseline and row.ratio is not None}
    if not shown:
        raise InputError("no metric has a ratio to the baseline", field=baseline)
    names = list(map(short, shown))
    columns = {"run": names} | _columns(list(shown.values()))
    axis = f"ratio to {baseline}"
    if theirs := [published.get(name, np.nan) for name in shown if published]:
        columns["published"] = theirs
        axis += ", diamonds: published"
    axis += ", 95% intervals" if any(row.interval for row in shown.values()) else ""
    known = known_metrics()[metric]
    better = dict.fromkeys(names, known.better)
    layers = _ratios(columns, "run", better, {"color": alt.value(look.colour(0))}, axis)
    title = [*wrap(heading, LETTERS), known.title]
    chart = alt.layer(*layers, height=rows_height(names), title=title)
    return Picture(f"ratio-{metric}", known.title, chart, "Shaded: the better side of 1.")


def _columns(rows: Sequence[Comparison]) -> dict[str, ArrayLike]:
    ends = [row.interval or (np.nan, np.nan) for row in rows]
    return {
        "ratio": [np.nan if row.ratio is None else row.ratio for row in rows],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "text": [significant(row.ratio) for row in rows],
    }


def _ratios(
    columns: Columns, row: str, better: Mapping[str, str], ways: Mapping[str, Any], axis: str
) -> Sequence[alt.Chart]:
    """Return marks, intervals and figures over shades, each in its row."""
    y = in_rows(row, better)
    x = _scale(columns, axis)
    ratios = alt.Chart(data("comparison", columns)).encode(
        y=y, tooltip=tips(run="run", text="ratio")
    )
    if "yOffset" in ways:
        ratios = ratios.encode(yOffset=ways["yOffset"])
    intervals = ratios.transform_filter("isValid(datum.low)").mark_rule()
    layers = [
        *_sides(row, better),
        alt.Chart(alt.InlineData(values=[{}])).mark_rule(color=BOUND).encode(x=alt.datum(1)),
        intervals.encode(x=x("low"), x2="high:Q", color=ways["color"]),
        ratios.mark_point(filled=True, opacity=1).encode(x=x("ratio"), **ways),
        ratios.mark_text(align="left", dx=4).encode(
            x=alt.value("width"),
            text="text:N",
            color=alt.condition(SMALL, alt.value(QUIET), alt.value(INK)),
        ),
    ]
    if "published" in columns:
        theirs = ratios.transform_filter("isValid(datum.published)")
        layers.append(theirs.mark_point(shape="diamond", color=INK).encode(x=x("published")))
    return layers


def rows_height(names: Iterable[str]) -> int:
    """Return the height of rows with names beside them (pixels)."""
    names = list(names)
    lines = max(name.count("\n") + 1 for name in names)
    return len(names) * max(ROW, LINE * lines + MARGIN // 2) + MARGIN // 2


def in_rows(column: str, names: Iterable[str]) -> alt.Y:
    """Return a vertical scale of names, all of which are written."""
    axis = alt.Axis(grid=False, labelOverlap=False)
    return alt.Y(f"{column}:N", sort=list(names), title=None, axis=axis)


def short(label: str) -> str:
    """Return a label in lines for which there is room beside a chart."""
    return folded(label, MOST)


def _scale(columns: Columns, title: str) -> Callable[[str], alt.X]:
    """Return what makes the horizontal scale of a column: logarithmic if all ratios allow it."""
    drawn = [columns[name] for name in ("ratio", "low", "published") if name in columns]
    positive = np.nanmin(np.concatenate([[1.0], *drawn]).astype(np.float64)) > 0
    reach = "extent(pluck(data('comparison'), 'ratio'))"
    wide = f"max(1, {reach}[1]) / min(1, {reach}[0]) > {WIDE_RANGE}"
    ticks = f"{wide} ? {TICKS} : null" if positive else "null"
    marks = alt.Axis(labelExpr=NUMBER, grid=False, labelOverlap="greedy", values=alt.ExprRef(ticks))
    kind: dict[str, Any] = {"type": "log"} if positive else {"type": "linear", "zero": False}
    scale = alt.Scale(nice=False, padding=MARGIN, **kind)
    return lambda column: alt.X(f"{column}:Q", scale=scale, axis=marks, title=title)


def _sides(row: str, better: Mapping[str, str]) -> list[alt.Chart]:
    """Return what shades each row on either side of 1."""
    scale = alt.Scale(domain=["better", "worse"], range=[BETTER, WORSE])
    legend = alt.Legend(orient="bottom", offset=4)  # beside that of runs a column has no room
    layers = []
    for end, good in ((alt.value(0), "lower"), (alt.value("width"), "higher")):
        sides = ["better" if which == good else "worse" for which in better.values()]
        shade = alt.Chart(data(f"{good}-side", {row: list(better), "side": sides})).mark_rect()
        layers.append(
            shade.encode(
                x=alt.datum(1),
                x2=end,
                y=in_rows(row, better),
                fill=alt.Fill("side:N", scale=scale, title=None, legend=legend),
            )
        )
    return layers
