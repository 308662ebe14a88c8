"""Pages of invoices and credit notes: lines, sums, use, rules, jobs, where to ask."""

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
from utilitysched_centre.report.statements import (
    Additions,
    CreditLine,
    Statement,
    Statements,
    issued_invoice,
)
from utilitysched_centre.report.statements.page import (
    LINES,
    DocumentPage,
    credit_note_page,
    invoice_page,
)
from utilitysched_centre.report.statements.statement import Link
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.lines import RECURRING, InvoiceLine
from utilitysched_centre.rules.rules import (
    Accounts,
    Currency,
    Discount,
    InvoiceTerms,
    Tax,
)

PHYSICS = Account("project", "physics")
CRASHED = CreditLine("4", 50, 10, "node crashed")


def page_of(mine: Statement, added: Additions | None = None) -> DocumentPage:
    return invoice_page(issued_invoice(mine, "", added or Additions()), mine)


def reconciled(made: Invoice, folder: Path, *months: str) -> Reconciled:
    """Post an invoice to a ledger that has endowments in these months."""
    create(folder / "ledger.db", Terms(Money("SU", 6), credit_limit=None))
    with Book(folder / "ledger.db") as book:
        for month in months:
            book.endow(PHYSICS, 10, month=month)
        claims = invoiced(made, book.money)
        posted = book.post(claims)
        accounts = book.reconcile(claims)
        names = tuple(payer_name(period.account) for period in accounts.periods)
        return Reconciled(accounts, posted, book.money, names)


def test_every_step_to_what_is_to_be_paid_is_a_line() -> None:
    rules = Rules(
        minimum_charge=Fraction(3, 2),
        status={"failed": Fraction(0)},
        currency=Currency("EUR", Fraction(1, 2), 2),
        tax=Tax("VAT", Fraction(20)),
        invoice=InvoiceTerms(recipients={"user 1": ("2 Torus Street",)}, contact=("Ms Lovelace",)),
    )
    (mine, *_) = Statements(bill(10, rules))

    page = page_of(mine)

    assert list(page.lines.rows) == [
        ("CPU", "5", "5", "CPU-hours", "0.5", "2.50"),
        ("Minimum charge of 0.75 EUR a job", "5", "", "", "", "1.25"),
        ("Let off: failed", "1", "", "", "", "-0.75"),
    ]
    assert page.sums == [("Net", "3.00 EUR"), ("VAT (20%)", "0.60 EUR"), ("To pay", "3.60 EUR")]
    assert page.recipient == ("user 1", "2 Torus Street")
    assert page.facts == [
        ("Number", "2000-04-0001"),
        ("Date of issue", "2000-04-02"),
        ("Period", "2000-04-01 (UTC)"),
        ("Payment due", "2000-05-02"),
        ("Payment reference", "RF79 2000 0400 01"),
    ]
    assert page.about.startswith("Every job pays 0.5 EUR for each processor-hour")
    assert dict(page.notes) == {
        "Use, as sreport counts it": "CPU 5.00 CPU-hours.",
        "Rules": "A job pays at least 0.75 EUR. Failed jobs pay 0%. 1 SU is 0.5 EUR. VAT (20%) is"
        " added.",
        "Jobs": "4 charged: minimum charge; 1 not charged: failed.",
    }
    assert page.jobs is not None
    assert page.jobs.rows[-1][0] == Link("0001-user-1.csv", "1 other")
    assert page.foot == [("Questions and objections, by 2000-05-02", ("Ms Lovelace",))]
    assert [file.target for _, file in page.files] == [
        "0001-user-1-evidence.html",
        "0001-user-1.csv",
        "0001-user-1.json",
    ]


def test_credits_and_further_lines_are_on_the_invoice() -> None:
    storage = InvoiceLine(RECURRING, "Storage", 0, Fraction(2), "TB", Fraction(5), 1000)
    (mine, *_) = Statements(bill(11))

    page = page_of(mine, Additions((storage,), 200, (CRASHED,)))

    assert list(page.lines.rows)[-2:] == [
        ("Storage", "", "2", "TB", "5", "10.00"),
        ("Credit, job 4: node crashed", "", "", "", "", "-0.50"),
    ]
    assert page.sums == [("Net", "13.50 EUR"), ("VAT (20%)", "2.70 EUR"), ("To pay", "16.20 EUR")]
    assert page.jobs is not None
    assert page.jobs.total[0][-2:] == ("4.00", "4.80")


def test_of_many_lines_the_last_is_the_sum_of_the_others() -> None:
    discounts = tuple(Discount(name=f"no. {n}", percent=Fraction(10)) for n in range(20))
    (mine, *_) = Statements(bill(4, Rules(discount=discounts)))

    page = page_of(mine)
    *shown, rest = page.lines.rows

    assert len(shown) + 1 == LINES
    assert rest[0] == "11 further lines, in the evidence"
    assert f"{sum(Decimal(row[-1]) for row in page.lines.rows)} SU" == page.sums[-1][1]


