"""Who pays: the ledger, the list of a centre, and what was held before, which must agree."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import pricing
from plugins.centre.tests.accounts.conftest import Opened, cents
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN
from swfx import InputError, open_workload
from tests.pricing.jobs import three_charges, three_jobs
from utilitysched_centre.accounts import Account, Book, Terms, charged, create, ledger_name

PHYSICS, CLIMATE = Account("project", "physics"), Account("project", "climate")


def test_users_pay_for_themselves_unless_they_are_listed(book: Book) -> None:
    assert book.payers(three_jobs()) == [SEVEN, EIGHT, SEVEN]
    assert book.payers(three_jobs(), {7: "physics"}) == [PHYSICS, EIGHT, PHYSICS]


def test_where_projects_pay_the_list_says_which(opened: Opened) -> None:
    book = opened(cents(payer="project"))

    with pytest.raises(InputError, match="user 8 of group 1 has no project that pays"):
        book.payers(three_jobs(), {7: "physics"})
    assert book.payers(three_jobs(), {7: "physics", 8: "climate"}) == [PHYSICS, CLIMATE, PHYSICS]


@pytest.mark.parametrize("kind", ["project", "account"])
def test_whom_an_invoice_names_is_who_pays_whatever_the_kind(opened: Opened, kind: str) -> None:
    book = opened(cents(payer=kind))
    physics = Account(kind, "physics")

    assert book.payers(three_jobs(), {7: "physics", 8: "physics"}) == [physics] * 3
    book.assign(EIGHT, climate := Account(kind, "climate"))
    found = book.payers(three_jobs(), {7: "physics", 8: "climate"})
    assert found == [physics, climate, physics]


def test_a_ledger_charges_what_its_payers_are_told(book: Book) -> None:
    charges = three_charges("single-price:rate=0.001")
    sums = {SEVEN: 0, EIGHT: 0}
    for payer, units in zip(book.payers(three_jobs()), charges.ledger.units.tolist(), strict=True):
        sums[payer] += units

    claims = book.charged(charges)

    step = 10 ** (charges.ledger.decimals - book.money.decimals)
    paid = [job.units for job in claims.jobs]
    assert paid[0] + paid[2] == round(Fraction(sums[SEVEN], step))
    assert paid[1] == round(Fraction(sums[EIGHT], step))


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


LISTING = """\
JobID|User|Account|Submit|Start|End|State|AllocCPUS
1|ann|physics|2026-10-01T00:00:00|2026-10-01T01:00:00|2026-10-01T02:00:00|COMPLETED|4
2|bob|biology|2026-10-02T00:00:00|2026-10-02T00:00:00|2026-10-02T03:00:00|COMPLETED|1
"""


@pytest.mark.parametrize(
    ("payer", "paid"),
    [
        ("user", ["user:ann", "user:bob"]),
        ("group", ["group:physics", "group:biology"]),
        ("project", ["project:physics", "project:biology"]),
    ],
)
def test_people_and_accounts_that_a_log_names_pay_by_their_names(
    payer: str, paid: list[str], tmp_path: Path
) -> None:
    """Their numbers are those of one listing."""
    log = tmp_path / "sacct.txt"
    log.write_text(LISTING)
    jobs = open_workload(f"slurm:{log}", machine_size=8).workload
    create(tmp_path / "books.db", Terms(payer=payer))
    with Book(tmp_path / "books.db") as book:
        assert [str(account) for account in book.payers(jobs)] == paid
        assert [str(account) for account in book.payers(jobs[1:])] == paid[1:]
        book.assign(Account("user", "bob"), Account("project", "climate"))
        assert str(book.payers(jobs)[1]) == "project:climate"
        assert list(map(str, book.payers(jobs, {1: "listed"}))) == [
            "project:listed",
            "project:climate",
        ]


@pytest.mark.parametrize("payer", ["user", "group", "project", "account"])
def test_names_that_a_ledger_cannot_hold_keep_nobody_from_paying(
    payer: str, tmp_path: Path
) -> None:
    log = tmp_path / "sacct.txt"
    odd = {"ann": "a:nn", "physics": "phys\u202eics", "bob": "b" * 70, "biology": "user 7"}
    text = LISTING
    for name, other in odd.items():
        text = text.replace(name, other)
    log.write_text(text + LISTING.splitlines()[1].replace("1|", "3|", 1) + "\n", "utf-8")
    jobs = open_workload(f"slurm:{log}", machine_size=8).workload
    create(tmp_path / "books.db", Terms(payer=payer, credit_limit=None))
    with Book(tmp_path / "books.db") as book:
        start = jobs.submit + jobs.wait
        bill = pricing.charge(jobs, start, start + jobs.run, "single-price")

        book.post(book.charged(bill))

        by_name = payer == "user"
        paid = [ledger_name(odd[name]) for name in (["ann", "bob"] if by_name else ["physics"])]
        paid += ["ann"] if by_name else ["user 7", "physics"]
        assert {one.account for one in book.balances()} == {Account(payer, name) for name in paid}
        assert [check for check in book.verify() if not check.holds] == []
