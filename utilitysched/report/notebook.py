"""Views and charts of workloads, schedules, charges, quotes and experiments in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from pricing import Charges
from swfx import InputError, UtilityFunction, Workload
from swfx.base.numbers import money, percent, significant, span, whole
from swfx.base.options import nearest
from utilitysched.analysis.documents import (
    Description,
    Fact,
    Facts,
    IntervalChart,
    IntervalRow,
    column,
    panel,
)
from utilitysched.analysis.metrics import summary
from utilitysched.analysis.series import Bill, Totals, charges_by
from utilitysched.experiments.grid import grid
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import ExperimentWork, result_of
from utilitysched.market.quote.offer import Quote
from utilitysched.model.schedule import Schedule
from utilitysched.report.charts import catalogue, curves, panels, users, workloads
from utilitysched.report.charts.display import show_offline
from utilitysched.report.charts.picture import Picture
from utilitysched.report.experiment import interval_charts
from utilitysched.report.quote import quote_description
from utilitysched.report.templating import fragment
from utilitysched.runs import RunResults

MOST_ROWS = 20
"""Users that are listed: those who pay most."""

OF_SCHEDULES = tuple(name for name in catalogue.NAMES if name != "charges")
"""Charts of schedules; `charges` is that of charges."""


@singledispatch
def described(thing: object) -> Description:
    """Return what a notebook shows of something."""
    raise TypeError(f"there is no description of {type(thing).__name__}")


def html(thing: object) -> str:
    """Return what a notebook shows of something, as a part of a page."""
    return fragment(described(thing))


def plot(thing: object, *about: Any, **options: Any) -> alt.TopLevelMixin:
    """Return the chart of something, which notebooks show without network.

    Parameters
    ----------
    thing : Workload, Schedule, UtilityFunction, Charges, Quote or Experiment
        A workload: what its jobs ask for. A schedule, with its workload as the next argument, and
        the name of a chart, any of `OF_SCHEDULES`; ``beside=[...]`` draws further schedules of the
        workload into it. A utility function: the curve. Charges: who pays most; ``beside=[...]``
        draws further charges for the same jobs. A quote: what each offer would cost. An experiment,
        with the folder of its results as the next argument, and a metric, by default the first that
        is compared: each scheduler beside the baseline, with intervals.

    Returns
    -------
    altair.Chart
        To be changed, saved, or put beside others (``|``, ``&``).

    Raises
    ------
    InputError
        There is no such chart, or nothing to draw.
    """
    show_offline()
    charts = [picture.in_notebook() for picture in pictures(thing, *about, **options)]
    return charts[0] if len(charts) == 1 else alt.vconcat(*charts)


@singledispatch
def pictures(thing: object, *_: Any, **__: Any) -> Iterator[Picture]:
    """Yield what is plotted of something."""
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


@pictures.register
def _(thing: Workload) -> Iterator[Picture]:
    yield workloads.requests(workloads.requests_columns(thing))


@described.register
def _(thing: UtilityFunction) -> Description:
    points = [
        (span(time), float(value))
        for time, value in zip(thing.times.tolist(), thing.values.tolist(), strict=True)
    ]
    columns = [column("after", "text", "after"), column("worth (SU)", "number", "worth")]
    table = panel("curve", "Utility function", "", columns, points)
    return Description(repr(thing), [table])


@pictures.register
def _(thing: UtilityFunction) -> Iterator[Picture]:
    yield curves.utility_functions({"": thing})


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


@pictures.register
def _(
    thing: Schedule,
    workload: Workload,
    name: str = "utilisation",
    beside: Sequence[Schedule] = (),
) -> Iterator[Picture]:
    if name not in OF_SCHEDULES:
        raise InputError(f"no chart is named {name!r}", remedy=nearest(name, OF_SCHEDULES))
    runs = [
        RunResults(
            Path(str(place)),
            each.scheduler,
            workload,
            each,
            summary(workload, each),
            {},
            None,
            None,
        )
        for place, each in enumerate((thing, *beside), 1)
    ]
    for figure in catalogue.figures(runs, [name]):
        yield figure.draw()


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
    name, totals = thing.workload.labels.in_field("user").name, _by_user(thing)
    rows = list(
        zip(
            map(name, totals.key.tolist()),
            totals.jobs.tolist(),
            totals.charge.tolist(),
            totals.utility.tolist(),
            strict=True,
        )
    )
    return Description(
        repr(thing), [facts, panel("payers", "Who pays most", "", columns, rows[:MOST_ROWS])]
    )


def _by_user(charges: Charges) -> Totals:
    users_of = charges.workload.labels.in_field("user").numbers
    return charges_by(Bill(charges.mechanism, charges.charge), users_of, charges.outcome.utility)


@pictures.register
def _(thing: Charges, beside: Sequence[Charges] = ()) -> Iterator[Picture]:
    totals = {each.mechanism: _by_user(each) for each in (thing, *beside)}
    columns = users.payers(totals, thing.workload.labels.in_field("user"))
    yield users.charges(columns, list(totals))


@described.register
def _(thing: Quote) -> Description:
    return quote_description(thing)


@pictures.register
def _(thing: Quote) -> Iterator[Picture]:
    rows = []
    for offer in thing.offers:
        lead = f"{offer.name}: " if len(thing.offers) > 1 else ""
        for name, spread in {"worth": offer.now.worth, **offer.now.charges}.items():
            ends = min(spread.quantiles), max(spread.quantiles)
            rows.append(IntervalRow(f"{lead}{name}", spread.mean, *ends))
    shares = [f"{share:.0%}" for share in sorted(thing.terms.quantiles)]
    caption = f"Means; lines from the {shares[0]} to the {shares[-1]} quantile of the samples."
    yield panels.picture(IntervalChart("charges", "Worth and charges", caption, "SU", rows, 0.0))


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


@pictures.register
def _(thing: Experiment, store: str | Path, metric: str = "") -> Iterator[Picture]:
    result = result_of(ExperimentWork(thing, grid(thing), Store(Path(store)), None))
    known = thing.report.compared or thing.report.metrics
    name = metric or next(iter(known))
    if name not in (*thing.report.metrics, *thing.report.compared):
        raise InputError(f"no chart is named {name!r}", remedy=nearest(name, tuple(known)))
    charts = [
        chart
        for place in result.places
        for one in place.metrics
        if one.metric.name == name
        for chart in interval_charts(result, place, one, 1)
    ]
    if not charts:
        raise InputError(
            f"no result of {thing.name} has a ratio of {name} to {thing.schedulers.baseline}",
            source=str(store),
            remedy="run it first: utilitysched experiment run",
        )
    yield from map(panels.picture, charts)
