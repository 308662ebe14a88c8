"""`utilitysched billing-run`: a month from a listing to documents, adjustments and credit notes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.cli.test_bill_log import listing
from utilitysched_centre.report.billing_run import before, last_month

MONTH = ("--month", "2026-10", "--issued", "2026-11-02")


@pytest.fixture
def config(command: Command, tmp_path: Path) -> Path:
    listing(tmp_path)
    terms = ("--credit", "any", "--payer", "project", "--decimals", 2)
    assert command("ledger", "init", tmp_path / "books.db", *terms).code == 0
    path = tmp_path / "billing.toml"
    path.write_text(
        'log = "slurm:sacct.txt"\nmechanism = "single-price"\nledger = "books.db"\n',
        "utf-8",
    )
    return path


def test_a_month_is_billed_posted_and_written(command: Command, config: Path) -> None:
    answer = command("billing-run", config, *MONTH)

    assert answer.code == 0, answer.err
    assert "2026-10: 3 jobs of 1 account come to 32.00 SU by single-price." in answer.out
    assert "2026-10-0001" in answer.out
    folder = config.parent / "billing" / "2026-10"
    page = (folder / "summary.html").read_text("utf-8")
    assert "32.00" in page
    assert len(list((folder / "invoices").glob("*.csv"))) == 1
    verify = ("ledger", "verify", config.parent / "books.db", "--documents", folder.parent)
    assert command(*verify).code == 0

    again = command("billing-run", config, *MONTH, "--json", "-q")
    said = json.loads(again.out)
    assert said["issued"] == []
    assert [one["amount"] for one in said["invoices"]] == ["32.00"]
    assert said["total"] == "32.00"


def test_a_job_is_adjusted(command: Command, config: Path) -> None:
    """Run 2 of a job that was requeued, for it alone; typed again nothing changes."""
    adjust = ("billing-run", "adjust", config, "--month", "2026-10", "--reason", "slow node")
    answer = command(*adjust, "3", "--percent", 50)
    assert answer.code == 2
    assert '3 ran more than once; name "3 (run 1)", "3 (run 2)"' in answer.err
    answer = command(*adjust, "3 (run 2)", "--percent", 50)
    assert answer.out.splitlines() == [
        "Job 3 (run 2) of physics cost 6.00 SU. Given back: 3.00 SU (50%).",
        (
            f"{config.parent / 'adjustments.toml'} has it now. Next: utilitysched billing-run"
            f" {config} --month 2026-10 issues the invoice of physics with it."
        ),
    ]
    assert "nothing changed" in command(*adjust, "3 (run 2)", "--percent", 50).out
    command("billing-run", config, *MONTH)

    said = json.loads(command(*adjust, "2", "--amount", 1.5, "--json", "-q").out)
    assert (said["cost"], said["given_back"]) == ("16.00", "1.50")
    assert (said["invoice"], said["new"]) == ("2026-10-0001", True)
    issued = json.loads(command("billing-run", config, *MONTH, "--json", "-q").out)["issued"]
    assert [(one["kind"], one["amount"]) for one in issued] == [("credit note", "1.50")]
    balance = json.loads(command("ledger", "balance", config.parent / "books.db", "--json").out)
    assert [one["balance"] for one in balance["accounts"]] == ["-27.50"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("2", "--percent", 50), "reason"),
        (("2", "--reason", "x"), "has neither percent nor amount"),
        (("2", "--reason", "x", "--percent", 500), "500 is out of range"),
        (("9", "--reason", "x", "--percent", 5), "no job 9 is billed in 2026-10"),
        (("2", "--reason", "x", "--amount", 99), "more is given back of 2 than the 16.00"),
    ],
)
def test_adjustments_that_are_refused(
    command: Command, config: Path, typed: tuple[object, ...], message: str
) -> None:
    answer = command("billing-run", "adjust", config, *typed, "--month", "2026-10")
    assert answer.code == 2
    assert message in answer.err
    assert not (config.parent / "adjustments.toml").exists()
    assert not (config.parent / "billing").exists()


def test_refusals_are_a_line(command: Command, config: Path) -> None:
    answer = command("billing-run", config, "--month", "2026-09")
    assert answer.code == 2
    assert "no job completed in 2026-09" in answer.err
    answer = command("billing-run", config, "--month", "soon")
    assert answer.code == 2
    assert "'soon' is no month" in answer.err
    answer = command("billing-run", config, "--month", "2026-10", "--issued", "2026-10-30")
    assert answer.code == 2
    assert "2026-10 is not over on 2026-10-30" in answer.err
    answer = command("billing-run", config, "--month", "2026-10", "--issued", "9999-12-31")
    assert answer.code == 2
    assert "9999-12-31 is after 2999" in answer.err


def test_the_command_may_be_left_out(command: Command, config: Path) -> None:
    named = command("billing-run", "run", config, *MONTH, "--json", "-q")
    assert named.code == 0, named.err
    alone = command("billing-run", *MONTH, "--json", "-q", config)
    assert json.loads(alone.out)["invoices"] == json.loads(named.out)["invoices"]
    assert "adjust" in command("billing-run", "--help").out
    assert "--partial" in command("billing-run", "run", "--help").out


def test_months_are_counted_back() -> None:
    assert (before("2026-03", 3), before("2026-03", 12)) == ("2025-12", "2025-03")
    assert last_month(date(2026, 1, 31)) == "2025-12"
