"""Who pays: the ledger, the list of a centre, and what was held before, which must agree."""

from __future__ import annotations

import pytest

from pricing.accounts import Account, Book, charged
from swfx import InputError
from tests.pricing.accounts.conftest import Opened, cents
from tests.pricing.accounts.runs import EIGHT, SEVEN
from tests.pricing.jobs import three_charges, three_jobs

PHYSICS, CLIMATE = Account("project", "physics"), Account("project", "climate")


def test_users_pay_for_themselves_unless_they_are_listed(book: Book) -> None:
    assert book.payers(three_jobs()) == [SEVEN, EIGHT, SEVEN]
    assert book.payers(three_jobs(), {7: "physics"}) == [PHYSICS, EIGHT, PHYSICS]


def test_where_projects_pay_the_list_says_which(opened: Opened) -> None:
    book = opened(cents(payer="project"))

    with pytest.raises(InputError, match="user 8 of group 1 has no project that pays"):
        book.payers(three_jobs(), {7: "physics"})
    assert book.payers(three_jobs(), {7: "physics", 8: "climate"}) == [PHYSICS, CLIMATE, PHYSICS]


def test_the_list_and_the_ledger_do_not_contradict_each_other(book: Book) -> None:
    book.assign(SEVEN, PHYSICS)

    assert book.payers(three_jobs(), {7: "physics"}) == [PHYSICS, EIGHT, PHYSICS]
    with pytest.raises(
        InputError, match="project:climate is to pay for user 7, but by the ledger project:physics"
    ):
        book.payers(three_jobs(), {7: "climate"})


def test_who_holds_something_for_a_job_pays_it(book: Book) -> None:
    for account in (SEVEN, EIGHT):
        book.set_limit(account, None)
    book.hold_run(charged(three_charges("single-price"), book.money))
    book.assign(SEVEN, PHYSICS)

    assert book.payers(three_jobs()) == [SEVEN, EIGHT, SEVEN]
    with pytest.raises(InputError, match="job 1 is to be paid by project:physics, but is held for"):
        book.payers(three_jobs(), {7: "physics"})


def test_who_has_paid_a_job_is_still_its_payer(book: Book) -> None:
    for account in (SEVEN, EIGHT):
        book.set_limit(account, None)
    book.post(charged(three_charges("single-price"), book.money))
    book.assign(SEVEN, PHYSICS)

    assert book.payers(three_jobs()) == [SEVEN, EIGHT, SEVEN]
