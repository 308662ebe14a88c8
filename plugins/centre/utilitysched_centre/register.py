"""Register of the documents that a centre has issued: a view of its ledger."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from swfx import InputError
from swfx.base.csv_columns import read_columns
from swfx.base.csv_rows import write_csv
from utilitysched_centre.accounts import Book

REGISTER_FILE, INVOICES_FOLDER = "register.csv", "invoices"
"""Register in the folder of a centre's bills, and the folder of documents in that of a month."""

INDEX = "index"
"""Files beside the documents of a month that are views of them."""

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
    """Yield files that are not as they were issued, and files of no document.

    The ledger has the digest of a document's JSON file, and that those of its other files.
    """
    places = [REGISTER_COLUMNS.index(name) for name in ("number", "month", "content")]
    known: set[Path] = set()
    for row in rows.values():
        number, month, content = (row[place] for place in places)
        path = folder / month / INVOICES_FOLDER / f"{number}.json"
        faults = [*_strange_file(path, content)]
        if faults:
            known |= {*path.parent.glob(f"{number}[.-]*")}  # nothing says what they should be
        else:
            others = json.loads(path.read_bytes()).get("evidence", ())
            named = {path.with_name(each["name"]): each["digest"] for each in others}
            known |= {path, *named}
            faults += [fault for pair in named.items() for fault in _strange_file(*pair)]
        yield from faults
    for path in sorted(folder.glob(f"*/{INVOICES_FOLDER}/*")):
        if path not in known and path.stem != INDEX:
            yield f"{path} is no file of a document in the ledger"


def _strange_file(path: Path, digest: str) -> Iterator[str]:
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{path} is not as it was issued"
    except OSError:
        yield f"{path} cannot be read"
