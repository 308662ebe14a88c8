"""The sheet shows the account as the ledger has it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.report.invoices import bill
from pricing import charge
from swfx import Header, Workload
from tests.pricing.jobs import three_charges
from utilitysched_centre.accounts import Account, Book, Money, Terms, create, invoiced, payer_name
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.statements.page import InvoicePage
from utilitysched_centre.report.statements.sheet import sheet
from utilitysched_centre.report.statements.statement import Link, Statements
from utilitysched_centre.rules import Rules, invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Currency,
    InvoiceTerms,
    Tax,
)

PHYSICS = Account("project", "physics")


def test_the_account_of_the_payer(tmp_path: Path) -> None:
    create(tmp_path / "ledger.db", Terms(Money("SU", 6), credit_limit=None))
    invoice = bill(4, Rules(accounts=Accounts({1: "physics", 2: "physics"})))
    with Book(tmp_path / "ledger.db") as book:
        for month in ("1999-11", "1999-12", "2000-05", "2000-06", "2000-07", "2000-08"):
            book.endow(PHYSICS, 10, month=month)
        claims = invoiced(invoice, book.money)
        posted = book.post(claims)
        accounts = book.reconcile(claims)
        names = tuple(payer_name(period.account) for period in accounts.periods)
        found = Reconciled(accounts, posted, book.money, names)

    (mine,) = Statements(invoice, reconciled=found)
    page = sheet(mine)

    assert "<h2>Account project:physics</h2>" in page
    account = InvoicePage.of(mine).account
    assert account is not None
    assert account.table is not None
    rows = list(account.table.rows)
    assert rows[0] == ("2000-04 to 2000-05", "20.00", "10.00", "-4.00", *["0.00"] * 3, "26.00")
    assert rows[-1] == ("2000-08", "46.00", "10.00", *["0.00"] * 4, "56.00")
    assert "Posting 7 charges the account 4.00 SU." in page


def test_statements_of_others_say_that_the_ledger_agrees(tmp_path: Path) -> None:
    create(tmp_path / "ledger.db", Terms(Money("SU", 6), credit_limit=None))
    invoice = bill(4, Rules())
    with Book(tmp_path / "ledger.db") as book:
        claims = invoiced(invoice, book.money)
        posted = book.post(claims)
        found = Reconciled(book.reconcile(claims), posted, book.money, ("user 1", "user 2"))

    (mine, *_) = Statements(invoice, "month", reconciled=found)

    assert "Posting 1 of the ledger charges 4.00 SU: what the bill says, by job" in sheet(mine)


@pytest.mark.parametrize("jobs", [5, 47])
def test_lines_add_up_to_what_is_to_be_paid(jobs: int) -> None:
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=[0.0] * jobs,
        run=[1200.0] * jobs,
        processors=[1] * jobs,
        user=[1] * jobs,
    )
    charges = charge(log, log.submit, log.submit + 1200, "single-price").rounded()

    (mine,) = Statements(invoice(charges, Rules()))
    page = InvoicePage.of(mine)
    prices, to_pay = zip(*(row[-2:] for row in page.jobs.rows), strict=True)

    assert len(page.jobs.rows) == min(jobs, 21)
    assert sum(map(Decimal, prices)) == sum(map(Decimal, to_pay)) == round(Decimal(jobs) / 3, 2)
    assert page.sums == [
        (f"List price of {jobs} jobs by single-price", f"{jobs / 3:.2f} SU"),
        ("To pay", f"{jobs / 3:.2f} SU"),
    ]


def test_every_step_to_what_is_to_be_paid_once() -> None:
    rules = Rules(
        minimum_charge=Fraction(3, 2),
        status={"failed": Fraction(0)},
        currency=Currency("EUR", Fraction(1, 2), 2),
        tax=Tax("VAT", Fraction(20)),
        invoice=InvoiceTerms(recipients={"user 1": ("2 Torus Street",)}, contact=("Ms Lovelace",)),
    )
    (mine, *_) = Statements(bill(10, rules))

    page = InvoicePage.of(mine)

    assert page.sums == [
        ("List price of 5 jobs by single-price", "5.00 SU"),
        ("Quantity, idle time and minimums by the rules", "2.50 SU"),
        ("Discounts and exemptions", "-1.50 SU"),
        ("Net, at 0.5 EUR per SU", "3.00 EUR"),
        ("VAT (20%)", "0.60 EUR"),
        ("To pay", "3.60 EUR"),
    ]
    assert page.recipient == ("user 1", "2 Torus Street")
    assert page.facts == [
        ("Number", "2000-04-0001"),
        ("Date of issue", "2000-04-02"),
        ("Period", "2000-04-01 (UTC)"),
        ("Payment due", "2000-05-02"),
        ("Payment reference", mine.heading.reference),
    ]
    assert page.about.startswith("Every job pays 1 SU for each processor-hour")
    assert str(page.reasons) == "4 charged: minimum charge; 1 not charged: failed"
    assert page.jobs.rows[-1][0] == Link("0001-user-1.csv", "1 other")
    assert page.foot == [("Questions", ("Ms Lovelace",))]


def test_what_is_for_delaying_jobs_of_the_same_payer() -> None:
    of_users = Statements(invoice(three_charges("vcg").rounded()), "user")
    seven, eight = (InvoicePage.of(mine).remarks for mine in of_users)

    assert seven == ["2.50 SU of the list price is for delaying other jobs of the same payer."]
    assert eight == ["Nothing of the list price is for delaying other jobs of the same payer."]


def test_the_reserve_has_a_line_of_its_own() -> None:
    charges = three_charges("vcg:reserve=0.4").rounded()
    seven, eight = Statements(invoice(charges, Rules()), "user")

    assert InvoicePage.of(seven).sums == [
        ("List price of 2 jobs by vcg:reserve=0.4, less the reserve", "7.50 SU"),
        ("Reserve for later submissions", "1.20 SU"),
        ("To pay", "8.70 SU"),
    ]
    assert InvoicePage.of(eight).sums[:2] == [
        ("List price of 1 job by vcg:reserve=0.4, less the reserve", "0.00 SU"),
        ("Reserve for later submissions", "1.60 SU"),
    ]


def test_names_of_the_log() -> None:
    log = Workload.from_columns(
        header=Header((" User: 1 alice", " User: 2 bob", " JobName: 3 relax")),
        submit=[0.0, 0.0],
        run=[7500.0, 3600.0],
        processors=[1, 1],
        user=[1, 2],
        job_name=[3, -1],
    )
    charges = charge(log, [60.0, 0.0], [7560.0, 3600.0], "single-price")
    everybody = Rules(accounts=Accounts({1: "lab", 2: "lab"}))

    (lab,) = Statements(invoice(charges, everybody))
    names = [mine.name for mine in Statements(invoice(charges), "user")]

    assert [row[1:7] for row in InvoicePage.of(lab).jobs.rows] == [
        ("relax", "alice", "60 s", "1 min", "2 h 5 min", "1"),
        ("", "bob", "0 s", "0 s", "1 h", "1"),
    ]
    assert names == ["user alice", "user bob"]
