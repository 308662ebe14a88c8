"""Fronts of plans at a moment, one aim against another."""

from utilitysched.exact.front import PlanFront
from utilitysched.report.figures.canvas import Axes, Figure, folded, panels
from utilitysched.report.figures.style import COLOURS, GREY, INK, MARKERS
from utilitysched.schedulers.genetic.options import KNEE

HEIGHT = 2.6
"""Of a panel (inches)."""

AXES = {
    "utility": "planned utility (SU)",
    "wait": "mean wait (s)",
    "slowdown": "mean bounded slowdown",
    "longest": "longest wait (s)",
    "fairness": "mean delay beyond order of arrival (s)",
    "jain": "1 - Jain's index of users' slowdowns",
    "large": "mean wait by processors (s)",
}
"""What each term is called."""


ENDS = ("s", "D", "o")
"""Frames around the best plans by each term."""

LARGEST, SMALLER = 6.0, 0.5
"""Size of the first mark of other plans, and by how much each is smaller: none hides another."""

TICKS = 5
MARGIN = 0.08
"""Of the scales on either side, so that frames are whole."""


def draw(front: PlanFront, width: float) -> Figure:
    """Draw the other terms against the first, knee and ends, and where other plans stand."""
    first, *others = front.terms
    figure, drawn = panels(width, HEIGHT, rows=len(others), sharex=True)
    for column, (axes, term) in enumerate(zip(drawn, others, strict=True), start=1):
        _draw_front(axes, front, column)
        for number, (label, value) in enumerate(front.others.items()):
            axes.plot(
                value[0],
                value[column],
                MARKERS[(number + 1) % len(MARKERS)],
                color=COLOURS[number % len(COLOURS)],
                markersize=max(LARGEST - SMALLER * number, LARGEST / 2),
                label=folded(label),
            )
        axes.set_ylabel(AXES[term])
    drawn[-1].set_xlabel(AXES[first])
    for axes in drawn:
        axes.margins(MARGIN)
        axes.locator_params(nbins=TICKS)
        axes.xaxis.set_major_formatter("{x:,g}")
        axes.yaxis.set_major_formatter("{x:,g}")
    handles, labels = drawn[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _draw_front(axes: Axes, front: PlanFront, column: int) -> None:
    """Draw the plans of a front, a star at its knee, and a frame around the best by each term."""
    x, y = front.values[:, 0], front.values[:, column]
    dashes = "-" if len(front.terms) == 2 else ""
    axes.plot(x, y, f"{MARKERS[0]}{dashes}", color=GREY, markersize=3, label="front")
    knee = front.picked[KNEE]
    axes.plot(x[knee], y[knee], "*", color=INK, markersize=9, label=KNEE)
    for term, frame in zip(front.terms, ENDS, strict=False):
        row = front.picked[term]
        axes.plot(
            x[row],
            y[row],
            frame,
            color=INK,
            fillstyle="none",
            markersize=8,
            markeredgewidth=1.0,
            label=f"best {term}",
        )
