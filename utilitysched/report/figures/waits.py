"""Distribution of the waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import wait_distribution
from utilitysched.report.figures.canvas import panels
from utilitysched.report.figures.distributions import draw_distributions
from utilitysched.report.figures.legends import height, legend_above
from utilitysched.report.figures.scales import scale_durations
from utilitysched.report.figures.together import check_together
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 2.2


def draw(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw which share of the jobs waited at most how long.

    Raises
    ------
    InputError
        The runs cannot share a figure.
    """
    check_together(runs)
    figure, (axes,) = panels(width, HEIGHT + height(run.label for run in runs))
    found = {run.label: wait_distribution(run.workload, run.schedule) for run in runs}
    draw_distributions(axes, found, "jobs")
    scale_durations(axes, max(float(waits.value[-1]) for waits in found.values()))
    axes.set_xlabel("wait, at most")
    legend_above(axes)
    return figure
