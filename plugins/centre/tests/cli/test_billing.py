"""`invoice --rules --ledger`: what is posted is what the invoice says, and is reconciled."""

from __future__ import annotations

import csv
import json
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.utilitysched.cli.conftest import Command, refused
from utilitysched_centre.payment import RECONCILIATION_COLUMNS

RULES = """\
minimum_charge = 0.5
[status]
failed = 0
[exempt]
users = [3]
[[discount]]
name = "all"
percent = 25
[allowance]
monthly = 1
[currency]
code = "EUR"
rate = 3
[tax]
name = "VAT"
percent = 19
[accounts]
file = "accounts.csv"
"""


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "rules.toml").write_text(RULES, "utf-8")
    (tmp_path / "accounts.csv").write_text("user,account\n1,physics\n2,physics\n", "utf-8")
    return tmp_path / "rules.toml"


@pytest.fixture
def books(command: Command, tmp_path: Path) -> Path:
    """A ledger in euro and cents in which everybody may owe."""
    path = tmp_path / "books.db"
    terms = ("--unit", "EUR", "--decimals", 2, "--credit", "any")
    assert command("ledger", "init", path, *terms).code == 0
    return path


def by_account(run: Path) -> dict[str, Decimal]:
    with (run / "invoice-by-account.csv").open(encoding="utf-8", newline="") as file:
        return {line["account"]: Decimal(line["amount"]) for line in csv.DictReader(file)}


def balances(command: Command, books: Path) -> dict[str, Decimal]:
    found = json.loads(command("ledger", "balance", books, "--json").out)["accounts"]
    return {one["account"]: Decimal(one["balance"]) + Decimal(one["held"]) for one in found}


def ledger_name(payer: str) -> str:
    return payer.replace(" ", ":") if payer.startswith("user ") else f"project:{payer}"


def test_accounts_are_charged_what_the_invoice_says(
    command: Command, run: Path, rules: Path, books: Path
) -> None:
    words = ("invoice", run, "--mechanism", "single-price", "--rules", rules, "--ledger", books)
    first = command(*words)
    again = json.loads(command(*words, "--json").out)

    owed = by_account(run)
    assert owed["user 3"] == 0 < owed["physics"]
    paid = {ledger_name(payer): -amount for payer, amount in owed.items()}
    assert balances(command, books) == paid
    total = sum(owed.values())
    assert f"Posting 1 of the ledger charges {total} EUR: what the bill says" in first.out
    assert again["ledger"]["new"] is False
    assert again["reconciliation"]["total"] == again["invoice"]["total"] == str(total)


def test_the_account_is_followed_in_a_file(
    command: Command, run: Path, rules: Path, books: Path
) -> None:
    command("ledger", "endow", books, "project:physics", 100, "--month", "2000-03")
    words = ("invoice", run, "--mechanism", "single-price", "--rules", rules, "--ledger", books)
    command(*words)
    command("ledger", "refund", books, "--posting", 2, "--month", "2000-05")
    command(*words)

    with (run / "reconciliation.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert tuple(reader.fieldnames or ()) == RECONCILIATION_COLUMNS
        lines = [line for line in reader if line["account"] == "project:physics"]
    figures: dict[str, Any] = {line["month"]: line for line in lines}
    april, may = figures["2000-04"], figures["2000-05"]
    owed = str(by_account(run)["physics"])
    assert (april["opening"], april["billed"], april["other"]) == ("100.00", owed, owed)
    assert (may["refunded"], may["closing"]) == (owed, str(100 - Decimal(owed)))
    command("bill", run)
    assert not (run / "reconciliation.csv").exists()


def test_what_is_held_by_rules_is_enough_and_given_back(
    command: Command, run: Path, rules: Path, books: Path
) -> None:
    words = (run, "--mechanism", "single-price", "--rules", rules)
    assert command("ledger", "hold-run", books, *words).code == 0
    held = json.loads(command("ledger", "balance", books, "--json").out)["accounts"]

    command("invoice", *words, "--ledger", books)

    owed = by_account(run)
    for one in held:
        assert Decimal(one["held"]) >= next(
            owed[payer] for payer in owed if ledger_name(payer) == one["account"]
        )
    after = json.loads(command("ledger", "balance", books, "--json").out)["accounts"]
    assert {one["held"] for one in after} == {"0.00"}
    assert balances(command, books)["project:physics"] == -owed["physics"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[allowance]\nmonthly = 1\n[currency]\ncode = 'EUR'\nrate = 1\ndecimals = 3",
            "3 decimals",
        ),
        ("", "field unit: the bill is in SU, the ledger in EUR with 2"),
        ("[quantity]\n[currency]\ncode = 'EUR'\nrate = 1", "by no rate per processor-hour"),
        (
            "minimum_charge = 1e12\n[currency]\ncode = 'EUR'\nrate = 1e12",
            "what is to be paid comes",
        ),
    ],
)
def test_refusals_come_before_anything_is_written(
    command: Command, run: Path, rules: Path, books: Path, text: str, said: str
) -> None:
    rules.write_text(text, "utf-8")
    before = sorted(run.iterdir())

    refused(command("invoice", run, "--rules", rules, "--ledger", books, "--quiet"), said)

    assert sorted(run.iterdir()) == before
    assert balances(command, books) == {}


def test_an_overdrawn_account_is_refused_with_the_figures(
    command: Command, run: Path, rules: Path, books: Path
) -> None:
    words = ("invoice", run, "--mechanism", "single-price", "--rules", rules)
    command(*words)
    owed = by_account(run)["physics"]
    command("ledger", "endow", books, "project:physics", owed - Decimal("0.01"))
    command("ledger", "limit", books, "project:physics", 0)

    refused(
        command(*words, "--ledger", books, "--quiet"),
        f"project:physics has {owed - Decimal('0.01')} EUR (0.00 EUR held besides, credit limit "
        f"0.00 EUR) and needs {owed} EUR: 0.01 EUR missing",
    )


def test_a_mismatch_is_an_error_that_names_the_figures(
    command: Command, run: Path, rules: Path, books: Path
) -> None:
    words = ("invoice", run, "--mechanism", "single-price", "--rules", rules, "--ledger", books)
    command(*words)
    with sqlite3.connect(books) as connection:
        connection.execute("DROP TRIGGER ledger_entry_no_update")
        connection.execute("UPDATE ledger_entry SET amount = amount + 1 WHERE line = 0")
    connection.close()

    answer = command(*words, "--quiet")

    assert answer.code == 2
    assert "the bill says " in answer.err
    assert "posting 1 has " in answer.err


def test_statements_show_the_account(
    command: Command, run: Path, rules: Path, books: Path, tmp_path: Path
) -> None:
    words = ("invoice", run, "--rules", rules, "--ledger", books, "--html", tmp_path / "pages")
    assert command(*words).code == 0

    page = (tmp_path / "pages" / "0001-physics.html").read_text("utf-8")
    owed = by_account(run)["physics"]
    assert "1 of the ledger" in page
    assert f"{owed} EUR" in page
