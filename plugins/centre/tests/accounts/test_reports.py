"""History: every entry as the account sees it."""

from __future__ import annotations

from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from utilitysched_centre.accounts import Book, HistoryLine

NOON = "2000-06-15T12:00:00Z"


def test_entries_of_an_account(book: Book) -> None:
    book.endow(SEVEN, 100, memo="start")
    book.endow(EIGHT, 100)
    book.hold_run(claims(5000, 10))
    book.post(claims(1000, 10), memo="run")

    charged = ("job-1", "run")
    assert book.history(SEVEN) == [
        HistoryLine(1, NOON, "2000-06", "endow", SEVEN, 10000, 0, None, None, "start"),
        HistoryLine(3, NOON, "2000-04", "hold", SEVEN, -5000, 5000, 1, "job-1", ""),
        HistoryLine(4, NOON, "2000-04", "charge", SEVEN, 0, -1000, 1, *charged),
        HistoryLine(4, NOON, "2000-04", "release", SEVEN, 4000, -4000, 1, *charged),
    ]
    assert sum(line.available for line in book.history(SEVEN)) == 9000


def test_the_latest_entries(book: Book) -> None:
    for amount in range(1, 6):
        book.endow(SEVEN, amount)

    assert [line.available for line in book.history(latest=2)] == [400, 500]
    assert len(book.history()) == 5
