"""Closing: what a month says is then final."""

from __future__ import annotations

import pytest

from plugins.centre.tests.accounts.runs import SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import Book


def test_nothing_is_posted_into_a_closed_month_or_before(book: Book) -> None:
    book.endow(SEVEN, 100)

    assert book.close("2000-04") == ("2000-04", True, 1)

    for month in ("2000-04", "2000-03", "1999-12"):
        with pytest.raises(InputError, match=f"{month} is closed, as is every month until 2000-04"):
            book.endow(SEVEN, 100, month=month)
        with pytest.raises(InputError, match="name a later one: --month YYYY-MM"):
            book.post(claims(100, month=month))
    assert book.post(claims(100, month="2000-05")).new


def test_a_second_time_changes_nothing(book: Book) -> None:
    book.close("2000-04")

    assert book.close("2000-04") == ("2000-04", False, 0)
    assert book.close("2000-05").new
    with pytest.raises(InputError, match="every month until 2000-05 is closed already"):
        book.close("2000-04")


def test_what_was_posted_before_is_posted_still(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.post(claims(100))
    book.close("2000-04")

    assert not book.post(claims(100)).new


def test_a_charge_of_a_closed_month_is_given_back_in_an_open_one(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.post(claims(100))
    book.close("2000-04")

    with pytest.raises(InputError, match="2000-04 is closed"):
        book.undo(2, month="2000-04")
    book.undo(2)

    assert [(one.month, one.charged, one.refunded) for one in book.income()] == [
        ("2000-04", 100, 0),
        ("2000-06", 0, 100),
    ]
    assert all(check.holds for check in book.verify())


@pytest.mark.parametrize("month", ["2000-06", "2000-07", "2999-01"])
def test_a_month_that_is_not_over_stays_open(book: Book, month: str) -> None:
    with pytest.raises(InputError, match=f"{month} is not over"):
        book.close(month)
