"""Charges: who pays, and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from swfx import InputError
from swfx.labels import LabelNames
from utilitysched.analysis import series
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series import Bill, Totals
from utilitysched.report.charts.channels import by_run, joined, tips
from utilitysched.report.charts.look import INK
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import numbers
from utilitysched.runs import RunResults

MOST = 8
"""Payers with a bar of their own."""

BAR = 12
"""Height of a bar (pixels)."""


def charges(columns: Columns, labels: Sequence[str], of: str = "user") -> Picture:
    """Return a bar for the charge of each payer, with a mark at the utility they earned.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels; payer: in the order of the rows; charge, utility: SU.
    labels : sequence of str
        Of all runs that have a bill.
    of : str, default "user"
        What payers are.
    """
    title = "SU (bars: charged; marks: utility earned)"
    axis = alt.Axis(grid=False, labelOverlap=False)
    rows = alt.Y("payer:N", sort=None, title=of, axis=axis)
    bars = alt.Chart().encode(
        y=rows,
        yOffset=alt.YOffset("run:N", scale=alt.Scale(domain=list(labels))),
        tooltip=tips(run="run", payer=of, charge="charge (SU)", utility="utility earned (SU)"),
    )
    chart = alt.layer(
        bars.mark_bar(opacity=0.6).encode(x=numbers(alt.X, "charge", title), **by_run(labels)),
        bars.mark_tick(color=INK, thickness=2).encode(x=numbers(alt.X, "utility", title)),
        data=data(f"charges-{of}", columns),
        height=alt.Step(BAR * len(labels) + 4, **{"for": "position"}),
    )
    return Picture(f"charges-{of}", f"Charges by {of}", chart)


def charges_columns(runs: Mapping[str, RunResults], field: str = "user") -> Columns:
    """Return the columns of `charges`, for the payers of the first run who pay most.

    Raises
    ------
    InputError
        A run holds no bill, or no job is charged.
    """
    totals = {
        label: series.charges_by(
            bill_of(run),
            run.workload.labels.in_field(field).numbers,
            realised_utility(run.workload, run.schedule),
        )
        for label, run in runs.items()
    }
    return payers(totals, next(iter(runs.values())).workload.labels.in_field(field))


def payers(totals: Mapping[str, Totals], names: LabelNames) -> Columns:
    """Return the columns of `charges`, for the payers of the first bill who pay most."""
    first = next(iter(totals.values())).key[:MOST].tolist()
    return joined({label: _rows(each, first, names) for label, each in totals.items()})


def bill_of(run: RunResults) -> Bill:
    """Return the bill of a run.

    Raises
    ------
    InputError
        The run holds none, or no job is charged.
    """
    if run.bill is None:
        raise InputError(
            "holds no bill",
            source=str(run.directory),
            remedy=f"make one with: utilitysched bill {run.directory}",
        )
    if np.isnan(run.bill.charge).all():
        raise InputError("no job is charged", source=str(run.directory))
    return run.bill


def _rows(totals: Totals, payers: list[int], names: LabelNames) -> Columns:
    """Return a row for each payer, 0 for who pays nothing, and one for all others together."""
    place = {key: row for row, key in enumerate(totals.key.tolist())}
    texts = [names.name(payer) for payer in payers]
    rows: dict[str, Sequence[str] | Sequence[float]] = {"payer": texts}
    others = len(totals.key) - len(payers)
    for name, amounts in (("charge", totals.charge), ("utility", totals.utility)):
        theirs = [float(amounts[place[payer]]) if payer in place else 0.0 for payer in payers]
        rows[name] = [*theirs, float(amounts.sum()) - sum(theirs)] if others > 0 else theirs
    if others > 0:
        texts.append(f"{others:,} others")
    return rows
