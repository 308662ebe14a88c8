"""Seals kept elsewhere: what was cut off or taken out of a ledger is found by them."""

from __future__ import annotations

import pytest

from plugins.centre.tests.accounts.forging import forge
from plugins.centre.tests.accounts.issued import unsound
from plugins.centre.tests.accounts.runs import SEVEN
from utilitysched_centre.accounts import Anchor, Book

TAIL = (
    "DELETE FROM ledger_entry WHERE posting >= 3",
    "DELETE FROM ledger_posting WHERE id >= 3",
)
MIDDLE = ("DELETE FROM ledger_entry WHERE posting = 2", "DELETE FROM ledger_posting WHERE id = 2")


@pytest.fixture
def anchors(book: Book) -> list[Anchor]:
    """Seals of four postings, kept after each."""
    kept = []
    for amount in range(1, 5):
        book.endow(SEVEN, amount)
        kept.append(book.anchor())
    return kept


def found(book: Book, anchors: list[Anchor]) -> dict[str, str]:
    return {each.name: each.detail for each in book.verify(anchors) if not each.holds}


def test_a_tail_that_was_cut_off_with_its_seals(
    book: Book, location: str, anchors: list[Anchor]
) -> None:
    forge(location, *TAIL)

    assert unsound(book) == {}  # in itself the ledger is consistent
    assert found(book, anchors) == {"anchors": "posting 3 of 2000-06-15T12:00:00Z is missing"}
    assert found(book, anchors[:2]) == {}


def test_a_tail_that_was_replaced(book: Book, location: str, anchors: list[Anchor]) -> None:
    forge(location, *TAIL)
    for amount in (30, 40):
        book.endow(SEVEN, amount)

    assert unsound(book) == {}
    said = "posting 3 had another seal on 2000-06-15T12:00:00Z"
    assert found(book, anchors) == {"anchors": said}


def test_a_posting_that_was_taken_out(book: Book, location: str, anchors: list[Anchor]) -> None:
    forge(location, *MIDDLE)

    assert unsound(book) == {"seals": "broken seal in posting 3, 1 in all"}
    assert found(book, anchors)["anchors"] == "posting 2 of 2000-06-15T12:00:00Z is missing"
