"""Plots over time: the machine in use, the queue, the utility delivered, and weekly metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from swfx import InputError
from utilitysched.analysis import series
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import StepFunction, Weeks, thinned, weeks
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import (
    COLOURS,
    FAINT,
    GREY,
    Axes,
    Figure,
    legend_above,
    legend_height,
    line,
    marked,
    panels,
)
from utilitysched.report.figures.scales import (
    ALWAYS,
    HOUR,
    Timeline,
    TimeWindow,
    check_together,
    check_valued,
    scale_large,
    shared_timeline,
    timeline,
)
from utilitysched.runs import RunResults

COLUMNS = 1000
"""Of pixels: a column of a paper at 300 per inch."""

MEANS = 150
ROW = 1.45
HEIGHT = 2.3
OFFERED = "start value of jobs submitted"

WEEK_ROW = 1.1
FEW_WEEKS = 30
UTILITY = "utility\n(SU)"


class StepPlot(NamedTuple):
    """A step function in grey, and its mean in blue: a panel per run, on the same scales.

    Attributes
    ----------
    steps : callable
        Gives what is drawn of a run.
    label : str
        Of the vertical scale.
    top : float, optional
        Where that ends.
    """

    steps: Callable[[RunResults], StepFunction]
    label: str
    top: float | None = None

    def draw(self, runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
        """Draw the part of the time that is in a window."""
        check_together(runs)
        scale = shared_timeline(runs, window)
        edges = np.linspace(scale.begin, scale.end, MEANS + 1)
        figure, rows = panels(width, ROW, rows=len(runs), sharex=True, sharey=True)
        for axes, run in zip(rows, runs, strict=True):
            steps = self.steps(run)
            drawn = thinned(steps.within(scale.begin, scale.end), COLUMNS)
            axes.fill_between(
                scale.place(drawn.time), drawn.value, step="post", color=FAINT, linewidth=0
            )
            means = np.append(steps.means(edges), np.nan)
            axes.step(scale.place(edges), means, where="post", color=COLOURS[0], linewidth=1)
            axes.set_title(run.label)
            axes.set_ylabel(self.label)
        rows[0].set_xlim(0, scale.length)
        rows[0].set_ylim(0, self.top)
        rows[-1].set_xlabel(scale.label)
        figure.align_ylabels(rows)
        return figure


UTILISATION = StepPlot(
    lambda run: series.utilisation(run.workload, run.schedule).scaled(100),
    "processors\nin use (%)",
    102,
)
QUEUE = StepPlot(lambda run: series.waiting_jobs(run.workload, run.schedule), "jobs waiting")
DEMAND = StepPlot(
    lambda run: series.waiting_processors(run.workload, run.schedule).scaled(
        1 / run.schedule.machine_size
    ),
    "machines\nwaited for",
)


def draw_utility(runs: Sequence[RunResults], width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Return the figure of utility delivered over time by each run, with both upper bounds."""
    check_together(runs)
    check_valued(runs)
    scale = shared_timeline(runs, window)
    first = runs[0]
    bounds = {
        OFFERED: series.offered_utility(first.workload, first.schedule),
        "had no job waited": series.undelayed_utility(first.workload, first.schedule),
    }
    labels = [*bounds, *(run.label for run in runs)]
    figure, (axes,) = panels(width, HEIGHT + legend_height(labels))
    for (label, bound), dashes in zip(bounds.items(), ((0, (1, 2)), (0, (4, 2))), strict=True):
        _draw_line(axes, scale, bound, label, color=GREY, linestyle=dashes, linewidth=0.8)
    for place, run in enumerate(runs):
        steps = series.delivered_utility(run.workload, run.schedule)
        _draw_line(axes, scale, steps, run.label, **line(place))
    axes.set_xlim(0, 1.01 * scale.length)  # what is earned at the end is seen, too
    axes.set_ylim(0, None)
    axes.set_xlabel(scale.label)
    axes.set_ylabel("utility so far (SU)")
    scale_large(axes.yaxis, float(bounds[OFFERED].value[-1]))
    legend_above(axes)
    return figure


def _draw_line(axes: Axes, scale: Timeline, steps: StepFunction, label: str, **look: Any) -> None:
    drawn = thinned(steps.within(scale.begin, scale.end), COLUMNS)
    axes.step(scale.place(drawn.time), drawn.value, where="post", label=label, **look)


def draw_weekly(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw jobs, mean wait, mean bounded slowdown, utilisation and utility by week."""
    check_together(runs)
    weekly = [weeks(run.workload, run.schedule, run.tau) for run in runs]
    if np.count_nonzero(weekly[0].jobs) < 2:
        raise InputError("all jobs were submitted in one week")
    longest = max(len(each.start) for each in weekly)
    begin = float(weekly[0].start[0])
    scale = timeline(runs[0].workload, begin, begin + longest * WEEK, ("weeks", WEEK))
    kinds = list(_figures(weekly[0]))
    if not runs[0].workload.has_utilities:
        kinds.remove(UTILITY)
    figure, rows = panels(width, WEEK_ROW, rows=len(kinds), sharex=True)
    way = marked if longest <= FEW_WEEKS else line
    for axes, kind in zip(rows, kinds, strict=True):
        for place, (run, each) in enumerate(zip(runs, weekly, strict=True)):
            number = np.arange(len(each.start)) + 0.5
            axes.plot(number, _figures(each)[kind], label=run.label, **way(place))
        axes.set_ylabel(kind)
        axes.margins(y=0.1)
        axes.set_ylim(0, None)
    if UTILITY in kinds:
        scale_large(rows[-1].yaxis, max(float(each.utility.max()) for each in weekly))
    rows[0].set_xlim(0, scale.length)
    rows[-1].set_xlabel(scale.label)
    figure.align_ylabels(rows)
    figure.legend(*rows[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def _figures(weekly: Weeks) -> dict[str, Floats]:
    return {
        "jobs\nsubmitted": weekly.jobs.astype(np.float64),
        "mean wait\n(h)": weekly.wait / HOUR,
        "mean bounded\nslowdown": weekly.bounded_slowdown,
        "processors\nin use (%)": 100 * weekly.utilisation,
        UTILITY: weekly.utility,
    }
