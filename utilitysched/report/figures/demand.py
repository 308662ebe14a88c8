"""Demand of the waiting jobs over time, in parts of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import StepFunction, waiting_processors
from utilitysched.report.figures.over_time import draw_steps
from utilitysched.report.figures.together import ALWAYS, TimeWindow
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Draw the processors waited for, in machines, in grey, and its mean, in blue."""
    return draw_steps(runs, width, _machines, "machines\nwaited for", window=window)


def _machines(run: RunResults) -> StepFunction:
    waiting = waiting_processors(run.workload, run.schedule)
    return waiting.scaled(1 / run.schedule.machine_size)
