"""Files of invoices: written to a temporary name, renamed when complete."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pricing.basis import COLUMN, columns_with, rows_with
from pricing.ledger import amount, plain
from swfx.base.atomic import write_whole
from swfx.base.columns import Ints
from swfx.base.csv_rows import write_csv
from utilitysched_centre.rules.formula import job_formula
from utilitysched_centre.rules.invoice import Invoice
from utilitysched_centre.rules.statements import StatementLine, lines, written

INVOICE_FILE = "invoice.csv"

InvoiceTable = tuple[tuple[str, ...], Iterator[Sequence[object]]]
"""Columns, and rows."""

INVOICE_COLUMNS = (
    "job_id",
    "job",
    "user",
    "group",
    "queue",
    "account",
    "month",
    "status",
    "charge",
    "base",
    "idle",
    "allowed",
    "due",
    "net",
    "tax",
    "amount",
    "currency",
    "reason",
    "how",
)
"""Columns of ``invoice.csv``: SU up to ``due``, then currency; names come after them."""

OWN = "for_own_jobs"
"""Column behind these, where charges are what others lose: what of `charge` is for delaying jobs of
the same payer (SU)."""

DISPLACED = "displaced"
"""Column behind these, where jobs pay for those that they displaced: that, less what the job gets
itself (SU)."""


def write_invoice(directory: Path, bill: Invoice) -> list[Path]:
    """Write ``invoice.csv``, one ``invoice-by-KIND.csv`` per kind, and ``invoice.json``.

    Returns
    -------
    list of Path
        The files, in the order in which they were written.

    Raises
    ------
    InputError
        If the directory cannot be written.
    """
    files, basis = [write_job_lines(directory / INVOICE_FILE, bill)], bill.charges.basis
    for kind in written(bill):
        columns, rows = _table(bill, kind)
        path = directory / f"invoice-by-{kind}.csv"
        known = columns_with(columns, basis), rows_with(rows, basis)
        files.append(write_csv(path, *known, parents=True))
    text = json.dumps(document(bill), indent=2) + "\n"
    return [*files, write_whole(directory / "invoice.json", text)]


def write_job_lines(path: Path, bill: Invoice, places: Sequence[int] | None = None) -> Path:
    """Write a line for each job, or for those in some places, as in ``invoice.csv``.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    return write_csv(path, *invoice_table(bill, places), parents=True)


def invoice_table(bill: Invoice, places: Sequence[int] | None = None) -> InvoiceTable:
    """Return the columns of ``invoice.csv`` and its rows, of the jobs in some places."""
    chosen, basis = range(len(bill)) if places is None else places, bill.charges.basis
    names = _names(bill)
    further = [
        *([] if bill.own is None else [OWN]),
        *([DISPLACED] if bill.has_displaced else []),
    ]
    columns = (*INVOICE_COLUMNS, *further, *names)
    rows = (
        (*row, *(cells[place] for cells in names.values()))
        for place, row in zip(chosen, _rows(bill, chosen), strict=True)
    )
    return columns_with(columns, basis), rows_with(rows, basis)


def _names(bill: Invoice) -> dict[str, list[str]]:
    """Columns of names: the account is who pays."""
    return {name: cells for name, cells in bill.names.items() if name not in INVOICE_COLUMNS}


def document(bill: Invoice) -> dict[str, object]:
    """Return what is to be paid as JSON-able values: amounts are texts, for they are exact."""
    basis = bill.charges.basis
    return {
        **({COLUMN: basis.document()} if basis else {}),
        "mechanism": bill.charges.mechanism,
        "currency": bill.currency,
        "decimals": bill.decimals,
        "jobs": len(bill.counted_places),
        "net": plain(bill.money(bill.net)),
        "tax": plain(bill.money(bill.tax)),
        "total": plain(bill.total),
        "reasons": bill.reasons,
        "statements": {
            kind: [dict(zip(columns, row, strict=True)) for row in rows]
            for kind in written(bill)
            for columns, rows in [_table(bill, kind)]
        },
    }


def _rows(bill: Invoice, places: Sequence[int]) -> Iterator[Sequence[object]]:
    jobs, charges, done = bill.charges.workload, bill.charges, bill.rounded
    steps = [charges.ledger.units, done.base, done.idle, done.allowed, done.due]
    further = [*([] if bill.own is None else [done.own])]
    further += [done.displaced] if bill.has_displaced else []
    chosen = [*places]

    def at(values: Sequence[object]) -> list[object]:
        return [values[place] for place in chosen]

    def texts(columns: Iterable[Ints], decimals: int) -> Iterator[list[str]]:
        for units in columns:
            yield [plain(amount(each, decimals)) for each in units[chosen].tolist()]

    return zip(
        jobs.job_id[chosen].tolist(),
        at(bill.job_names),
        *(column[chosen].tolist() for column in (jobs.user, jobs.group, jobs.queue)),
        at(bill.payer),
        charges.month[chosen].tolist(),
        jobs.status[chosen].tolist(),
        *texts(steps, charges.ledger.decimals),
        *texts((bill.net, bill.tax, bill.to_pay), bill.decimals),
        [bill.currency] * len(chosen),
        at(bill.steps.reason),
        [job_formula(bill, place) for place in chosen],
        *texts(further, charges.ledger.decimals),
        strict=True,
    )


def _table(bill: Invoice, kind: str) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """Columns and rows of a statement, names in the last column where there are any."""
    entries = lines(bill, kind)
    named = any(line.name for line in entries)
    columns = (kind, *StatementLine._fields[1 : None if named else -1])
    rows: list[tuple[object, ...]] = [
        (*line[:3], *map(plain, line.money), *([line.name] if named else [])) for line in entries
    ]
    return columns, rows
