"""Aggregate utility delivered over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import (
    delivered_utility,
    offered_utility,
    thinned,
    undelayed_utility,
)
from utilitysched.report.figures.canvas import panels
from utilitysched.report.figures.legends import height, legend_above
from utilitysched.report.figures.over_time import COLUMNS
from utilitysched.report.figures.scales import scale_large
from utilitysched.report.figures.style import GREY, line
from utilitysched.report.figures.together import (
    ALWAYS,
    TimeWindow,
    check_together,
    check_valued,
    shared_timeline,
)
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 2.3
OFFERED = "start value of jobs submitted"


def draw(runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Draw what each run has delivered so far, below what no scheduler can exceed.

    Raises
    ------
    InputError
        No job has a utility function, or the runs cannot share a figure.
    """
    check_together(runs)
    check_valued(runs)
    scale = shared_timeline(runs, window)
    first = runs[0]
    bounds = {
        OFFERED: offered_utility(first.workload, first.schedule),
        "had no job waited": undelayed_utility(first.workload, first.schedule),
    }
    figure, (axes,) = panels(width, HEIGHT + height([*bounds, *(run.label for run in runs)]))
    for (label, bound), dashes in zip(bounds.items(), ((0, (1, 2)), (0, (4, 2))), strict=True):
        drawn = thinned(bound.within(scale.begin, scale.end), COLUMNS)
        axes.step(
            scale.place(drawn.time),
            drawn.value,
            where="post",
            label=label,
            color=GREY,
            linestyle=dashes,
            linewidth=0.8,
        )
    for place, run in enumerate(runs):
        steps = delivered_utility(run.workload, run.schedule)
        drawn = thinned(steps.within(scale.begin, scale.end), COLUMNS)
        axes.step(
            scale.place(drawn.time), drawn.value, where="post", label=run.label, **line(place)
        )
    axes.set_xlim(0, 1.01 * scale.length)  # what is earned at the end is seen, too
    axes.set_ylim(0, None)
    axes.set_xlabel(scale.label)
    axes.set_ylabel("utility so far (SU)")
    scale_large(axes.yaxis, float(bounds[OFFERED].value[-1]))
    legend_above(axes)
    return figure
