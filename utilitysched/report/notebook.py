"""Charts of workloads, schedules, charges, quotes and experiments, which notebooks show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

import altair as alt

from pricing import Charges
from swfx import InputError, UtilityFunction, Workload
from swfx.base.options import nearest
from utilitysched.analysis.documents import IntervalChart, IntervalRow
from utilitysched.analysis.metrics import summary
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
from utilitysched.report.views import totals_of
from utilitysched.runs import RunResults

OF_SCHEDULES = tuple(name for name in catalogue.NAMES if name != "charges")
"""Charts of schedules; `charges` is that of charges."""


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
    charts: list[Any] = [picture.in_notebook() for picture in pictures(thing, *about, **options)]
    return charts[0] if len(charts) == 1 else alt.vconcat(*charts)


@singledispatch
def pictures(thing: object, *_: Any, **__: Any) -> Iterator[Picture]:
    """Yield what is plotted of something."""
    raise TypeError(f"there is no chart of {type(thing).__name__}")


@pictures.register
def _(thing: Workload) -> Iterator[Picture]:
    yield workloads.requests(workloads.requests_columns(thing))


@pictures.register
def _(thing: UtilityFunction) -> Iterator[Picture]:
    yield curves.utility_functions({"": thing})


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


@pictures.register
def _(thing: Charges, beside: Sequence[Charges] = ()) -> Iterator[Picture]:
    totals = {each.mechanism: totals_of(each) for each in (thing, *beside)}
    columns = users.payers(totals, thing.workload.labels.in_field("user"))
    yield users.charges(columns, list(totals))


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
