"""What one of several processes does to a ledger that all of them write."""

from __future__ import annotations

from typing import NamedTuple

from plugins.centre.tests.accounts.runs import EIGHT, claims
from utilitysched_centre.accounts import Account, Book, Claims, OverdraftError

NINE = Account("user", "9")
HOLDS = 25
PHYSICS = Account("project", "physics")
RUN = Claims(
    "first-price:reading=end",
    [
        job._replace(account=PHYSICS if job.user == 8 else None)
        for job in claims(*range(1, 201)).jobs
    ],
)
"""User 8's jobs are paid by whom an invoice names, the others by whom the ledger does."""


class Achieved(NamedTuple):
    """How many holds were possible, and whether this process was the one to post and endow."""

    held: int
    posted: bool
    endowed: bool


def compete(location: str, process: int) -> Achieved:
    """Endow, hold and post what the others do, too."""
    with Book(location) as book:
        endowed = book.endow(EIGHT, 1000, key="once").new
        held = sum(_held(book, f"{process}-{i}") for i in range(HOLDS))
        return Achieved(held, book.post(RUN).new, endowed)


def _held(book: Book, reference: str) -> bool:
    try:
        book.hold(NINE, 1, reference)
    except OverdraftError:
        return False
    return True
