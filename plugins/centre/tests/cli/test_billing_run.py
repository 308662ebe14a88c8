"""`utilitysched billing-run`: a month from a listing to pages for every account."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.cli.test_bill_log import listing
from utilitysched_centre.report.billing_run import before, last_month


@pytest.fixture
def config(command: Command, tmp_path: Path) -> Path:
    listing(tmp_path)
    assert (
        command(
            "ledger", "init", tmp_path / "books.db", "--credit", "any", "--payer", "project"
        ).code
        == 0
    )
    path = tmp_path / "billing.toml"
    path.write_text(
        'log = "slurm:sacct.txt"\nmechanism = "single-price"\nledger = "books.db"\n',
        "utf-8",
    )
    return path


def test_a_month_is_billed_posted_and_written(command: Command, config: Path) -> None:
    answer = command("billing-run", config, "--month", "2026-10")

    assert answer.code == 0, answer.err
    assert "2026-10: 3 jobs of 1 account come to 32.00 SU by single-price." in answer.out
    assert "2026-10-0001" in answer.out
    folder = config.parent / "billing" / "2026-10"
    page = (folder / "summary.html").read_text("utf-8")
    assert "32.00" in page
    assert len(list((folder / "invoices").glob("*.csv"))) == 1
    assert command("ledger", "verify", config.parent / "books.db").code == 0

    again = command("billing-run", config, "--month", "2026-10", "--json", "-q")
    said = json.loads(again.out)
    assert said["issued"] == []
    assert [one["amount"] for one in said["invoices"]] == ["32.00"]


def test_refusals_are_a_line(command: Command, config: Path) -> None:
    answer = command("billing-run", config, "--month", "2026-09")
    assert answer.code == 2
    assert "no job completed in 2026-09" in answer.err
    answer = command("billing-run", config, "--month", "soon")
    assert answer.code == 2
    assert "'soon' is no month" in answer.err


def test_months_are_counted_back() -> None:
    assert (before("2026-03", 3), before("2026-03", 12)) == ("2025-12", "2025-03")
    assert last_month(date(2026, 1, 31)) == "2025-12"
