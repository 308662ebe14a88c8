"""Users: what they used and how long they waited, and what they pay."""

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
from utilitysched.report.charts.distributions import check_users
from utilitysched.report.charts.look import INK
from utilitysched.report.charts.over_time import HEIGHT
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import duration_text, durations, logarithms, numbers
from utilitysched.runs import RunResults

MOST = 8
"""Payers with a bar of their own."""

BAR = 12
"""Height of a bar (pixels)."""


def users(columns: Columns, labels: Sequence[str]) -> Picture:
    """Return a mark for each user: what they used, and how long their jobs waited.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels; user: name; jobs; hours: processor-hours used; wait: mean (s).
    labels : sequence of str
        Of all runs.
    """
    hours, wait = "processor-hours used", "mean wait"
    marks = alt.Chart(data("users", columns), height=HEIGHT).mark_point(opacity=0.8)
    marks = (
        marks.transform_filter("datum.hours > 0")
        .transform_calculate(text=duration_text("wait"))
        .encode(
            x=logarithms(alt.X, "hours", hours),
            y=durations(alt.Y, "wait", wait),
            tooltip=tips(run="run", user="user", jobs="jobs", hours=hours, text=wait),
            **by_run(labels, "shape"),
        )
    )
    caption = "Each mark is a user: what they used, and how long their jobs waited."
    return Picture("users", "Users", marks, caption)


def users_columns(runs: Mapping[str, RunResults]) -> Columns:
    """Return the columns of `users`.

    Raises
    ------
    InputError
        The log tells fewer than two users apart.
    """
    check_users(runs)
    parts: dict[str, Columns] = {}
    for label, run in runs.items():
        each = series.users(run.workload, run.schedule, run.tau)
        names = run.workload.labels.in_field("user")
        parts[label] = {
            "user": [names.name(user) for user in each.user.tolist()],
            "jobs": each.jobs,
            "hours": each.processor_hours,
            "wait": each.wait,
        }
    return joined(parts)


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


def charges_columns(
    runs: Mapping[str, RunResults], field: str = "user", most: int = MOST
) -> Columns:
    """Return the columns of `charges`, for the payers of the first run who pay most.

    Raises
    ------
    InputError
        A run holds no bill, or no job is charged.
    """
    totals = {label: _totals(run, field) for label, run in runs.items()}
    return payers(totals, next(iter(runs.values())).workload.labels.in_field(field), most)


def payers(totals: Mapping[str, Totals], names: LabelNames, most: int = MOST) -> Columns:
    """Return the columns of `charges`, for the payers of the first bill who pay most."""
    first = next(iter(totals.values())).key[:most].tolist()
    return joined({label: _rows(each, first, names) for label, each in totals.items()})


def _totals(run: RunResults, field: str) -> Totals:
    utility = realised_utility(run.workload, run.schedule)
    return series.charges_by(bill_of(run), run.workload.labels.in_field(field).numbers, utility)


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
