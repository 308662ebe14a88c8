"""A bill: one statement, and the total that its lines add up to."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
from rich.table import Table

from pricing import Charges, check_charges
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import plural, whole

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""


def print_bill(charges: Charges, table: pd.DataFrame, *, shown: int = SHOWN) -> None:
    """Print a statement, the dearest lines first, and the total.

    Parameters
    ----------
    charges : Charges
        What every job pays.
    table : DataFrame
        A statement of them.
    shown : int
        Lines to print.
    """
    to = console()
    to.print(f"Bill by {charges.mechanism}, per {table.index.name}: {_counted(charges)}")
    to.print()
    show(to, _lines(table, shown))
    to.print()
    to.print(f"The lines add up to {charges.billed:,f} SU, the exact sum of the charges.")
    for check in check_charges(charges):
        if not check.holds:
            to.print(f"{check.name}: {check.detail}")


def _counted(charges: Charges) -> str:
    parts = [f"{plural(len(charges), 'job')} charged"]
    if charges.excluded:
        parts.append(f"{charges.excluded:,} excluded by status")
    if charges.unstarted:
        parts.append(f"{charges.unstarted:,} never started")
    return ", ".join(parts)


def _lines(table: pd.DataFrame, shown: int) -> Table:
    by = str(table.index.name)
    lines: list[Any] = list(
        table.sort_values("charge", ascending=False, kind="stable").itertuples()
    )
    total = sum((line.charge for line in lines), Decimal(0))
    grown = grid([by, "jobs", "processor-hours", "utility (SU)", "charge (SU)", "share (%)"])
    for line in lines[:shown]:
        grown.add_row(*_cells(str(line.Index), [line], total))
    if lines[shown:]:
        grown.add_row(*_cells(f"{len(lines) - shown:,} others", lines[shown:], total))
    grown.add_section()
    grown.add_row(*_cells("total", lines, total))
    return grown


def _cells(name: str, lines: Sequence[Any], total: Decimal) -> list[str]:
    charge = sum((line.charge for line in lines), Decimal(0))
    return [
        name,
        whole(sum(line.jobs for line in lines)),
        whole(sum(line.processor_hours for line in lines)),
        f"{sum(line.utility for line in lines):,.2f}",
        f"{charge:,.2f}",
        f"{100 * charge / total:.1f}" if total else "-",
    ]
