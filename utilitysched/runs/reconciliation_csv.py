"""reconciliation.csv: the accounts that have paid a bill."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from swfx.base.csv_rows import write_csv

if TYPE_CHECKING:
    from pricing.accounts import Money, Reconciliation

RECONCILIATION_FILE = "reconciliation.csv"

RECONCILIATION_COLUMNS = (
    "account",
    "month",
    "opening",
    "endowed",
    "billed",
    "other",
    "refunded",
    "closing",
    "posting",
    "unit",
)
"""Columns of ``reconciliation.csv``: amounts in the ledger's unit."""


def write_reconciliation(directory: Path, found: Reconciliation, money: Money) -> Path:
    """Write a line for each account and month, amounts as exact decimals.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    rows = (
        (*period[:2], *map(money.plain, period[2:]), found.posting, money.unit)
        for period in found.periods
    )
    return write_csv(directory / RECONCILIATION_FILE, RECONCILIATION_COLUMNS, rows)


def forget_reconciliation(directory: Path) -> None:
    """Remove that of an earlier bill."""
    (directory / RECONCILIATION_FILE).unlink(missing_ok=True)
