"""Statements in a browser: what is sent out, on one printed page each."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.report.invoices import bill
from tests.browser.conftest import LOOKS, Opened, findings
from utilitysched_centre.accounts import Account, Book, Money, Terms, create, invoiced, payer_name
from utilitysched_centre.payment import Reconciled
from utilitysched_centre.report.statements import (
    Additions,
    CreditLine,
    Statements,
    issued_invoice,
    write_document,
    write_pages,
)
from utilitysched_centre.report.statements.page import LINES
from utilitysched_centre.rules import Invoice, Rules
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Centre,
    Currency,
    Discount,
    JobSelection,
    Tax,
)

PAYER = "climate-and-ocean-" * 3

WORST = Rules(
    minimum_charge=Fraction(3, 2),
    status={"failed": Fraction(0), "cancelled": Fraction(25), "requeued": Fraction(50)},
    exempt=JobSelection(users=frozenset({9})),
    discount=tuple(Discount(name="d" * 63 + n, percent=Fraction(1)) for n in "123456789"),
    allowance=Allowance(Fraction(5)),
    currency=Currency("EUR", Fraction(12345), 6),
    tax=Tax("value-added tax", Fraction(19)),
    accounts=Accounts({1: PAYER, 2: PAYER}),
    centre=Centre("name " * 12, ("address " * 4,) * 4, "note " * 48),
)
"""Texts that are longer than most."""


def reconciled(invoice: Invoice, folder: Path) -> Reconciled:
    """Post an invoice to a ledger in which much has happened."""
    path = folder / "ledger.db"
    create(path, Terms(Money("EUR", 6), credit_limit=None))
    with Book(path) as book:
        for month in range(1, 13):
            book.endow(Account("project", PAYER), "1234567.891234", month=f"2001-{month:02}")
        claims = invoiced(invoice, book.money)
        posted = book.post(claims)
        accounts = book.reconcile(claims)
        names = tuple(payer_name(period.account) for period in accounts.periods)
        return Reconciled(accounts, posted, book.money, names)


def printed(opened: Opened, page: Path) -> int:
    """Print a page; how many sheets it takes."""
    pdf: bytes = opened(page).pdf(prefer_css_page_size=True, print_background=True)
    (sheets,) = {int(count) for count in re.findall(rb"/Type /Pages\s+/Count (\d+)", pdf)}
    return sheets


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [40, 400])
def test_an_invoice_is_printed_on_one_page(
    jobs: int, opened: Opened, tmp_path: Path, screenshots: Path
) -> None:
    made = bill(jobs, WORST)
    statements = Statements(made, "account", tmp_path, reconciled(made, tmp_path))
    mine = max(statements, key=lambda one: len(one.places))
    given = tuple(CreditLine(f"{n}_1 (run 2)", 1, 1, "reason " * 9) for n in range(30))
    issued = issued_invoice(mine, f"project:{PAYER}", Additions(credits=given))
    *_, page = write_document(issued, mine, tmp_path / "pages")

    assert len(issued.lines) >= LINES
    assert page.read_text("utf-8").count("#line-") == 20
    assert printed(opened, page) == 1
    opened(page).screenshot(path=screenshots / f"statement-{jobs}.png", full_page=True)


@pytest.mark.slow
def test_a_credit_note_is_printed_on_one_page(opened: Opened, tmp_path: Path) -> None:
    (mine, *_) = Statements(bill(4, WORST))
    given = [CreditLine(f"{n}_1 (run 2)", n, n, "reason " * 9) for n in range(30)]
    note = issued_invoice(mine).credit_note("HPC-2026-10-0007", "2026-12-01", given, cancels=False)

    _, page = write_document(note, None, tmp_path)

    assert printed(opened, page) == 1


@pytest.mark.slow
def test_every_line_leads_to_its_evidence(opened: Opened, tmp_path: Path) -> None:
    write_pages(Statements(bill(4)), tmp_path)
    page = opened(tmp_path / "0001-lab.html")

    page.get_by_role("link", name="2", exact=True).click()

    assert page.url.endswith("0001-lab-evidence.html#line-3")
    assert "1 CPU x 1 h x 0.5 = 0.50 EUR" in page.locator("tr:target").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, WORST], ids=["usual", "longest texts"])
def test_everybody_can_read_every_page(rules: Rules | None, opened: Opened, tmp_path: Path) -> None:
    statements = Statements(bill(4, rules))
    write_pages(statements, tmp_path)
    note = issued_invoice(next(iter(statements))).credit_note(
        "HPC-7", "2026-12-01", [CreditLine("3_1 (run 2)", 5, 1, "reason " * 9)], cancels=False
    )
    write_document(note, None, tmp_path)
    paths = sorted(tmp_path.glob("*.html"))

    for path in paths:
        page = opened(path)
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})

            assert findings(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(paths) == 4
