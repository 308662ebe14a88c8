"""Charges by user, where a bill has been made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from swfx import MISSING
from swfx.base.numbers import significant
from utilitysched.analysis.documents import Cell, ResultTable, column, panel
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series import Bill, Totals, charges_by
from utilitysched.report.html.canvas import (
    ReportSection,
    blank,
    draw_points,
    from_zero,
    name_rows,
    point_at,
)
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults

MOST_USERS = 20
ROW = 20
"""Pixels for each user."""

MARGINS = 110


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the charges by user of all runs that have a bill; nothing if none has one."""
    billed = {
        place: (label, run, run.bill)
        for place, (label, run) in enumerate(shown)
        if run.bill is not None
    }
    if billed:
        yield _picture(billed)


def _picture(billed: dict[int, tuple[str, RunResults, Bill]]) -> ReportSection:
    totals = {
        place: charges_by(bill, run.workload.user, realised_utility(run.workload, run.schedule))
        for place, (_, run, bill) in billed.items()
    }
    labels = {place: label for place, (label, _, _) in billed.items()}
    payers = next(iter(totals.values())).key[:MOST_USERS].tolist()
    under = f" under {next(iter(labels.values()))}" if len(labels) > 1 else ""
    said = "; ".join(
        f"{label}: {significant(float(totals[place].charge.sum()))} SU in all by {bill.mechanism}"
        for place, (label, _, bill) in billed.items()
    )
    return ReportSection(
        "charges",
        "Charges by user",
        f"The {len(payers)} users who pay most{under}. {said}.",
        _drawn(payers, totals, labels),
        table=_table(payers, totals, labels),
        lines=labels,
        marked=True,
    )


def _drawn(payers: list[int], totals: dict[int, Totals], labels: dict[int, str]) -> figure:
    """Draw a row for each payer, with a point for each run."""
    drawn = blank("charge (SU)", "user", height=MARGINS + ROW * len(payers), x_range=from_zero())
    name_rows(drawn, [_name(user) for user in payers])
    for place, label in labels.items():
        charge, utility = _of(totals[place], payers)
        columns = {
            "x": charge,
            "y": np.arange(len(payers)),
            "utility": utility,
            "user": [_name(user) for user in payers],
            "run": [label] * len(payers),
        }
        draw_points(drawn, place, ColumnDataSource(data=columns))
    tips = [
        ("user", "@user"),
        ("run", "@run"),
        ("charge", "@x{0,0} SU"),
        ("utility", "@utility{0,0} SU"),
    ]
    point_at(drawn, tips)
    return drawn


def _of(totals: Totals, payers: list[int]) -> tuple[list[float], list[float]]:
    """Charge and utility of each payer, 0 for who pays nothing."""
    charge = dict(zip(totals.key.tolist(), totals.charge.tolist(), strict=True))
    utility = dict(zip(totals.key.tolist(), totals.utility.tolist(), strict=True))
    return [charge.get(user, 0.0) for user in payers], [utility.get(user, 0.0) for user in payers]


def _table(payers: list[int], totals: dict[int, Totals], labels: dict[int, str]) -> ResultTable:
    found = {place: _of(each, payers) for place, each in totals.items()}
    rows: list[list[Cell]] = [
        [_name(user), *(each[i] for both in found.values() for each in both)]
        for i, user in enumerate(payers)
    ]
    columns = [
        each
        for place in found
        for each in (
            column(f"{labels[place]}: charge (SU)", "count", f"charge {place}"),
            column("utility (SU)", "count", f"utility {place}"),
        )
    ]
    return panel("charges", "In figures", "", [column("user", "text", "user"), *columns], rows)


def _name(user: int) -> str:
    return "unknown" if user == MISSING else str(user)
