"""Invoices and credit notes of a centre: rows of the ledger, and files that a billing run wrote."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from swfx import InputError
from utilitysched_centre.accounts import Account, Book, Document, DocumentLine, Money, OpenItem

KINDS = {
    ".html": "text/html; charset=utf-8",
    "-evidence.html": "text/html; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json; charset=utf-8",
}
"""Endings of the files of a document, behind its number, and their media types."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "sandbox allow-downloads",
    )
)
"""Of documents, whose styles are within them: no script runs, and nothing is sent or loaded."""


@dataclass(frozen=True)
class Issued:
    """Documents that somebody may see.

    Attributes
    ----------
    documents : tuple of Document
        In the order of issue.
    lines : tuple of DocumentLine
        Credits on them.
    open : dict of str to OpenItem
        Invoices among them with an open amount, by number.
    money : Money
        What their amounts are counted in.
    folder : Path or None
        The billing folder with their files; None if none is served.
    """

    documents: tuple[Document, ...]
    lines: tuple[DocumentLine, ...]
    open: dict[str, OpenItem]
    money: Money
    folder: Path | None

    @classmethod
    def of(cls, book: Book, folder: Path | None, payers: Collection[Account] | None) -> Issued:
        """Return the documents of some payers, or of all."""
        documents = tuple(
            each for each in book.documents() if payers is None or each.account in payers
        )
        numbers = {each.number for each in documents}
        lines = tuple(each for each in book.document_lines() if each.document in numbers)
        items = {each.number: each for each in book.open_items() if each.number in numbers}
        return cls(documents, lines, items, book.money, folder)

    def file(self, name: str) -> Path | None:
        """Return the file of a name if it is one of these documents'; no other is looked up."""
        document = self._named.get(name)
        if document is None or self.folder is None or Path(name).name != name:
            return None
        path = self.folder / document.month / "invoices" / name
        return path if path.is_file() else None

    @cached_property
    def _named(self) -> dict[str, Document]:
        return {f"{each.number}{ending}": each for each in self.documents for ending in KINDS}

    @property
    def overdue(self) -> list[OpenItem]:
        """Invoices that are past their day and not settled, the oldest first."""
        return [each for each in self.open.values() if each.overdue > 0 and each.open > 0]

    def reasons(self, number: str) -> str:
        """Return why a document gives something back, each reason once."""
        told = (each.reason for each in self.lines if each.document == number)
        return "; ".join(dict.fromkeys(filter(None, told)))

    def jobs(self, number: str) -> str:
        """Return the jobs that a document gives something back for."""
        return ", ".join(each.job for each in self.lines if each.document == number)


def grouped(amount: str) -> str:
    """Return a decimal amount with commas between thousands; empty as it is."""
    return f"{Decimal(amount):,f}" if amount else ""


def media_type(name: str) -> str:
    """Return the media type of a file of a document."""
    return next(kind for ending, kind in KINDS.items() if name.endswith(ending))


def require_folder(folder: Path) -> Path:
    """Return a billing folder.

    Raises
    ------
    InputError
        There is no such folder.
    """
    if not folder.is_dir():
        raise InputError("is no folder", source=str(folder), field="--invoices")
    return folder