def test_a_credit_note_names_the_invoice_jobs_and_reasons() -> None:
    (mine, *_) = Statements(bill(11))
    invoice_of_month = issued_invoice(mine, "project:lab")

    some = credit_note_page(
        invoice_of_month.credit_note("7", "2000-05-03", [CRASHED], cancels=False)
    )
    rest = CreditLine("", 350, 70, "all that is left of 2000-04-0001")
    whole = credit_note_page(invoice_of_month.credit_note("8", "2000-05-04", [rest], cancels=True))

    assert some.title == "Credit note 7"
    assert some.facts[:3] == [
        ("Number", "7"),
        ("Date of issue", "2000-05-03"),
        ("Corrects", "invoice 2000-04-0001"),
    ]
    assert some.about.endswith("The rest of it stands.")
    assert list(some.lines.rows) == [("4", "node crashed", "0.50", "0.10", "0.60")]
    assert next(iter(whole.lines.rows))[:2] == ("all jobs", "all that is left of 2000-04-0001")
    assert some.sums == [("Net", "0.50 EUR"), ("VAT (20%)", "0.10 EUR"), ("Given back", "0.60 EUR")]
    assert ("Cancels", "invoice 2000-04-0001") in whole.facts
    assert whole.about.startswith("Invoice 2000-04-0001 is cancelled: all that was left")
    assert "Payment due" not in dict(some.facts)
    assert some.jobs is None


def test_the_account_of_the_payer(tmp_path: Path) -> None:
    made = bill(4, Rules(accounts=Accounts({1: "physics", 2: "physics"})))
    months = ("1999-11", "1999-12", "2000-05", "2000-06", "2000-07", "2000-08")
    (mine,) = Statements(made, reconciled=reconciled(made, tmp_path, *months))

    account = page_of(mine).account

    assert account is not None
    assert account.table is not None
    assert account.title == "Account project:physics"
    rows = list(account.table.rows)
    assert rows[0] == ("2000-04 to 2000-06", "20.00", "20.00", "-4.00", *("0.00",) * 3, "36.00")
    assert rows[-1] == ("2000-08", "46.00", "10.00", *("0.00",) * 4, "56.00")


def test_statements_of_others_say_that_the_ledger_agrees(tmp_path: Path) -> None:
    made = bill(4, Rules())

    (mine, *_) = Statements(made, "month", reconciled=reconciled(made, tmp_path))

    account = page_of(mine).account
    assert account is not None
    assert account.text.startswith("Posting 1 of the ledger charges 4.00 SU: what the bill says")


@pytest.mark.parametrize("jobs", [5, 47])
def test_jobs_add_up_to_what_is_to_be_paid(jobs: int) -> None:
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=[0.0] * jobs,
        run=[1200.0] * jobs,
        processors=[1] * jobs,
        user=[1] * jobs,
    )
    charges = charge(log, log.submit, log.submit + 1200, "single-price").rounded()

    (mine,) = Statements(invoice(charges, Rules()))
    page = page_of(mine)

    assert page.jobs is not None
    assert len(page.jobs.rows) == min(jobs, 21)
    assert sum(Decimal(row[-1]) for row in page.jobs.rows) == round(Decimal(jobs) / 3, 2)
    assert page.jobs.total[0][-1] == f"{jobs / 3:.2f}"
    assert page.sums == [("To pay", f"{jobs / 3:.2f} SU")]


def test_what_is_for_delaying_jobs_of_the_same_payer() -> None:
    of_users = Statements(invoice(three_charges("vcg").rounded()), "user")
    seven, eight = (page_of(mine).remarks for mine in of_users)

    assert seven == ["2.50 SU of the list price is for delaying other jobs of the payer."]
    assert eight == ["Nothing of the list price is for delaying other jobs of the payer."]


def test_names_of_the_log() -> None:
    log = Workload.from_columns(
        header=Header((" User: 1 alice", " User: 2 bob", " JobName: 3 relax")),
        submit=[0.0, 0.0],
        run=[7500.0, 3600.0],
        processors=[1, 1],
        user=[1, 2],
        job_name=[3, -1],
        **{"tres/gres/gpu": [2, 0]},
    )
    charges = charge(log, [60.0, 0.0], [7560.0, 3600.0], "single-price")
    everybody = Rules(accounts=Accounts({1: "lab", 2: "lab"}))

    (lab,) = Statements(invoice(charges, everybody))
    names = [mine.name for mine in Statements(invoice(charges), "user")]

    table = page_of(lab).jobs
    assert table is not None
    assert [column.name for column in table.columns][5:] == ["CPUs", "GPUs", "amount (SU)"]
    assert [row[1:7] for row in table.rows] == [
        ("relax", "alice", "60 s", "2 h 5 min", "1", "2"),
        ("", "bob", "0 s", "1 h", "1", "0"),
    ]
    assert names == ["user alice", "user bob"]
