"""Runs and schedulers beside a baseline."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
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
from utilitysched.report.charts.picture import Columns, Picture, above, data
from utilitysched.report.charts.scales import NUMBER
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

    The better side of 1 and the worse one are shaded.

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
    chart = _ratios("comparison", columns, "metric", better, ways, f"ratio to {baseline}")
    chart = chart.properties(height=len(better) * (ROW * len(others) + 6))
    caption = f"Figures of each run divided by those of {baseline}. Green: the better side of 1."
    return Picture("comparison", f"Compared with {baseline}", chart, caption)


def one_metric(
    columns: Columns, names: Sequence[str], metric: str, title: Sequence[str], axis: str
) -> Picture:
    """Return the ratios of any number of candidates to a baseline, a line for each.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the names; ratio, low, high, text: as of `comparison`; published: what others
        found, drawn as a diamond; may be missing.
    names : sequence of str
        Of the candidates, from above; the baseline is none of them.
    metric : str
        Name of the metric.
    title : sequence of str
        Above the chart, in lines.
    axis : str
        Below it.
    """
    better = dict.fromkeys(names, known_metrics()[metric].better)
    key = f"ratio-{metric}"
    chart = _ratios(key, columns, "run", better, {"color": alt.value(look.colour(0))}, axis)
    chart = chart.properties(height=rows_height(names), title=title)
    return Picture(key, title[-1], chart, "Green: the better side of 1.")


def _ratios(
    key: str,
    columns: Columns,
    row: str,
    better: Mapping[str, str],
    ways: Mapping[str, Any],
    axis: str,
) -> Any:
    """Return marks, intervals and figures over shades, each in its row."""
    y = in_rows(row, better)
    x = _scale(key, columns, axis)
    ratios = alt.Chart(data(key, columns)).encode(y=y, tooltip=tips(run="run", text="ratio"))
    if "yOffset" in ways:
        ratios = ratios.encode(yOffset=ways["yOffset"])
    intervals = ratios.transform_filter("isValid(datum.low)").mark_rule()
    layers = [
        *_sides(key, row, better, named="yOffset" not in ways),  # there, the caption names them
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
        theirs = theirs.mark_point(shape="diamond", color=INK)
        layers.append(theirs.encode(x=x("published")))
    return alt.layer(*layers)


def rows_height(names: Iterable[str]) -> int:
    """Return the height of rows with names beside them (pixels)."""
    names = list(names)
    lines = max(name.count("\n") + 1 for name in names)
    return len(names) * max(ROW, LINE * lines + MARGIN // 2) + MARGIN // 2


def in_rows(column: str, names: Iterable[str]) -> alt.Y:
    """Return a vertical scale of names, all of which are written."""
    axis = alt.Axis(grid=False, labelOverlap=False)
    return alt.Y(f"{column}:N", sort=list(names), title=None, axis=axis)


def _scale(key: str, columns: Columns, title: str) -> Callable[[str], alt.X]:
    """Return what makes the horizontal scale of a column: logarithmic if all ratios allow it."""
    positive = all(
        np.nanmin(np.asarray(columns.get(name, [1.0]), np.float64), initial=1.0) > 0
        for name in ("ratio", "low", "published")
    )
    reach = f"extent(pluck(data('{key}'), 'ratio'))"
    wide = f"max(1, {reach}[1]) / min(1, {reach}[0]) > {WIDE_RANGE}"
    ticks = f"{wide} ? {TICKS} : null" if positive else "null"
    marks = alt.Axis(labelExpr=NUMBER, grid=False, labelOverlap="greedy", values=alt.ExprRef(ticks))
    kind: dict[str, Any] = {"type": "log"} if positive else {"type": "linear", "zero": False}
    scale = alt.Scale(nice=False, padding=MARGIN, **kind)
    return lambda column: alt.X(f"{column}:Q", scale=scale, axis=marks, title=title)


def _sides(key: str, row: str, better: Mapping[str, str], *, named: bool) -> list[alt.Chart]:
    """Return what shades each row on either side of 1, which a legend may name."""
    legend = alt.Undefined if named else None
    scale = alt.Scale(domain=["better", "worse"], range=[BETTER, WORSE])
    faint = alt.condition("datum.side === 'better'", alt.value(0.25), alt.value(0.1))
    layers = []
    for end, good in ((alt.value(0), "lower"), (alt.value("width"), "higher")):
        sides = ["better" if which == good else "worse" for which in better.values()]
        shade = alt.Chart(data(f"{key}-{good}", {row: list(better), "side": sides})).mark_rect()
        layers.append(
            shade.encode(
                x=alt.datum(1),
                x2=end,
                y=in_rows(row, better),
                fill=alt.Fill("side:N", scale=scale, title=None, legend=legend),
                fillOpacity=faint,
            )
        )
    return layers


def compared(runs: Sequence[RunResults], baseline: str | None = None) -> Picture:
    """Return the ratios of runs to those of a baseline on the same workloads, a panel per metric.

    Of one workload each ratio stands alone; of several there are intervals.

    Raises
    ------
    InputError
        There is one scheduler only, or the baseline is none of them.
    """
    labels = list(dict.fromkeys(run.label for run in runs))
    chosen = labels[0] if baseline is None else baseline
    check_baseline(chosen, labels)
    if len(labels) < 2:
        raise InputError("a comparison needs runs of two schedulers")
    return comparisons(
        {metric: compare_all(_values(runs, metric), chosen) for metric in METRICS}, chosen
    )


def comparisons(
    by_metric: Mapping[str, Mapping[str, Comparison]],
    baseline: str,
    published: Mapping[str, Mapping[str, float]] | None = None,
    heading: str = "",
) -> Picture:
    """Return a panel per metric, a line per candidate: the ratio, and its 95% interval if any.

    Parameters
    ----------
    by_metric : mapping of str to mapping of str to Comparison
        By metric, then by candidate; metrics of which no candidate has a ratio are left out.
    baseline : str
        Label of the candidate that the ratios are to.
    published : mapping of str to mapping of str to float, optional
        Ratios to the baseline that others published, by metric, then by candidate.
    heading : str
        Where the comparisons hold.

    Raises
    ------
    InputError
        No candidate has a ratio.
    """
    known = known_metrics()
    shown = {
        metric: {name: row for name, row in rows.items() if name != baseline}
        for metric, rows in by_metric.items()
    }
    shown = {
        metric: rows
        for metric, rows in shown.items()
        if any(row.ratio is not None for row in rows.values())
    }
    if not shown:
        raise InputError("no metric has a ratio to the baseline", field=baseline)
    columns = {
        metric: _rows(rows, (published or {}).get(metric, {})) for metric, rows in shown.items()
    }
    beside = (
        ", diamonds: published" if any("published" in each for each in columns.values()) else ""
    )
    rows = [row for each in shown.values() for row in each.values()]
    certainty = ", 95% intervals" if any(row.interval for row in rows) else ""
    axis = f"ratio to {baseline}{beside}{certainty}"
    first, *_, last = [*columns, *columns]
    panels = [
        one_metric(
            each,
            list(map(short, shown[metric])),
            metric,
            [*(wrap(heading, LETTERS) if metric == first else []), known[metric].title],
            axis if metric == last else "",
        )
        for metric, each in columns.items()
    ]
    return above("comparison", f"Compared with {baseline}", panels)


def short(label: str) -> str:
    """Return a label in lines for which there is room beside a chart."""
    return folded(label, MOST)


def _rows(rows: Mapping[str, Comparison], published: Mapping[str, float]) -> Columns:
    intervals = [row.interval for row in rows.values()]
    columns: dict[str, ArrayLike] = {
        "run": list(map(short, rows)),
        "ratio": [_number(row.ratio) for row in rows.values()],
        "low": [_number(interval and interval.low) for interval in intervals],
        "high": [_number(interval and interval.high) for interval in intervals],
        "text": [significant(row.ratio) for row in rows.values()],
    }
    if any(name in published for name in rows):
        columns["published"] = [_number(published.get(name)) for name in rows]
    return columns


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _values(
    runs: Sequence[RunResults], metric: str
) -> dict[str, dict[Hashable, list[float | None]]]:
    """Values by scheduler and workload, one per run."""
    values: dict[str, dict[Hashable, list[float | None]]] = {}
    for run in runs:
        cells = values.setdefault(run.label, {})
        cells.setdefault(run.workload.digest(), []).append(run.summary[metric])
    return values
