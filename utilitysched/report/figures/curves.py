"""Utility functions: of single jobs, and of classes of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from swfx import InputError, UtilityFunction, Workload
from utilitysched.analysis.series import band, normalised, sample, valued
from utilitysched.model.state import Integers
from utilitysched.report.figures.canvas import (
    COLOURS,
    GREY,
    MARKERS,
    MOST_LINES,
    Axes,
    Figure,
    line,
    panels,
)
from utilitysched.report.figures.scales import unit_for

HEIGHT = 2.4
ROW = 1.9
SAMPLES = 30
MOST_CLASSES = 6


def draw_jobs(workload: Workload, jobs: Sequence[int], width: float) -> Figure:
    """Return the figure of jobs' utility functions, each marked at the job's run time.

    Raises
    ------
    InputError
        A job has no utility function, or there are too many to be told apart.
    """
    if len(jobs) > MOST_LINES:
        raise InputError(
            f"{len(jobs)} curves cannot be told apart", remedy=f"name at most {MOST_LINES} jobs"
        )
    curves = [_curve(workload, job) for job in jobs]
    name, seconds = unit_for(max(curve.deadline for curve in curves))
    figure, (axes,) = panels(width, HEIGHT)
    for place, (job, curve) in enumerate(zip(jobs, curves, strict=True)):
        times = np.append(curve.times, curve.deadline)
        values = np.append(curve.values, 0.0)
        label = f"job {workload.job_name(job)}"
        axes.plot(times / seconds, values, label=label, **line(place))
        run = float(workload.effective_run[job])
        axes.plot(run / seconds, curve(run), MARKERS[place], color=COLOURS[place], clip_on=False)
    axes.plot([], [], "o", color=GREY, label="had it not waited")
    axes.set_xlim(0, None)
    axes.set_ylim(0, None)
    axes.set_xlabel(f"turnaround ({name})")
    axes.set_ylabel("utility (SU)")
    axes.legend(loc="best")
    return figure


def draw_classes(workload: Workload, classes: Mapping[str, Integers], width: float) -> Figure:
    """Draw quartiles of the curves of classes of jobs, and some of the curves, in a panel each.

    Curves are on one scale: turnaround over deadline, value over start value.

    Raises
    ------
    InputError
        A class has no job with a utility function that begins above 0, or there are too many.
    """
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"{len(classes)} classes do not fit in one figure", remedy=f"at most {MOST_CLASSES} do"
        )
    columns = min(len(classes), 2)
    rows = -(-len(classes) // columns)
    figure, axes = panels(width, ROW, rows=rows, columns=columns, sharex=True, sharey=True)
    for each, (title, jobs) in zip(axes, classes.items(), strict=False):
        _draw_class(each, workload, _with_curves(workload, jobs, title), title)
    for unused in axes[len(classes) :]:  # at most one, at the end
        unused.set_visible(False)
        axes[len(classes) - columns].tick_params(labelbottom=True)
    axes[0].set_xlim(0, 1)
    axes[0].set_ylim(0, 1.02)
    figure.supxlabel("turnaround / deadline", fontsize=8)
    figure.supylabel("share of start value", fontsize=8)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


def _draw_class(axes: Axes, workload: Workload, jobs: Integers, title: str) -> None:
    spread = band(workload, jobs)
    for number, job in enumerate(sample(jobs, SAMPLES).tolist()):
        times, shares = normalised(_curve(workload, job))
        label = "single jobs" if number == 0 else None
        axes.plot(times, shares, color=GREY, linewidth=0.35, alpha=0.6, label=label, zorder=1)
    axes.fill_between(
        spread.time,
        spread.low,
        spread.high,
        color=COLOURS[4],
        alpha=0.45,
        lw=0,
        label="middle half",
    )
    axes.plot(spread.time, spread.median, color=COLOURS[0], linewidth=1.6, label="median")
    axes.set_title(f"{title}\n{spread.jobs:,} job{'s' * (spread.jobs != 1)}")


def _curve(workload: Workload, job: int) -> UtilityFunction:
    curve = workload.utility[job]
    if curve is None:
        raise InputError(
            f"job {workload.job_name(job)} has no utility function",
            remedy="draw some with: utilitysched augment",
        )
    return curve


def _with_curves(workload: Workload, jobs: Integers, title: str) -> Integers:
    chosen = np.zeros(len(workload), np.bool_)
    chosen[jobs] = True
    valued_jobs = valued(workload, chosen)
    if len(valued_jobs) == 0:
        raise InputError(
            "no job has a utility function with a start value",
            field=title,
            remedy="draw some with: utilitysched augment",
        )
    return valued_jobs
