"""Files of invoices: written to a temporary name, renamed when complete."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from pricing.ledger import amount, plain
from pricing.rules.invoice import Invoice
from pricing.rules.statements import KINDS, StatementLine, lines
from swfx.base.atomic import atomic_write
from swfx.base.csv_rows import write_csv

INVOICE_FILE = "invoice.csv"

INVOICE_COLUMNS = (
    "job_id",
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
)
"""Columns of ``invoice.csv``: SU up to ``due``, then currency."""

SHOWN_DECIMALS = 9
"""Decimals of the steps in SU: what is exact is a fraction."""


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
    written = [write_job_lines(directory / INVOICE_FILE, bill)]
    for kind in KINDS:
        rows = (_texts(line) for line in lines(bill, kind))
        path = directory / f"invoice-by-{kind}.csv"
        written.append(write_csv(path, (kind, *StatementLine._fields[1:]), rows, parents=True))
    path = directory / "invoice.json"
    with atomic_write(path, parents=True) as stream:
        stream.write((json.dumps(document(bill), indent=2) + "\n").encode())
    return [*written, path]


def write_job_lines(path: Path, bill: Invoice, places: Sequence[int] | None = None) -> Path:
    """Write a line for each job, or for those in some places, as in ``invoice.csv``.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    chosen = range(len(bill)) if places is None else places
    return write_csv(path, INVOICE_COLUMNS, _rows(bill, chosen), parents=True)


def document(bill: Invoice) -> dict[str, object]:
    """Return what is to be paid as JSON-able values: amounts are texts, for they are exact."""
    return {
        "mechanism": bill.charges.mechanism,
        "currency": bill.currency,
        "decimals": bill.decimals,
        "jobs": len(bill),
        "net": plain(bill.money(bill.net)),
        "tax": plain(bill.money(bill.tax)),
        "total": plain(bill.total),
        "reasons": bill.reasons,
        "statements": {
            kind: [
                dict(zip((kind, *StatementLine._fields[1:]), _texts(line), strict=True))
                for line in lines(bill, kind)
            ]
            for kind in KINDS
        },
    }


def _rows(bill: Invoice, places: Sequence[int]) -> Iterator[Sequence[object]]:
    jobs, charges, done = bill.charges.workload, bill.charges, bill.steps
    paid = bill.net + bill.tax
    for place in places:
        steps = (done.base, done.idle, done.allowed, done.due)
        money = (bill.net, bill.tax, paid)
        yield (
            *(int(column[place]) for column in (jobs.job_id, jobs.user, jobs.group, jobs.queue)),
            bill.payer[place],
            charges.month[place],
            int(jobs.status[place]),
            plain(amount(int(charges.ledger.units[place]), charges.ledger.decimals)),
            *(in_decimals(step[place]) for step in steps),
            *(plain(amount(int(units[place]), bill.decimals)) for units in money),
            bill.currency,
            done.reason[place],
        )


def in_decimals(exact: Fraction, decimals: int = SHOWN_DECIMALS) -> str:
    """Write a fraction as a decimal, rounded half to even, zeros at the end left out.

    Examples
    --------
    >>> in_decimals(Fraction(1, 8)), in_decimals(Fraction(100))
    ('0.125', '100')
    """
    text = plain(amount(round(exact * 10**decimals), decimals))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _texts(line: StatementLine) -> tuple[object, ...]:
    return (*line[:3], *(plain(money) for money in line[3:]))
