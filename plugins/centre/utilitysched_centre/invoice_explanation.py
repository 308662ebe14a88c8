"""Amounts of jobs on invoices, for explanations of charges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pricing.ledger import amount, plain
from swfx import InputError
from swfx.base.csv_columns import read_columns
from utilitysched.report.explanation import ExplanationPart
from utilitysched_centre.report.statements.issued import (
    INVOICE,
    CreditLine,
    IssuedDocument,
    read_document_file,
)
from utilitysched_centre.rules.files import INVOICE_FILE

INVOICES = "invoices"
"""Folder of issued documents, beside the run of a month."""

SHOWN = ("job", "account", "net", "tax", "amount", "currency", "reason", "how")
"""Columns of the invoice that explanations have."""

_AGAIN = "make the invoice again: utilitysched invoice"


class JobCredit(NamedTuple):
    """A credit for a job, and the document that states it."""

    document: IssuedDocument
    line: CreditLine


def explain_invoice(directory: Path, job_id: int) -> ExplanationPart | None:
    """Return the amount of a job on its invoice, how it comes about, and the documents about it.

    Parameters
    ----------
    directory : Path
        Of the run.
    job_id : int
        Number of the job.

    Returns
    -------
    ExplanationPart or None
        None without an invoice of the run, or if the job is not on it.

    Raises
    ------
    InputError
        A file cannot be read.
    """
    row = _row(directory / INVOICE_FILE, "job_id", str(job_id))
    if row is None:
        return None
    issued = _documents(directory.parent / INVOICES, row)
    credited = list(_credits(issued, row["job"]))
    sentences = [f"Invoice: {row['amount']} {row['currency']} to pay by {row['account']}."]
    sentences += [f"{row['how']}."]
    sentences += [_invoice_text(one, issued) for one in issued if one.kind == INVOICE]
    sentences += [
        f"{one.document.kind.capitalize()} {one.document.number} gives back"
        f" {_money(one)} {row['currency']}: {one.line.reason}."
        for one in credited
    ]
    sentences += ["What follows is the charge before the rules of the centre."]
    document = {name: row[name] for name in SHOWN} | {
        "documents": [one.number for one in issued],
        "credits": [
            {
                "document": one.document.number,
                "amount": _money(one),
                "reason": one.line.reason,
            }
            for one in credited
        ],
    }
    return ExplanationPart(sentences, document)


def _row(path: Path, column: str, wanted: str) -> Mapping[str, str] | None:
    """Return the line of a job in an invoice, by a column that tells; None if there is none."""
    if not path.exists():
        return None
    cells = read_columns(str(path), _AGAIN).cells
    if missing := [name for name in ("job_id", *SHOWN) if name not in cells]:
        raise InputError(f"has no column {missing[0]}", source=str(path), remedy=_AGAIN)
    places = [place for place, cell in enumerate(cells[column]) if cell == wanted]
    return {name: each[places[0]] for name, each in cells.items()} if places else None


def _documents(folder: Path, row: Mapping[str, str]) -> list[IssuedDocument]:
    """Return the invoices that list a job, and the credit notes that correct them.

    By the job's name: numbers of tasks, parts and runs are others when a listing has grown.
    """
    every = [read_document_file(path) for path in sorted(folder.glob("*.json"))]
    mine = [one for one in every if row["account"] in (one.recipient, one.account)]
    listing = {
        one.number
        for one in mine
        if one.kind == INVOICE and _row(folder / f"{one.number}.csv", "job", row["job"])
    }
    return [one for one in mine if one.number in listing or one.corrects in listing]


def _credits(issued: list[IssuedDocument], job: str) -> Iterator[JobCredit]:
    """Yield what documents give back for a job; a cancelled invoice and its notes, nothing more."""
    dead = {one.corrects for one in issued if one.cancels}
    for one in issued:
        if not dead & {one.number, one.corrects}:
            yield from (JobCredit(one, line) for line in one.credits if line.job == job)


def _invoice_text(invoice: IssuedDocument, issued: list[IssuedDocument]) -> str:
    cancelling = [one.number for one in issued if one.corrects == invoice.number and one.cancels]
    text = f"It is on invoice {invoice.number} of {invoice.issued}"
    return f"{text}, which {cancelling[0]} cancels." if cancelling else f"{text}."


def _money(credit: JobCredit) -> str:
    return plain(amount(credit.line.net + credit.line.tax, credit.document.decimals))
