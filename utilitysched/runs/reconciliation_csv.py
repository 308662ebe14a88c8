"""reconciliation.csv: the accounts that have paid a bill."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from swfx.base.atomic import atomic_write

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
    path = directory / RECONCILIATION_FILE
    with (
        atomic_write(path) as stream,
        io.TextIOWrapper(stream, encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(RECONCILIATION_COLUMNS)
        for period in found.periods:
            amounts = map(money.plain, period[2:])
            writer.writerow((*period[:2], *amounts, found.posting, money.unit))
    return path


def forget_reconciliation(directory: Path) -> None:
    """Remove that of an earlier bill."""
    (directory / RECONCILIATION_FILE).unlink(missing_ok=True)
