"""Schedulers beside a baseline, and all runs of an experiment: boxes, fronts, correlations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from textwrap import fill

import numpy as np

from swfx import InputError
from utilitysched.analysis.metrics.catalogue import known_metrics
from utilitysched.analysis.statistics import Comparison, compare_all
from utilitysched.model.state import Floats
from utilitysched.report.comparison import check_baseline, is_wide
from utilitysched.report.figures.canvas import (
    COLOURS,
    FAINT,
    GREY,
    INK,
    MARKERS,
    Axes,
    Figure,
    folded,
    legend_height,
    panels,
)
from utilitysched.report.figures.scales import scale_log
from utilitysched.runs import RunResults

METRICS = ("aggregate_utility", "wait_mean", "bounded_slowdown_mean")
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
    comparisons = {metric: compare_all(_values(runs, metric), chosen) for metric in METRICS}
    return draw_comparisons(comparisons, chosen, width)


def draw_comparisons(
    comparisons: Mapping[str, Mapping[str, Comparison]],
    baseline: str,
    width: float,
    title: str = "",
    published: Mapping[str, Mapping[str, float]] | None = None,
) -> Figure:
    """Draw a panel per metric, a line per candidate: the ratio, and its 95% interval if it has one.

    Beside it stands the ratio that others published, if there is one.

    Parameters
    ----------
    comparisons : mapping of str to mapping of str to Comparison
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
        for metric, rows in comparisons.items()
        if any(row.ratio is not None for name, row in rows.items() if name != baseline)
    }
    if not shown:
        raise InputError("no metric has a ratio to the baseline", field=baseline)
    names = [name for name in next(iter(shown.values())) if name != baseline]
    lines = sum(folded(name, MOST).count("\n") + 1 for name in names)
    heading = fill(title, round(LETTERS * width)) if title else ""
    height = HEAD + LINE * (lines + heading.count("\n") + bool(heading))
    figure, axes = panels(width, height, rows=len(shown), sharey=True)
    known = known_metrics()
    for each, (metric, rows) in zip(axes, shown.items(), strict=True):
        theirs = (published or {}).get(metric, {})
        _panel(each, [rows[name] for name in names], [theirs.get(name) for name in names])
        each.set_yticks(np.arange(len(names)), [folded(name, MOST) for name in names])
        each.set_title(known[metric].title)
    axes[0].set_ylim(len(names) - 0.5, -0.5)
    others = [row for rows in shown.values() for name, row in rows.items() if name != baseline]
    shared = any(name in theirs for theirs in (published or {}).values() for name in names)
    beside = ", diamonds: published" if shared else ""
    certainty = ", 95% intervals" if any(row.interval for row in others) else ""
    figure.supxlabel(f"ratio to {folded(baseline)}{beside}{certainty}", fontsize=8)
    if heading:
        figure.suptitle(heading, fontsize=8)
    return figure


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


SQUARE = 0.36
"""Inches of a square of correlations."""

TITLES = 2.4
"""Inches for the names of what is correlated."""

FRONT = 2.6
"""Inches of a panel of points."""


def draw_boxes(
    values: Mapping[str, Floats], title: str, width: float, published: Mapping[str, float]
) -> Figure:
    """Draw a box for each candidate, from quartile to quartile of its values, a line at the median.

    Whiskers reach the furthest value within 1.5 times the box; circles are beyond. Diamonds are
    what others published.
    """
    names = list(values)
    lines = sum(folded(name, MOST).count("\n") + 1 for name in names)
    figure, (axes,) = panels(width, HEAD + LINE * lines)
    axes.boxplot(
        [values[name] for name in names],
        positions=range(len(names)),
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        boxprops={"facecolor": FAINT, "edgecolor": COLOURS[0]},
        medianprops={"color": INK},
        whiskerprops={"color": COLOURS[0]},
        capprops={"color": COLOURS[0]},
        flierprops={"marker": "o", "markersize": 2.5, "markeredgecolor": GREY},
    )
    for place, name in enumerate(names):
        if name in published:
            axes.plot(published[name], place, "D", color=COLOURS[1], fillstyle="none")
    axes.set_yticks(range(len(names)), [folded(name, MOST) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    reached = [*np.concatenate(list(values.values())), *published.values()]
    if min(reached) > 0 and is_wide(reached):
        axes.set_xscale("log")
        scale_log(axes.xaxis)
    beside = "\ndiamonds: published" if published else ""
    figure.supxlabel(f"{title}{beside}", fontsize=8)
    return figure


def pareto(points: Floats) -> list[int]:
    """Return which points no other is better than in both, (n, 2), more is better; by the first.

    Examples
    --------
    >>> pareto(np.array([[1.0, 1.0], [2.0, 0.0], [0.5, 0.5]]))
    [0, 1]
    """
    order = np.lexsort((-points[:, 1], -points[:, 0])).tolist()
    front: list[int] = []
    for place in order:
        if not front or points[place, 1] > points[front[-1], 1]:
            front.append(place)
    return front[::-1]


def draw_pareto(
    points: Mapping[str, tuple[float, float]],
    titles: tuple[str, str],
    more_is_better: tuple[bool, bool],
    width: float,
) -> Figure:
    """Draw a numbered point for each candidate, and the front of those that none is better than.

    Parameters
    ----------
    points : mapping of str to (float, float)
        Across and up.
    titles : (str, str)
        Of both.
    more_is_better : (bool, bool)
        Of both.
    width : float
        Inches.
    """
    values = np.array(list(points.values()))
    front = pareto(values * np.where(more_is_better, 1.0, -1.0))
    labels = [
        folded(f"{number} {name}", round(LETTERS * width)) for number, name in enumerate(points, 1)
    ]
    figure, (axes,) = panels(width, FRONT + legend_height(labels))
    axes.plot(*values[front].T, "-", color=FAINT, zorder=1)
    for place, (point, label) in enumerate(zip(values, labels, strict=True)):
        axes.plot(*point, "o", color=COLOURS[1] if place in front else COLOURS[0], label=label)
        beside, side = ((3, 3), "left") if place % 2 else ((-3, 3), "right")
        axes.annotate(
            f"{place + 1}", point, beside, textcoords="offset points", ha=side, fontsize=7
        )
    axes.set_xlabel(titles[0])
    axes.set_ylabel(titles[1])
    figure.legend(loc="outside lower left", handlelength=0.8)
    return figure


def draw_correlations(titles: Sequence[str], correlations: Mapping[str, Floats]) -> Figure:
    """Draw a square for each two metrics, red where they rise together; a panel a coefficient.

    Parameters
    ----------
    titles : sequence of str
        Of the m metrics.
    correlations : mapping of str to (m, m) ndarray
        By the name of the coefficient; not a number where a metric is always the same.
    """
    numbers = [str(number) for number in range(1, len(titles) + 1)]
    across = SQUARE * len(titles)
    figure, drawn = panels(
        TITLES + across * len(correlations), HEAD + across, columns=len(correlations)
    )
    for axes, (name, values) in zip(drawn, correlations.items(), strict=True):
        axes.imshow(values, cmap="RdBu_r", vmin=-1, vmax=1)
        axes.grid(visible=False)
        axes.set_title(name)
        axes.set_xticks(range(len(titles)), numbers)
        axes.set_yticks(range(len(titles)), numbers)
        for (row, column), value in np.ndenumerate(values):
            if np.isfinite(value):
                colour = "white" if abs(value) > 0.6 else INK
                axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour)
    named = [f"{number} {title}" for number, title in zip(numbers, titles, strict=True)]
    drawn[0].set_yticks(range(len(titles)), named)
    return figure
