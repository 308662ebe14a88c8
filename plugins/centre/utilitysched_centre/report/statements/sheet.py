"""Files of invoices and credit notes: JSON, a page of one A4 sheet, evidence and jobs; an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from pricing.keys import words
from pricing.ledger import amount
from swfx.base.atomic import write_whole
from swfx.base.csv_rows import write_csv
from swfx.base.numbers import plural
from utilitysched.analysis.documents import plain_table
from utilitysched.report.templating import write_html
from utilitysched_centre.report.statements.evidence import evidence
from utilitysched_centre.report.statements.issue import issued_invoice
from utilitysched_centre.report.statements.issued import (
    CREDIT_NOTE,
    EvidenceFile,
    IssuedDocument,
    content_of,
    document_text,
)
from utilitysched_centre.report.statements.page import (
    DocumentPage,
    credit_note_page,
    invoice_page,
)
from utilitysched_centre.report.statements.statement import Link, Statement, Statements
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules.files import write_job_lines

INDEX, EVERY = "index.html", "index.csv"

LINKED = 500
"""Documents that `INDEX` lists; of more those of the largest amounts, and `EVERY` has all."""


class IndexEntry(NamedTuple):
    """A document in an index.

    Attributes
    ----------
    number : str
        Number of the document.
    kind : str
        Kind of the document.
    name : str
        Name of the payer.
    jobs : int
        Jobs of an invoice.
    amount : Decimal
        Amount, below 0 for a credit note.
    target : str
        Page of the document, relative to the index.
    corrects : str
        Invoice that a credit note corrects.
    cancels : bool
        Whether nothing is left of it.
    """

    number: str
    kind: str
    name: str
    jobs: int
    amount: Decimal
    target: str
    corrects: str = ""
    cancels: bool = False

    @classmethod
    def of(cls, issued: IssuedDocument, target: str = "") -> IndexEntry:
        """Return the entry of a document; its page has the name of its number by default."""
        is_note = issued.kind == CREDIT_NOTE
        return cls(
            issued.number,
            issued.kind,
            issued.recipient,
            0 if is_note else issued.jobs,
            amount(issued.sign * issued.amount, issued.decimals),
            target or f"{issued.number}.html",
            issued.corrects,
            issued.cancels,
        )


class IndexHeading(NamedTuple):
    """Texts around the table of an index.

    Attributes
    ----------
    currency : str
        Code of the currency of all documents.
    by : str
        Kind of the payers.
    centre : str
        Name of the centre.
    warnings : sequence of str
        Sentences that come before the table.
    """

    currency: str
    by: str = "account"
    centre: str = ""
    warnings: Sequence[str] = ()


def unwatched(_: float) -> None:
    """Tell nobody how far anything is."""


def write_document(issued: IssuedDocument, mine: Statement | None, folder: Path) -> list[Path]:
    """Write the files of a document.

    Of an invoice these are its JSON, which has the digests of the others, the table of jobs, the
    evidence, and the page; of a credit note its JSON and its page.

    Parameters
    ----------
    issued : IssuedDocument
        The document.
    mine : Statement or None
        Jobs of an invoice; None for a credit note.
    folder : Path
        Made if need be.

    Returns
    -------
    list of Path
        The files, the JSON first.
    """
    if mine is None:
        text = _rendered(credit_note_page(issued), INDEX)
        files = [write_html(text, folder / f"{issued.number}.html", parents=True)]
    else:
        text = _rendered(invoice_page(issued, mine), f"../{INDEX}" if mine.folder else INDEX)
        files = [
            write_job_lines(folder / mine.table, mine.bill, mine.places),
            write_html(evidence(issued, mine), folder / mine.evidence),
            write_html(text, folder / mine.sheet),
        ]
    digests = tuple(EvidenceFile(file.name, content_of(file)) for file in files)
    sealed = replace(issued, evidence=digests)
    content = mine.content if mine else f"{issued.number}.json"
    return [write_whole(folder / content, document_text(sealed)), *files]


def write_pages(
    statements: Statements, folder: Path, on_progress: Callable[[float], None] = unwatched
) -> list[Path]:
    """Write the documents of all statements of a bill, and an index.

    Pages refer to files of the folder, and to nothing else: it can be sent as it is.

    Parameters
    ----------
    statements : Statements
        The invoices.
    folder : Path
        Made if need be.
    on_progress : callable
        Takes the share of invoices that are written.

    Returns
    -------
    list of Path
        The files, the index last.
    """
    written: list[Path] = []
    entries: list[IndexEntry] = []
    for mine in statements:  # one at a time: there may be 100,000
        issued = issued_invoice(mine)
        written += write_document(issued, mine, folder / mine.folder)
        entries.append(IndexEntry.of(issued, f"{mine.folder}/{mine.sheet}".lstrip("/")))
        on_progress(mine.number / len(statements))
    bill, basis = statements.bill, statements.bill.charges.basis
    centre = bill.rules.centre.name if bill.rules.centre else ""
    warnings = basis.notices if basis else ()
    heading = IndexHeading(bill.currency, words(statements.by), centre, warnings)
    return [*written, *write_index(entries, folder, heading)]


def write_index(entries: Sequence[IndexEntry], folder: Path, heading: IndexHeading) -> list[Path]:
    """Write an index of documents, `INDEX`, and a table of all where these are many, `EVERY`.

    Parameters
    ----------
    entries : sequence of IndexEntry
        The documents, in the order of their numbers.
    folder : Path
        Of the documents.
    heading : IndexHeading
        Texts around the table.

    Returns
    -------
    list of Path
        The files, the page last.
    """
    states = _states(entries)
    written = []
    if len(entries) > LINKED:
        heads = ("number", "document", "name", "jobs", "amount", "currency", "state", "file")
        rows = (
            (*one[:4], one.amount, heading.currency, states.get(one.number, ""), one.target)
            for one in entries
        )
        written.append(write_csv(folder / EVERY, heads, rows))
    page = _index(entries, states, heading)
    return [*written, write_html(page, folder / INDEX, parents=True)]


def _rendered(page: DocumentPage, index: str) -> str:
    return render("statement.html", title=page.title, index=index, page=page)


def _states(entries: Iterable[IndexEntry]) -> Mapping[str, str]:
    """Return the states of documents by number; nothing of invoices that stand as they are."""
    states: dict[str, str] = {}
    for note in entries:
        if note.corrects:
            verb = "cancel" if note.cancels else "correct"
            before = states.get(note.corrects, "")
            state = f"{verb}{'l' * note.cancels}ed by {note.number}"
            states[note.corrects] = f"{before}, {state}" if before else state
            states[note.number] = f"{verb}s {note.corrects}"
    return states


def _index(entries: Sequence[IndexEntry], states: Mapping[str, str], heading: IndexHeading) -> str:
    shown, rest = list(entries), list[IndexEntry]()
    if len(shown) > LINKED:
        shown.sort(key=lambda one: -abs(one.amount))
        shown, rest = shown[:LINKED], shown[LINKED:]

    def sums(some: Sequence[IndexEntry]) -> tuple[str, str]:
        standing = (one for one in some if not states.get(one.number, "").startswith("cancelled"))
        jobs, total = (
            sum(one.jobs for one in standing),
            sum((one.amount for one in some), Decimal(0)),
        )
        return f"{jobs:,}" if jobs else "", f"{total:,f}"

    rows = [
        (
            Link(one.target, one.number),
            one.kind,
            one.name,
            states.get(one.number, "issued"),
            *sums([one]),
        )
        for one in shown
    ]
    if rest:
        rows.append((Link(EVERY, plural(len(rest), "other")), "", "", "", *sums(rest)))
    heads = ["number", "document", heading.by, "state", "jobs", f"amount ({heading.currency})"]
    total = ("total", "", "", "", *sums(entries))
    return render(
        "statements.html",
        title="Documents",
        centre=heading.centre,
        warnings=heading.warnings,
        shown=plain_table(heads, rows, total=[total], left=4),
    )
