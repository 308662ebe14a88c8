"""Length of the queue over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import waiting_jobs
from utilitysched.report.figures.over_time import draw_steps
from utilitysched.report.figures.together import ALWAYS, TimeWindow
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Draw the number of waiting jobs, in grey, and its mean, in blue."""
    return draw_steps(
        runs,
        width,
        lambda run: waiting_jobs(run.workload, run.schedule),
        "jobs waiting",
        window=window,
    )
