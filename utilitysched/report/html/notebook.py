"""Views of workloads, schedules, charges, quotes and experiments for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np
from bokeh.io import output_notebook, show
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from bokeh.resources import INLINE

from pricing import Charges
from swfx import InputError, UtilityFunction, Workload
from swfx.base.numbers import money, percent, significant, span, whole
from swfx.base.options import nearest
from utilitysched.analysis.documents import Description, Fact, Facts, column, panel
from utilitysched.analysis.metrics import summary
from utilitysched.analysis.series import (
    Bill,
    StepFunction,
    charges_by,
    delivered_utility,
    thinned,
    utilisation,
    wait_distribution,
    waiting_jobs,
)
from utilitysched.experiments.grid import grid
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import ExperimentWork, result_of
from utilitysched.market.quote.offer import Quote
from utilitysched.model.schedule import Schedule
from utilitysched.report.figures.canvas import PAGE, Figure, require_matplotlib
from utilitysched.report.figures.catalogue import ALL_RUNS
from utilitysched.report.html.canvas import (
    LEAST_DURATION,
    blank,
    draw_line,
    draw_points,
    from_zero,
    name_rows,
    over_time,
    point_at,
    scale_durations,
    shared_range,
)
from utilitysched.report.html.shown import COLOURS, time_scale
from utilitysched.report.quote import quote_description
from utilitysched.report.templating import fragment
from utilitysched.runs import RunResults

MOST_COLUMNS = 1000
"""Of pixels that a line is thinned to."""

MOST_JOBS = 5000
"""Jobs that are drawn one by one; of more, so many evenly spread."""

MOST_ROWS = 20
"""Users that are listed and drawn: those who pay most."""


class Plot:
    """A chart for notebooks, shown below its cell without network.

    Attributes
    ----------
    figure : bokeh.plotting.figure
        To be changed, or put beside others, before it is shown.
    """

    loaded = False

    def __init__(self, drawn: figure) -> None:
        self.figure = drawn

    def __repr__(self) -> str:
        return f"<Plot: {self.figure.xaxis[0].axis_label}, {self.figure.yaxis[0].axis_label}>"

    def _ipython_display_(self) -> None:
        if not Plot.loaded:
            output_notebook(resources=INLINE, hide_banner=True)
            Plot.loaded = True
        show(self.figure)


@singledispatch
def described(thing: object) -> Description:
    """Return what a notebook shows of something."""
    raise TypeError(f"there is no description of {type(thing).__name__}")


def html(thing: object) -> str:
    """Return what a notebook shows of something, as a part of a page."""
    return fragment(described(thing))


def plot(thing: object, *about: Any, backend: str = "bokeh", **options: Any) -> Any:
    """Return a plot of something.

    Parameters
    ----------
    thing : Workload, Schedule, UtilityFunction, Charges, Quote or Experiment
        A workload: what its jobs ask for. A schedule, with its workload as the next argument, and
        the name of a figure: ``utilisation``, ``queue``, ``utility`` or ``waits``; for matplotlib
        any that `utilitysched report --figures` draws. A utility function: the curve. Charges: who
        pays most. A quote: what each offer would cost. An experiment, with the folder of its
        results as the next argument, and a metric, by default the first that is compared: each
        scheduler beside the baseline, with intervals.
    backend : str, default 'bokeh'
        Or ``matplotlib``, for schedules.

    Returns
    -------
    Plot or matplotlib.figure.Figure

    Raises
    ------
    InputError
        There is no such figure, or nothing to draw.
    """
    if backend == "bokeh":
        return Plot(drawn(thing, *about, **options))
    if not isinstance(thing, Schedule):
        raise InputError(
            "matplotlib draws schedules only", field="backend", remedy="leave it out for Bokeh"
        )
    require_matplotlib()
    return _on_paper(thing, *about, **options)


@singledispatch
def drawn(thing: object, *_: Any, **__: Any) -> figure:
    """Return what is plotted of something."""
    raise TypeError(f"there is no chart of {type(thing).__name__}")


def _facts(title: str, **pairs: str) -> Facts:
    named = [(name.replace("_", " "), text) for name, text in pairs.items()]
    return Facts("facts", title, [Fact(name, name, text, text) for name, text in named])


@described.register
def _(thing: Workload) -> Description:
    jobs = len(thing)
    length = span(float(np.ptp(thing.submit))) if jobs else "-"
    hours = float((thing.size * thing.effective_run).sum()) / 3600
    facts = _facts(
        "Workload",
        jobs=whole(jobs),
        processors=whole(thing.machine_size),
        submitted_within=length,
        processor_hours=whole(hours),
        users=whole(len(np.unique(thing.user[thing.user >= 0]))),
        queues=whole(len(np.unique(thing.queue[thing.queue >= 0]))),
        worth_at_submission=f"{whole(float(thing.utility.start_values.sum()))} SU",
    )
    return Description(repr(thing), [facts])


@drawn.register
def _(thing: Workload) -> figure:
    chosen = np.unique(np.linspace(0, len(thing) - 1, min(len(thing), MOST_JOBS)).astype(np.int64))
    chart = blank(
        "requested time (logarithmic)",
        "processors (logarithmic)",
        x_axis_type="log",
        y_axis_type="log",
    )
    scale_durations(chart)
    columns = {
        "x": np.maximum(thing.request[chosen], LEAST_DURATION),
        "y": np.maximum(thing.size[chosen], 1),
        "job": thing.job_id[chosen],
        "worth": thing.utility.start_values[chosen],
    }
    chart.scatter("x", "y", source=ColumnDataSource(data=columns), alpha=0.25, color=COLOURS[0][0])
    point_at(chart, [("job", "@job"), ("processors", "@y"), ("worth", "@worth{0,0.[00]} SU")])
    return chart


@described.register
def _(thing: UtilityFunction) -> Description:
    points = [
        (span(time), float(value))
        for time, value in zip(thing.times.tolist(), thing.values.tolist(), strict=True)
    ]
    columns = [column("after", "text", "after"), column("worth (SU)", "number", "worth")]
    table = panel("curve", "Utility function", "", columns, points)
    return Description(repr(thing), [table])


@drawn.register
def _(thing: UtilityFunction) -> figure:
    chart = blank("turnaround (h)", "utility (SU)", y_range=from_zero())
    times = np.append(thing.times, thing.deadline) / 3600
    draw_line(chart, 0, ColumnDataSource(data={"x": times, "y": np.append(thing.values, 0.0)}))
    return chart


@described.register
def _(thing: Schedule) -> Description:
    length = float(np.max(thing.end, initial=0.0) - np.min(thing.start, initial=np.inf))
    facts = _facts(
        "Schedule",
        scheduler=thing.scheduler,
        jobs=whole(len(thing)),
        processors=whole(thing.machine_size),
        first_start_to_last_end=span(length) if len(thing) else "-",
        backfilled=f"{percent(float(thing.backfilled.mean()))}%" if len(thing) else "-",
        simulated_in=f"{significant(thing.elapsed)} s",
    )
    return Description(repr(thing), [facts])


def _share_in_use(workload: Workload, schedule: Schedule) -> StepFunction:
    return utilisation(workload, schedule).scaled(100)


LINES: dict[str, tuple[str, Callable[[Workload, Schedule], StepFunction]]] = {
    "utilisation": ("processors in use (%)", _share_in_use),
    "queue": ("waiting jobs", waiting_jobs),
    "utility": ("utility so far (SU)", delivered_utility),
}
"""Figures over time, by name: label of the scale, and what is chart."""


def _alone(thing: Schedule, workload: Workload) -> RunResults:
    summed = summary(workload, thing)
    return RunResults(Path(), thing.scheduler, workload, thing, summed, {}, None, None)


def _check_name(name: str, known: Collection[str]) -> None:
    if name not in known:
        raise InputError(f"no figure is named {name!r}", remedy=nearest(name, known))


@drawn.register
def _(thing: Schedule, workload: Workload, name: str = "utilisation") -> figure:
    _check_name(name, (*LINES, "waits"))
    run = _alone(thing, workload)
    if name == "waits":
        return _waits(run)
    label, steps = LINES[name]
    scale = time_scale([run])
    chart = over_time(scale, shared_range(scale), label, y_range=from_zero())
    line = thinned(steps(workload, thing), MOST_COLUMNS)
    times, values = scale.place(np.repeat(line.time, 2)[1:]), np.repeat(line.value, 2)[:-1]
    draw_line(chart, 0, ColumnDataSource(data={"x": times, "y": values}))
    return chart


def _on_paper(thing: Schedule, workload: Workload, name: str = "utilisation") -> Figure:
    _check_name(name, ALL_RUNS)
    return ALL_RUNS[name]([_alone(thing, workload)], PAGE)


def _waits(run: RunResults) -> figure:
    chart = blank("waited at most (logarithmic)", "jobs (%)", x_axis_type="log")
    scale_durations(chart)
    waits = wait_distribution(run.workload, run.schedule).thinned()
    columns = {"x": np.maximum(waits.value, LEAST_DURATION), "y": 100 * waits.share}
    draw_line(chart, 0, ColumnDataSource(data=columns))
    return chart


def _payers(charges: Charges) -> Iterator[tuple[str, int, float, float]]:
    """Yield who pays most: name, jobs, charge and utility (SU)."""
    outcome = charges.outcome
    names = charges.workload.labels.in_field("user")
    totals = charges_by(Bill(charges.mechanism, charges.charge), names.numbers, outcome.utility)
    rows = zip(totals.key, totals.jobs, totals.charge, totals.utility, strict=True)
    for key, jobs, charge, utility in list(rows)[:MOST_ROWS]:
        yield names.name(int(key)), int(jobs), float(charge), float(utility)


@described.register
def _(thing: Charges) -> Description:
    facts = _facts(
        "Charges",
        mechanism=thing.mechanism,
        jobs=whole(len(thing)),
        charged=f"{money(float(thing.charge.sum()))} SU",
        worth=f"{money(float(thing.outcome.utility.sum()))} SU",
    )
    columns = [
        column("user", "text", "user"),
        column("jobs", "count", "jobs"),
        column("charge (SU)", "number", "charge"),
        column("worth (SU)", "number", "worth"),
    ]
    table = panel("payers", "Who pays most", "", columns, list(_payers(thing)))
    return Description(repr(thing), [facts, table])


@drawn.register
def _(thing: Charges) -> figure:
    names, _, charges, _ = zip(*_payers(thing), strict=True)
    chart = blank("charge (SU)", "user", height=110 + 20 * len(names), x_range=from_zero())
    return _with_bars(chart, names, charges, [("user", "@name")])


def _with_bars(
    chart: figure, names: Sequence[str], charges: Sequence[float], tips: list[tuple[str, str]]
) -> figure:
    """Draw a charge (SU) beside each name."""
    name_rows(chart, names)
    columns = {"y": list(range(len(names))), "charge": charges, "name": names}
    source = ColumnDataSource(data=columns)
    chart.hbar(y="y", right="charge", height=0.7, source=source, color=COLOURS[0][0])
    point_at(chart, [*tips, ("charge", "@charge{0,0.00} SU")])
    return chart


@described.register
def _(thing: Quote) -> Description:
    return quote_description(thing)


@drawn.register
def _(thing: Quote) -> figure:
    now = thing.offers[0].now.charges
    chart = blank("mean charge (SU)", "", height=110 + 30 * len(now), x_range=from_zero())
    return _with_bars(chart, list(now), [paid.mean for paid in now.values()], [])


@described.register
def _(thing: Experiment) -> Description:
    facts = _facts(
        thing.name,
        workloads=", ".join(source.name for each in thing.workloads for source in each.sources),
        schedulers=", ".join(each.label for each in thing.schedulers.candidates),
        baseline=thing.schedulers.baseline,
        simulations=whole(len(grid(thing))),
        metrics=", ".join(thing.report.metrics),
    )
    return Description(repr(thing), [facts])


@drawn.register
def _(thing: Experiment, store: str | Path, metric: str = "") -> figure:
    result = result_of(ExperimentWork(thing, grid(thing), Store(Path(store)), None))
    name = metric or next(iter(thing.report.compared or thing.report.metrics))
    _check_name(name, (*thing.report.metrics, *thing.report.compared))
    baseline = thing.schedulers.baseline
    wanted = [
        (place, one) for place in result.places for one in place.metrics if one.metric.name == name
    ]
    rows = [
        (
            f"{scheduler} ({place.title})" if place.title else scheduler,
            each.ratio,
            *(each.interval or (each.ratio, each.ratio)),
        )
        for place, one in wanted
        for scheduler, each in one.by_scheduler.items()
        if scheduler != baseline and each.ratio is not None
    ]
    if not rows:
        raise InputError(
            f"no result of {thing.name} has a ratio of {name} to {baseline}",
            source=str(store),
            remedy="run it first: utilitysched experiment run",
        )
    names, ratios, lows, highs = zip(*rows, strict=True)
    first = wanted[0][1]
    word = "difference" if first.mean == "difference" else "ratio"
    chart = blank(f"{first.metric.title}: {word} to {baseline}", "", height=110 + 30 * len(rows))
    name_rows(chart, names)
    y = list(range(len(rows)))
    whiskers = ColumnDataSource(data={"x0": lows, "x1": highs, "y": y})
    chart.segment("x0", "y", "x1", "y", source=whiskers, line_width=2, color=COLOURS[0][0])
    points = {"x": ratios, "y": y, "name": names, "low": lows, "high": highs}
    marks = draw_points(chart, 0, ColumnDataSource(data=points))
    tips = [("", "@name"), (word, "@x{0.000}, 95% interval @low{0.000} to @high{0.000}")]
    point_at(chart, tips, renderers=[marks])
    return chart
