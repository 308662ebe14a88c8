"""Distribution of the share of its start value that a job earned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import start_value_share_distribution
from utilitysched.report.figures.canvas import panels
from utilitysched.report.figures.distributions import draw_distributions
from utilitysched.report.figures.legends import height, legend_above
from utilitysched.report.figures.together import check_together, check_valued
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 2.2


def draw(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw which share of the jobs earned at most a share of its start value.

    Raises
    ------
    InputError
        No job has a utility function, or the runs cannot share a figure.
    """
    check_together(runs)
    check_valued(runs)
    figure, (axes,) = panels(width, HEIGHT + height(run.label for run in runs))
    found = {
        run.label: start_value_share_distribution(run.workload, run.schedule).scaled(100)
        for run in runs
    }
    draw_distributions(axes, found, "jobs")
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of its start value earned, at most (%)")
    legend_above(axes)
    return figure
