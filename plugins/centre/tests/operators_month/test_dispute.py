"""A dispute over the operator's month: adjusted, credited and paid, every amount by hand."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.operators_month.by_hand import exact_bill, in_cents
from plugins.centre.tests.operators_month.test_trial import LISTING, RULES
from utilitysched.cli.entry import run
from utilitysched_centre.accounts import Account, Book

CONFIG = f"""
log = "slurm:{LISTING}"
mechanism = "single-price:rate=0.35"
rules = "rules.toml"
ledger = "books.db"
"""
VAT = Fraction(19, 100)
MONTH = ("--month", "2026-10")
DISPUTED = {"106": Fraction(1, 2), "107": Fraction(1, 4)}
"""Shares that are given back of jobs of the account climate."""


@pytest.fixture
def centre(tmp_path: Path) -> Path:
    (tmp_path / "rules.toml").write_text(f"{RULES}[tax]\nname = 'VAT'\npercent = 19\n", "utf-8")
    (tmp_path / "billing.toml").write_text(CONFIG, "utf-8")
    terms = ("--unit", "EUR", "--decimals", "2", "--credit", "any", "--payer", "project")
    assert run(["ledger", "init", str(tmp_path / "books.db"), *terms]) == 0
    return tmp_path


def by_hand(account: str) -> list[tuple[str, int, int]]:
    """Name, net and tax of each run of an account (cents)."""
    jobs = exact_bill(LISTING)[account]
    nets = in_cents([due for _, due in jobs])
    taxes = in_cents([net * VAT / 100 for net in nets])
    return [(name, net, tax) for (name, _), net, tax in zip(jobs, nets, taxes, strict=True)]


def credited_by_hand() -> list[int]:
    """Cents that are given back of each disputed job, half to even, and their sum."""
    cost = {name: net + tax for name, net, tax in by_hand("climate")}
    given = [round(cost[name] * share) for name, share in DISPUTED.items()]
    return [*given, sum(given)]


def issued(centre: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    capsys.readouterr()
    words = ("billing-run", str(centre / "billing.toml"), *MONTH, "--issued", "2026-11-02")
    assert run([*words, "--json", "--quiet"]) == 0
    documents: list[dict[str, str]] = json.loads(capsys.readouterr().out)["issued"]
    return documents


def cents(text: str) -> int:
    return round(Fraction(text) * 100)


def test_a_dispute_from_complaint_to_payment(
    centre: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    invoices = {one["account"]: one for one in issued(centre, capsys)}
    for account, invoice in invoices.items():
        jobs = by_hand(account)
        assert cents(invoice["net"]) == sum(net for _, net, _ in jobs)
        assert cents(invoice["tax"]) == sum(tax for _, _, tax in jobs)
    for name, share in DISPUTED.items():
        words = ("billing-run", "adjust", str(centre / "billing.toml"), name, *MONTH)
        percent = ("--percent", str(float(100 * share)), "--reason", "node was throttled")
        assert run([*words, *percent, "--quiet"]) == 0

    [note] = issued(centre, capsys)

    *each, whole = credited_by_hand()
    assert (note["kind"], note["corrects"]) == ("credit note", invoices["climate"]["number"])
    assert cents(note["amount"]) == whole
    path = centre / "billing" / "2026-10" / "invoices" / f"{note['number']}.json"
    credited = json.loads(path.read_text("utf-8"))["credits"]
    assert [one["job"] for one in credited] == [*DISPUTED]
    for one, cent in zip(credited, each, strict=True):
        assert cents(one["net"]) + cents(one["tax"]) == cent

    left = cents(invoices["climate"]["amount"]) - whole
    pay = ("ledger", "pay", str(centre / "books.db"), invoices["climate"]["number"])
    assert run([*pay, "--amount", f"{(left + 1) / 100:.2f}", "--on", "2026-11-16"]) == 2
    assert run([*pay, "--amount", f"{left / 100:.2f}", "--on", "2026-11-16"]) == 0
    with Book(centre / "books.db") as book:
        open_ = {item.account.name for item in book.open_items(date(2026, 11, 17))}
        statement = book.statement(Account("project", "climate"), 2026)
        assert all(check.holds for check in book.verify())
    assert open_ == invoices.keys() - {"climate"}
    assert [row.balance for row in statement.rows] == [-left - whole, -left, 0]
    assert statement.closing == 0
