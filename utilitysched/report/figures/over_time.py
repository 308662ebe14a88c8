"""Step functions of time, a panel for each run: what they reach, and their mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.analysis.series import StepFunction, thinned
from utilitysched.report.figures.canvas import panels
from utilitysched.report.figures.style import COLOURS, FAINT
from utilitysched.report.figures.together import (
    ALWAYS,
    TimeWindow,
    check_together,
    shared_timeline,
)
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 1000
"""Of pixels: a column of a paper at 300 per inch."""

MEANS = 150
ROW = 1.45


def draw_steps(
    runs: Sequence[RunResults],
    width: float,
    steps_of: Callable[[RunResults], StepFunction],
    label: str,
    top: float | None = None,
    window: TimeWindow = ALWAYS,
) -> Figure:
    """Draw one panel per run, one below the other on the same scales.

    Parameters
    ----------
    runs : sequence of RunResults
        Of one workload.
    width : float
        Inches.
    steps_of : callable
        Gives what is drawn.
    label : str
        Of the vertical scale.
    top : float, optional
        Where that ends.
    window : TimeWindow
        Which part of the time.

    Raises
    ------
    InputError
        The runs cannot share a figure, or nothing of them is in the window.
    """
    check_together(runs)
    scale = shared_timeline(runs, window)
    edges = np.linspace(scale.begin, scale.end, MEANS + 1)
    figure, rows = panels(width, ROW, rows=len(runs), sharex=True, sharey=True)
    for axes, run in zip(rows, runs, strict=True):
        steps = steps_of(run)
        drawn = thinned(steps.within(scale.begin, scale.end), COLUMNS)
        axes.fill_between(
            scale.place(drawn.time), drawn.value, step="post", color=FAINT, linewidth=0
        )
        means = np.append(steps.means(edges), np.nan)
        axes.step(scale.place(edges), means, where="post", color=COLOURS[0], linewidth=1)
        axes.set_title(run.label)
        axes.set_ylabel(label)
    rows[0].set_xlim(0, scale.length)
    rows[0].set_ylim(0, top)
    rows[-1].set_xlabel(scale.label)
    figure.align_ylabels(rows)
    return figure
