"""The sheet shows the account as the ledger has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pricing import charge
from pricing.accounts import Account, Book, Money, Terms, create, invoiced, payer_name
from pricing.rules import Rules, invoice
from swfx import Header, Workload
from tests.utilitysched.report.invoices import bill
from utilitysched.market.payment import Reconciled
from utilitysched.report.statements.sheet import sheet
from utilitysched.report.statements.statement import Statements

PHYSICS = Account("project", "physics")


def test_the_account_of_the_payer(tmp_path: Path) -> None:
    create(tmp_path / "ledger.db", Terms(Money("SU", 6), credit_limit=None))
    invoice = bill(4, Rules(accounts={1: "physics", 2: "physics"}))
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
    assert (
        "<td class=text>2000-04 to 2000-05</td>"
        "<td>20.00</td><td>10.00</td><td>-4.00</td><td>0.00</td><td>0.00</td><td>26.00</td>"
    ) in page
    assert (
        "<td class=text>2000-08</td>"
        "<td>46.00</td><td>10.00</td><td>0.00</td><td>0.00</td><td>0.00</td><td>56.00</td>"
    ) in page
    assert "This statement comes to 4.000000 SU; posting 7 charges the account 4.00 SU." in page


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
def test_processor_hours_add_up_as_amounts_do(jobs: int) -> None:
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=[0.0] * jobs,
        run=[1200.0] * jobs,
        processors=[1] * jobs,
        user=[1] * jobs,
        queue=[job % 5 for job in range(jobs)],
    )
    charges = charge(log, log.submit, log.submit + 1200, "single-price")

    (mine,) = Statements(invoice(charges, Rules()))
    table = sheet(mine).partition("<tfoot>")
    lines = re.findall(r"<td>(\d+\.\d\d)</td><td>(\d+\.\d\d)</td>", table[0])
    total = re.search(r"<td>(\d+\.\d\d)</td><td>(\d+\.\d\d)</td>", table[2])

    assert len(lines) == 5
    assert total is not None
    assert total.group(1) == f"{jobs / 3:.2f}"
    for column, summed in zip(zip(*lines, strict=True), total.groups(), strict=True):
        assert round(sum(map(float, column)), 2) == float(summed)
    assert all(hours == asked for hours, asked in lines)  # at 1 SU an hour
