"""Charts of workloads, schedules, charges, quotes and experiments, which notebooks show."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

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
from utilitysched.report.charts import catalogue, charges, curves, panels
from utilitysched.report.charts.distributions import requests
from utilitysched.report.charts.look import configuration, with_colours
from utilitysched.report.charts.picture import Picture, squeezed
from utilitysched.report.experiment import interval_chart
from utilitysched.report.views import totals_of
from utilitysched.runs import RunResults

OF_SCHEDULES = tuple(name for name in catalogue.NAMES if name != "charges")
"""Charts of schedules; `charges` is that of charges."""


NAME = "utilitysched"
"""Of the renderer and of the theme of Altair's charts."""

VEGA_LITE = "application/vnd.vegalite.v5+json"
"""What JupyterLab and VS Code draw with scripts of their own; none draws version 6 yet."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
PNG = "image/png"

WIDTH, HEIGHT = 640, 260
"""Of what lies between the scales (pixels)."""

SCALE = 2
"""Pixels of the PNG for each of the chart."""

LARGE = 1e6
"""Numbers from which on all digits are stored: times. Others have six."""


def mime_bundle(
    specification: dict[str, Any], **_: object
) -> tuple[dict[str, object], dict[str, object]]:
    """Return a chart as Vega-Lite, and as PNG where nothing draws that; and its width (pixels)."""
    png = squeezed(vl_convert.vegalite_to_png(specification, scale=SCALE))
    width = int.from_bytes(png[16:20]) // SCALE
    tables = specification.pop("datasets", {})
    shown: dict[str, object] = {
        VEGA_LITE: _short(specification, tables) | {"$schema": SCHEMA},
        PNG: base64.b64encode(png).decode(),
        "text/plain": f"<Chart: {specification.get('description', 'by Altair')}>",
    }
    return shown, {PNG: {"width": width}}


def _short(part: Any, tables: Mapping[str, Any]) -> Any:
    """Return a part of a specification whose rows are CSV, a fraction of the JSON of notebooks."""
    if isinstance(part, list):
        return [_short(each, tables) for each in part]
    if not isinstance(part, dict):
        return part
    short = {key: _short(each, tables) for key, each in part.items() if key != "data"}
    if "data" in part:
        rows = tables.get(part["data"].get("name"), part["data"].get("values"))
        plain = isinstance(rows, list) and any(rows) and all(isinstance(row, dict) for row in rows)
        short["data"] = _csv(rows) if plain else part["data"]
    return short


def _csv(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    numbers = [n for n in names if all(isinstance(row.get(n, 0), int | float) for row in rows)]
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {**row}
        | {name: f"{row[name]:.6g}" for name in numbers if abs(row.get(name, LARGE)) < LARGE}
        for row in rows
    )
    return {
        "values": text.getvalue(),
        "format": {"type": "csv", "parse": dict.fromkeys(numbers, "number")},
    }


@alt.theme.register(NAME, enable=False)
def _look() -> alt.theme.ThemeConfig:
    config = json.loads(with_colours(json.dumps(configuration())))
    config["view"] |= {"continuousWidth": WIDTH, "continuousHeight": HEIGHT}
    return alt.theme.ThemeConfig(config=config)


alt.renderers.register(NAME, mime_bundle)


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
    if alt.renderers.active == "default":
        alt.renderers.enable(NAME)
    if alt.theme.active == "default":
        alt.theme.enable(NAME)
    charts: list[Any] = [picture.in_notebook() for picture in pictures(thing, *about, **options)]
    return charts[0] if len(charts) == 1 else alt.vconcat(*charts)


@singledispatch
def pictures(thing: object, *_: Any, **__: Any) -> Iterator[Picture]:
    """Yield what is plotted of something."""
    raise TypeError(f"there is no chart of {type(thing).__name__}")


@pictures.register
def _(thing: Workload) -> Iterator[Picture]:
    yield requests(thing)


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
    columns = charges.payers(totals, thing.workload.labels.in_field("user"))
    yield charges.charges(columns, list(totals))


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
    chart = interval_chart(result, name)
    if chart is None:
        raise InputError(
            f"no result of {thing.name} has a ratio of {name} to {thing.schedulers.baseline}",
            source=str(store),
            remedy="run it first: utilitysched experiment run",
        )
    yield panels.picture(chart)
