"""All runs of an experiment: how they scatter, what is bought with what, what goes with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import Figure, folded, legend_height, panels
from utilitysched.report.figures.comparison import HEAD, LETTERS, LINE, MOST
from utilitysched.report.figures.scales import scale_log
from utilitysched.report.figures.style import COLOURS, FAINT, GREY, INK
from utilitysched.report.ratios import is_wide

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


def draw_correlations(titles: Sequence[str], found: Mapping[str, Floats]) -> Figure:
    """Draw a square for each two metrics, red where they rise together; a panel a coefficient.

    Parameters
    ----------
    titles : sequence of str
        Of the m metrics.
    found : mapping of str to (m, m) ndarray
        By the name of the coefficient; not a number where a metric is always the same.
    """
    numbers = [str(number) for number in range(1, len(titles) + 1)]
    across = SQUARE * len(titles)
    figure, drawn = panels(TITLES + across * len(found), HEAD + across, columns=len(found))
    for axes, (name, values) in zip(drawn, found.items(), strict=True):
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
