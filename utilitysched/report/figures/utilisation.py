"""Utilisation of the machine over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from utilitysched.analysis.series import StepFunction, utilisation
from utilitysched.report.figures.over_time import draw_steps
from utilitysched.report.figures.together import ALWAYS, TimeWindow
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Draw the percentage of processors in use, in grey, and its mean, in blue."""
    return draw_steps(runs, width, _percent, "processors\nin use (%)", top=102, window=window)


def _percent(run: RunResults) -> StepFunction:
    return utilisation(run.workload, run.schedule).scaled(100)
