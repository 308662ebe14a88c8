"""The register is a view of the ledger: whatever somebody changes in it is named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plugins.centre.tests.accounts.conftest import NOW
from plugins.centre.tests.accounts.issued import MONTH, cancel, credit, invoices
from utilitysched_centre.accounts import Book, Document, Money, Terms, create
from utilitysched_centre.register import (
    REGISTER_COLUMNS,
    REGISTER_FILE,
    check_register,
    write_register,
)

PAGE = "a page"


def content(document: Document) -> str:
    """A JSON file of a document, which has the digest of its page."""
    page = {"name": f"{document.number}.html", "digest": hashlib.sha256(PAGE.encode()).hexdigest()}
    return json.dumps({"number": document.number, "evidence": [page]})


def sealed(document: Document) -> Document:
    return document._replace(content=hashlib.sha256(content(document).encode()).hexdigest())


@pytest.fixture
def book(tmp_path: Path) -> Book:
    create(tmp_path / "a.db", Terms(Money("EUR", 2), credit_limit=None))
    return Book(tmp_path / "a.db", clock=lambda: NOW)


@pytest.fixture
def folder(book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bills of a centre: two invoices, one of them cancelled, and two credit notes."""
    from utilitysched_centre.accounts.issuing import Issue

    add: Callable[..., Document] = Issue.add
    monkeypatch.setattr(Issue, "add", lambda self, one, *lines: add(self, sealed(one), *lines))
    seven, eight = invoices(book, 33500, 400)
    credit(book, seven, 1, 100)
    cancel(book, eight)
    for one in book.documents():
        path = tmp_path / MONTH / "invoices" / f"{one.number}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content(one), "utf-8")
        path.with_suffix(".html").write_text(PAGE, "utf-8")
    (tmp_path / MONTH / "invoices" / "index.html").touch()
    write_register(tmp_path / REGISTER_FILE, book)
    return tmp_path


def test_a_register_says_what_the_ledger_says(book: Book, folder: Path) -> None:
    rows = [line.split(",") for line in (folder / REGISTER_FILE).read_text("utf-8").splitlines()]

    assert rows[0] == list(REGISTER_COLUMNS)
    assert rows[1][1:6] == ["invoice", MONTH, "user:7", "335.00", "0.00"]
    assert [(row[0], row[6], row[10], row[11]) for row in rows[1:]] == [
        ("HPC-2000-04-0001", "335.00", "", "corrected"),
        ("HPC-2000-04-0002", "4.00", "", "cancelled"),
        ("HPC-2000-04-0003", "1.00", "HPC-2000-04-0001", "issued"),
        ("HPC-2000-04-0004", "4.00", "HPC-2000-04-0002", "issued"),
    ]
    assert check_register(folder, book) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",335.00,EUR", ",999999.00,EUR", "amount of HPC-2000-04-0001 is '999999.00', in the led"),
        (",335.00,EUR", ",NaN,EUR", "amount of HPC-2000-04-0001 is 'NaN', in the ledger '335.00'"),
        (",335.00,EUR", ",-335.00,EUR", "is '-335.00', in the ledger '335.00'"),
        (",335.00,EUR", ",\x1b[2J,EUR", r"is '\x1b[2J', in the ledger '335.00'"),
        ("cancelled", "issued", "state of HPC-2000-04-0002 is 'issued', in the ledger 'cancelled'"),
        ("HPC-2000-04-0002,inv", "HPC-2000-04-0009,inv", "ledger has no document 'HPC-2000-04-00"),
        ("HPC-2000-04-0002,inv", "HPC-2000-04-0001,inv", "HPC-2000-04-0001 is listed twice"),
        ("number,", "no,", "has other columns than a register"),
    ],
)
def test_changed_cells_are_named(book: Book, folder: Path, old: str, new: str, said: str) -> None:
    path = folder / REGISTER_FILE
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")

    faults = check_register(folder, book)

    assert said in faults[0]
    assert str(path) in faults[0]
    assert all("\x1b" not in fault for fault in faults)
    assert [one.amount for one in book.documents()] == [33500, 400, 100, 400]  # is not believed


def test_missing_and_additional_rows_are_named(book: Book, folder: Path) -> None:
    path = folder / REGISTER_FILE
    lines = path.read_text("utf-8").splitlines()
    added = lines[1].replace("0001", "0005")
    path.write_text("\n".join([*lines[:2], *lines[3:], added]) + "\n", "utf-8")

    assert check_register(folder, book) == [
        f"{path}, line 5: the ledger has no document 'HPC-2000-04-0005'",
        f"{path}: HPC-2000-04-0002 is missing",
    ]


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"garbage", b"a,b\n1\n"])
def test_a_register_that_is_none_is_named(book: Book, folder: Path, content: bytes | None) -> None:
    path = folder / REGISTER_FILE
    path.unlink()
    if content is not None:
        path.write_bytes(content)

    (fault,) = check_register(folder, book)

    assert str(path) in fault


def test_files_that_are_not_as_they_were_issued_are_named(book: Book, folder: Path) -> None:
    files = folder / MONTH / "invoices"
    (files / "HPC-2000-04-0001.json").write_text("edited", "utf-8")
    (files / "HPC-2000-04-0003.json").unlink()
    (files / "HPC-2000-04-0002.html").write_text("edited", "utf-8")
    (files / "HPC-2000-04-0004.html").unlink()
    (files / "HPC-2000-04-0004.html").symlink_to(files / "nowhere")
    (files / "HPC-2000-04-0099.html").write_text("forged", "utf-8")

    assert check_register(folder, book) == [
        f"{files}/HPC-2000-04-0001.json is not as it was issued",
        f"{files}/HPC-2000-04-0002.html is not as it was issued",
        f"{files}/HPC-2000-04-0003.json cannot be read",
        f"{files}/HPC-2000-04-0004.html cannot be read",
        f"{files}/HPC-2000-04-0099.html is no file of a document in the ledger",
    ]
