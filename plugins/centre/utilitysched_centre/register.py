"""Register of the documents that a centre has sent: invoices and credit notes, without gaps."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from pricing.ledger import plain
from swfx import InputError
from swfx.base.csv_columns import read_columns
from swfx.base.csv_rows import write_csv
from utilitysched_centre.accounts import Book

INVOICE, CREDIT_NOTE = "invoice", "credit note"


class Document(NamedTuple):
    """An invoice, or a credit note that cancels one.

    Attributes
    ----------
    number : str
        Prefix, month and place in it, ``HPC-2026-10-0007``; no other document has it.
    kind : {"invoice", "credit note"}
        What it is.
    month : str
        ``YYYY-MM`` in which the jobs completed.
    account : str
        Who pays, or is paid back.
    amount : Decimal
        Tax included.
    currency : str
        Its code; SU without one.
    issued : str
        Day, ``YYYY-MM-DD``.
    cancels : str
        Number of the invoice that a credit note cancels; empty for invoices.
    digest : str
        Of the amounts of all jobs that an invoice charges.
    memo : str
        Of the posting in the ledger.
    """

    number: str
    kind: str
    month: str
    account: str
    amount: Decimal
    currency: str
    issued: str
    cancels: str
    digest: str
    memo: str

    @property
    def signed(self) -> Decimal:
        """Amount added to the account's debt; below 0 for a credit note."""
        return -self.amount if self.kind == CREDIT_NOTE else self.amount

    @classmethod
    def blank(cls, kind: str, month: str, currency: str, issued: date) -> Document:
        """Return a document that says nothing of an account yet."""
        return cls("", kind, month, "", Decimal(0), currency, issued.isoformat(), "", "", "")


@dataclass(frozen=True)
class Register:
    """Documents in the order in which they were numbered.

    Attributes
    ----------
    documents : tuple of Document
        All of them.
    """

    documents: tuple[Document, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Register:
        """Return the register in a file; an empty register without a file.

        Raises
        ------
        InputError
            The file cannot be read, or is no register.
        """
        if not path.exists():
            return cls()
        table = read_columns(str(path))
        if tuple(table.cells) != Document._fields:
            raise InputError("is no register of invoices", source=str(path), line=1)
        rows = zip(*table.cells.values(), strict=True)
        made = (Document(*row)._replace(amount=Decimal(row[4])) for row in rows)
        return cls(tuple(made))

    def write(self, path: Path) -> Path:
        """Write the register."""
        rows = ((*one[:4], plain(one.amount), *one[5:]) for one in self.documents)
        return write_csv(path, Document._fields, rows, parents=True)

    def with_those(self, documents: Iterable[Document]) -> Register:
        """Return the register with these documents at its end."""
        return Register((*self.documents, *documents))

    def posted(self, is_posted: Callable[[str], bool]) -> Register:
        """Return the register without documents at its end that never came to be posted.

        They are what a billing run that broke off had written down: nobody has paid them.
        """
        known = list(self.documents)
        while known and not is_posted(known[-1].memo):
            known.pop()
        return Register(tuple(known))

    def live(self, month: str) -> dict[str, Document]:
        """Return the invoice of each account for a month, where no credit note cancels it."""
        documents: dict[str, Document] = {}
        for one in self.documents:
            if one.month == month and one.kind == INVOICE:
                documents[one.account] = one
            elif one.month == month:
                del documents[one.account]
        return documents

    def numbers(self, month: str, count: int, prefix: str = "") -> Sequence[str]:
        """Return the next numbers of a month.

        >>> Register().numbers("2026-10", 2), Register().numbers("2026-10", 1, "HPC")
        (['2026-10-0001', '2026-10-0002'], ['HPC-2026-10-0001'])
        """
        used = sum(one.month == month for one in self.documents)
        places = range(used + 1, used + count + 1)
        return ["-".join([*filter(None, [prefix]), month, f"{place:04}"]) for place in places]


REGISTER_FILE, INVOICES_FOLDER = "register.csv", "invoices"
"""Register in the folder of a centre's bills, and the folder of documents in that of a month."""

REGISTER_COLUMNS = (
    "number",
    "kind",
    "month",
    "account",
    "net",
    "tax",
    "amount",
    "currency",
    "issued",
    "due",
    "corrects",
    "state",
    "content",
)
"""Columns of the register; its first is that which no two rows share."""

ISSUED, CORRECTED, CANCELLED = "issued", "corrected", "cancelled"
"""States of a document: as it was issued, with credit notes about it, or given back as a whole."""


def register_rows(book: Book) -> dict[str, tuple[str, ...]]:
    """Return the rows of the register by number, from the ledger alone, in the order of issue."""
    documents, plain = book.documents(), book.money.plain
    states: dict[str, str] = {}
    for one in documents:
        states[one.number] = ISSUED
        if one.corrects:
            states[one.corrects] = CANCELLED if one.cancels else CORRECTED
    return {
        one.number: (
            *(one.number, one.kind, one.month, str(one.account)),
            *(plain(one.net), plain(one.tax), plain(one.amount), book.money.unit),
            *(one.issued, one.due, one.corrects, states[one.number], one.content),
        )
        for one in documents
    }


def write_register(path: Path, book: Book) -> Path:
    """Write the register of a ledger's documents: a view, from which nothing is read back."""
    return write_csv(path, REGISTER_COLUMNS, register_rows(book).values(), parents=True)


def check_register(folder: Path, book: Book) -> list[str]:
    """Compare the register and the documents in a folder with the ledger.

    Parameters
    ----------
    folder : Path
        Folder of a centre's bills.
    book : Book
        The ledger.

    Returns
    -------
    list of str
        What differs, a sentence each.
    """
    rows = register_rows(book)
    return [*_strange_cells(folder / REGISTER_FILE, rows), *_strange_files(folder, rows)]


def _strange_cells(path: Path, rows: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    try:
        table = read_columns(str(path), "the next billing-run writes it")
    except InputError as error:
        yield str(error)
        return
    if tuple(table.cells) != REGISTER_COLUMNS:
        yield f"{path} has other columns than a register"
        return
    missing = set(rows)
    for line, cells in zip(
        table.line.tolist(), zip(*table.cells.values(), strict=True), strict=True
    ):
        number, where = cells[0], f"{path}, line {line}"
        if number not in rows:
            yield f"{where}: the ledger has no document {number!r}"
        elif number not in missing:
            yield f"{where}: {number} is listed twice"
        else:
            missing.remove(number)
            for name, cell, stored in zip(REGISTER_COLUMNS, cells, rows[number], strict=True):
                if cell != stored:
                    yield f"{where}: {name} of {number} is {cell!r}, in the ledger {stored!r}"
    yield from (f"{path}: {number} is missing" for number in rows if number in missing)


def _strange_files(folder: Path, rows: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    places = [REGISTER_COLUMNS.index(name) for name in ("number", "month", "content")]
    wanted = {}
    for row in rows.values():
        number, month, content = (row[place] for place in places)
        wanted[folder / month / INVOICES_FOLDER / f"{number}.json"] = content
    for path, content in wanted.items():
        try:
            if hashlib.sha256(path.read_bytes()).hexdigest() != content:
                yield f"{path} is not as it was issued"
        except OSError:
            yield f"{path} cannot be read"
    for path in sorted(folder.glob(f"*/{INVOICES_FOLDER}/*.json")):
        if path not in wanted:
            yield f"{path} is no document of the ledger"
