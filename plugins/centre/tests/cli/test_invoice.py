"""`utilitysched invoice`: what rules make of charges, and what accounts pay for it."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.cli.test_bill_log import listing
from tests.utilitysched.preempted import stored_preempted


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text("[currency]\ncode = 'EUR'\nrate = 0.5\n", "utf-8")
    return path


def test_rules_make_of_charges_what_is_to_be_paid(
    command: Command, run: Path, rules: Path, tmp_path: Path
) -> None:
    answer = command(
        "invoice", run, "--rules", rules, "--html", tmp_path / "pages", "--by", "account"
    )

    with (run / "invoice.csv").open() as file:
        paid = sum(Decimal(row["amount"]) for row in csv.DictReader(file))
    assert f"The lines add up to {paid:,f} EUR." in answer.out
    assert paid == Decimal(json.loads((run / "invoice.json").read_text())["total"])
    assert (tmp_path / "pages" / "index.html").is_file()


def test_json_has_the_invoice(command: Command, run: Path, rules: Path) -> None:
    document = json.loads(command("invoice", run, "--rules", rules, "--json").out)

    assert document["invoice"] == json.loads((run / "invoice.json").read_text())


def test_a_bill_without_rules_leaves_no_invoice_of_an_earlier_one(
    command: Command, run: Path, rules: Path
) -> None:
    command("invoice", run, "--rules", rules)
    command("bill", run)

    assert list(run.glob("invoice*")) == []


def test_lines_of_an_invoice_for_displaced_jobs_add_up(command: Command, tmp_path: Path) -> None:
    """Job 11 of user 1 is worth 47 SU; user 2's job 12 displaced it, at a price of 12.50 SU."""
    directory = stored_preempted(tmp_path / "runs", value_lost=12.5)

    command("invoice", directory, "--mechanism", "first-price:reading=end", "--drawn-values",
            "--html", tmp_path / "pages", "--by", "user")  # fmt: skip

    displaced, displacing = (
        " ".join(re.sub("<[^>]+>", " ", page.read_text()).split())
        for page in (tmp_path / "pages" / f"000{user}-user-{user}.html" for user in (1, 2))
    )
    assert "first-price: what it was worth 1 1 jobs 47.00" in displaced
    assert "For having been displaced 1 -12.50 To pay 34.50 SU" in displaced
    assert "For jobs of others that these displaced" not in displaced
    assert "For jobs of others that these displaced 1 12.50 To pay 12.50 SU" in displacing


def test_statements_to_print_say_who_pays_for_preemption(command: Command, tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path / "runs")

    command("invoice", directory, "--mechanism", "single-price:lost=preemptor,rate=3600",
            "--html", tmp_path / "pages", "--by", "user")  # fmt: skip

    pages = {path.name: path.read_text() for path in (tmp_path / "pages").glob("*.html")}
    lost = "SU of the list price is for work lost in stops"
    assert f"0.00 {lost} (1 preemption of these jobs)." in pages["0001-user-1.html"]
    assert f"112.00 {lost} (no stop of these jobs)." in pages["0002-user-2.html"]
    evidence = pages["0002-user-2-evidence.html"]
    assert "+ 112.00 lost work of others = 142.00 SU" in evidence
    assert "It pays 112.00 SU for the losses of others." in evidence


def test_rules_and_ledger_take_what_is_paid_for_preemption(
    command: Command, tmp_path: Path
) -> None:
    directory, rules = stored_preempted(tmp_path / "runs"), tmp_path / "rules.toml"
    rules.write_text("minimum_charge = 50\n")
    command("ledger", "init", tmp_path / "ledger.db")
    for user in (1, 2):
        command("ledger", "endow", tmp_path / "ledger.db", f"user:{user}", 1000)

    answer = command("invoice", directory, "--mechanism", "single-price:lost=preemptor,rate=3600",
                     "--rules", rules, "--ledger", tmp_path / "ledger.db")  # fmt: skip

    assert answer.code == 0, answer.err
    with (directory / "invoice.csv").open() as file:
        assert [row["due"] for row in csv.DictReader(file)] == ["400.00", "142.00", "50.00"]


def test_the_invoice_of_a_log_is_printed_and_written_only_where_asked(
    command: Command, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = f"slurm:{listing(tmp_path)}"
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())

    how = ("invoice", log, "--mechanism", "single-price", "--rules", rules)
    shown = command(*how)
    assert sorted(tmp_path.iterdir()) == before
    written = command(*how, "--html", "pages", "--out", "made")

    assert "The lines add up to 16.00 EUR." in shown.out
    assert written.out == shown.out
    with (tmp_path / "made/recorded/invoice.csv").open() as file:
        assert {row["account"] for row in csv.DictReader(file)} == {"physics"}
    assert [*(tmp_path / "pages").rglob("*physics*.html")]


def test_a_kind_of_statement_that_there_is_not(command: Command, run: Path) -> None:
    answer = command("invoice", run, "--by", "year")

    assert answer.code == 2
    assert "no statement by 'year'" in answer.err
