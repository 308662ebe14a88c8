"""Utility functions: of single jobs, and of classes of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from swfx import InputError, UtilityFunction, Workload
from swfx.base.numbers import plural
from utilitysched.analysis.series import band, normalised, sample, valued
from utilitysched.model.state import Integers
from utilitysched.report.charts import look
from utilitysched.report.charts.channels import by_run
from utilitysched.report.charts.picture import Picture, columns_of, data

HEIGHT, ROW = 180, 110
"""Of curves of jobs, and of a class (pixels)."""

SAMPLES = 30
MOST_CLASSES = 6

UNITS = (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0))
SEVERAL = 5
"""Units that a scale has at least."""


def curves_of_jobs(workload: Workload, jobs: Sequence[int]) -> Picture:
    """Return the picture of jobs' utility functions, each marked at the job's run time.

    Raises
    ------
    InputError
        A job has no utility function, or there are too many to be told apart.
    """
    if len(jobs) > look.MOST_LINES:
        raise InputError(
            f"{len(jobs)} curves cannot be told apart",
            remedy=f"name at most {look.MOST_LINES} jobs",
        )
    curves = {f"job {workload.job_name(job)}": _curve(workload, job) for job in jobs}
    return utility_functions(curves, workload.effective_run[list(jobs)].tolist())


def utility_functions(
    functions: Mapping[str, UtilityFunction], runs: Sequence[float] = ()
) -> Picture:
    """Return the picture of utility functions by name, each marked at a run time (s) if given."""
    length = max(each.deadline for each in functions.values())
    unit, seconds = next(each for each in UNITS if length >= SEVERAL * each[1] or each[1] == 1)
    corners = [
        (name, order, time / seconds, value)
        for name, each in functions.items()
        for order, (time, value) in enumerate(
            [*zip(each.times.tolist(), each.values.tolist(), strict=True), (each.deadline, 0.0)]
        )
    ]
    starts = [
        (name, 0, run / seconds, functions[name](run))
        for name, run in zip(functions, runs, strict=False)
    ]
    names = list(functions)
    ways = by_run(names, "strokeDash", "shape")
    ways["strokeDash"]["legend"] = None  # marks are told apart by their shapes
    lines, points = (
        alt.Chart(data(kind, columns_of("run order time value", rows))).encode(
            alt.X("time:Q", title=f"turnaround ({unit})", axis=alt.Axis(grid=False)),
            alt.Y("value:Q", title="utility (SU)"),
            ways["color"],
        )
        for kind, rows in (("curves", corners), ("runs", starts))
    )
    chart = alt.layer(
        lines.mark_line().encode(ways["strokeDash"], alt.Order("order:Q")),
        points.mark_point(filled=True, opacity=1).encode(ways["shape"]),
        height=HEIGHT,
        title=names[0] if len(names) == 1 else "",
    )
    caption = "Marks: had the job not waited." if runs else ""
    return Picture("curves", "Utility functions", chart, caption)


def curves_of_classes(workload: Workload, classes: Mapping[str, Integers]) -> Picture:
    """Return the picture of the curves of classes: quartiles and some curves, in a panel each.

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
    panels = [
        _class(workload, _with_curves(workload, jobs, title), title)
        for title, jobs in classes.items()
    ]
    caption = "Line: median. Band: the middle half. Thin lines: single jobs."
    return Picture("curves", "Utility functions of classes", alt.vconcat(*panels), caption)


def _class(workload: Workload, jobs: Integers, title: str) -> alt.LayerChart | alt.FacetChart:
    spread = band(workload, jobs)
    single = [
        (job, *corner)
        for job in sample(jobs, SAMPLES).tolist()
        for corner in zip(*normalised(_curve(workload, job)), strict=True)
    ]
    quartiles = {name: getattr(spread, name) for name in ("time", "low", "median", "high")}
    across = alt.X("time:Q", title="turnaround / deadline", scale=alt.Scale(domain=[0, 1]))
    value, median, low = (
        alt.Y(f"{name}:Q", title="share of start value", scale=alt.Scale(domain=[0, 1]))
        for name in ("value", "median", "low")
    )
    curves = alt.Chart(data(f"jobs of {title}", columns_of("job time value", single)))
    whole = alt.Chart(data(f"quartiles of {title}", quartiles)).encode(across)
    return alt.layer(
        curves.mark_line(color=look.BOUND, opacity=0.6, strokeWidth=0.35).encode(
            across, value, alt.Detail("job:N"), alt.Order("time:Q")
        ),
        whole.mark_area(color=look.colour(4), opacity=0.4).encode(low, alt.Y2("high:Q")),
        whole.mark_line(color=look.colour(0)).encode(median),
        height=ROW,
        title=f"{title}, {plural(spread.jobs, 'job')}",
    )


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
