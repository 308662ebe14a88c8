"""Fronts of plans at a moment, one aim against another."""

from utilitysched.exact.front import PlanFront
from utilitysched.report.figures.canvas import Figure, folded, panels
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


def draw(front: PlanFront, width: float) -> Figure:
    """Draw the other terms against the first, the knee, and where other plans stand."""
    first, *others = front.terms
    figure, drawn = panels(width, HEIGHT, rows=len(others), sharex=True)
    knee = front.values[front.picked[KNEE]]
    for column, (axes, term) in enumerate(zip(drawn, others, strict=True), start=1):
        x, y = front.values[:, 0], front.values[:, column]
        dashes = "-" if len(others) == 1 else ""
        axes.plot(x, y, f"{MARKERS[0]}{dashes}", color=GREY, markersize=3, label="front")
        axes.plot(knee[0], knee[column], "*", color=INK, markersize=9, label=KNEE)
        for number, (label, value) in enumerate(front.others.items()):
            mark = MARKERS[(number + 1) % len(MARKERS)]
            colour = COLOURS[number % len(COLOURS)]
            axes.plot(value[0], value[column], mark, color=colour, label=folded(label))
        axes.set_ylabel(AXES[term])
    drawn[-1].set_xlabel(AXES[first])
    for axes in drawn:
        axes.xaxis.set_major_formatter("{x:,g}")
        axes.yaxis.set_major_formatter("{x:,g}")
    handles, labels = drawn[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure
