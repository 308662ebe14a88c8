"""Schedulers beside a baseline: ratios with their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from textwrap import fill

import numpy as np

from swfx import InputError
from utilitysched.analysis.statistics import Comparison, compare_all, coverage
from utilitysched.report.figures.canvas import Axes, Figure, folded, panels
from utilitysched.report.figures.scales import scale_log
from utilitysched.report.figures.style import COLOURS, GREY, MARKERS
from utilitysched.report.ratios import FEW, check_baseline, is_wide
from utilitysched.runs import RunResults

METRICS = {
    "aggregate_utility": "aggregate utility",
    "wait_mean": "mean wait",
    "bounded_slowdown_mean": "mean bounded slowdown",
}
HEAD, LINE = 0.5, 0.2
"""Inches of a panel for its scale and title, and for each scheduler."""

MOST = 22
"""Characters of a line beside a panel."""

LETTERS = 15
"""Of a title, per inch."""


def draw(runs: Sequence[RunResults], width: float, baseline: str | None = None) -> Figure:
    """Draw the ratios of runs to those of a baseline on the same workloads.

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
    found = {metric: compare_all(_values(runs, metric), chosen) for metric in METRICS}
    return draw_comparisons(found, chosen, width)


def draw_comparisons(
    found: Mapping[str, Mapping[str, Comparison]],
    baseline: str,
    width: float,
    title: str = "",
    published: Mapping[str, Mapping[str, float]] | None = None,
) -> Figure:
    """Draw a panel per metric, a line per candidate: the ratio, and its 95% interval if it has one.

    Beside it stands the ratio that others published, if there is one.

    Parameters
    ----------
    found : mapping of str to mapping of str to Comparison
        By metric, then by candidate; metrics of which no candidate has a ratio are left out.
    baseline : str
        Label of the candidate that the ratios are to.
    width : float
        Inches.
    title : str
        Where the comparisons hold.
    published : mapping of str to mapping of str to float, optional
        Ratios to the baseline that others published, by metric, then by candidate.

    Raises
    ------
    InputError
        No candidate has a ratio.
    """
    shown = {
        metric: rows
        for metric, rows in found.items()
        if any(row.ratio is not None for name, row in rows.items() if name != baseline)
    }
    if not shown:
        raise InputError("no metric has a ratio to the baseline", field=baseline)
    names = [name for name in next(iter(shown.values())) if name != baseline]
    lines = sum(folded(name, MOST).count("\n") + 1 for name in names)
    heading = fill(title, round(LETTERS * width)) if title else ""
    height = HEAD + LINE * (lines + heading.count("\n") + bool(heading))
    figure, axes = panels(width, height, rows=len(shown), sharey=True)
    for each, (metric, rows) in zip(axes, shown.items(), strict=True):
        theirs = (published or {}).get(metric, {})
        _panel(each, [rows[name] for name in names], [theirs.get(name) for name in names])
        each.set_yticks(np.arange(len(names)), [folded(name, MOST) for name in names])
        each.set_title(METRICS.get(metric, metric.replace("_", " ")))
    axes[0].set_ylim(len(names) - 0.5, -0.5)
    others = [row for rows in shown.values() for name, row in rows.items() if name != baseline]
    told = any(name in theirs for theirs in (published or {}).values() for name in names)
    beside = ", diamonds: published" if told else ""
    figure.supxlabel(f"ratio to {folded(baseline)}{beside}{_certainty(others)}", fontsize=8)
    if heading:
        figure.suptitle(heading, fontsize=8)
    return figure


def _certainty(rows: Sequence[Comparison]) -> str:
    """Say what the intervals are, and how often those of few pairs hold the true ratio."""
    sizes = [row.pairs for row in rows if row.interval is not None]
    if not sizes:
        return ""
    least = min(sizes)
    caution = f"\n({least} pairs hold the true ratio in about {coverage(least):.0%})"
    return f", 95% intervals{caution if least < FEW else ''}"


def _values(
    runs: Sequence[RunResults], metric: str
) -> dict[str, dict[Hashable, list[float | None]]]:
    """Values by scheduler and workload, one per run."""
    values: dict[str, dict[Hashable, list[float | None]]] = {}
    for run in runs:
        cells = values.setdefault(run.label, {})
        cells.setdefault(run.workload.digest(), []).append(run.summary[metric])
    return values


def _panel(axes: Axes, rows: Sequence[Comparison], published: Sequence[float | None]) -> None:
    axes.axvline(1, color=GREY, linestyle=(0, (4, 2)), linewidth=0.8)
    reached = [1.0]
    for place, row in enumerate(rows):
        if row.ratio is None:
            continue
        if row.interval is not None:
            reached += [row.interval.low, row.interval.high]
            axes.plot([row.interval.low, row.interval.high], [place, place], color=COLOURS[0])
        reached.append(row.ratio)
        axes.plot(row.ratio, place, MARKERS[0], color=COLOURS[0], markersize=4)
    for place, ratio in enumerate(published):
        if ratio is not None:
            reached.append(ratio)
            axes.plot(ratio, place, "D", color=COLOURS[1], markersize=5, fillstyle="none")
    if is_wide(reached):
        axes.set_xscale("log")
        scale_log(axes.xaxis)
    else:
        axes.locator_params(axis="x", nbins=6)
    axes.margins(x=0.06)
    axes.grid(visible=False, axis="y")
