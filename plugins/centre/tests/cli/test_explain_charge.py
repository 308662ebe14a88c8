"""`utilitysched explain-charge` where a run has an invoice."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from swfx.base.plugins import EXPLANATIONS
from tests.utilitysched.cli.conftest import Command
from utilitysched_centre.invoice_explanation import explain_invoice

LISTING = """\
JobID|JobIDRaw|User|Account|Partition|JobName|Submit|Start|End|Elapsed|State|AllocCPUS|ReqCPUS|NNodes|TimelimitRaw|AllocTRES
102|102|ann|physics|gpu|train|2026-10-06T09:00:00|2026-10-06T09:05:00|2026-10-07T09:05:30|1-00:00:30|TIMEOUT|16|16|1|1440|billing=16,cpu=16,node=1,gres/gpu=2
103_1|104|bob|biology|main|align|2026-10-07T10:00:00|2026-10-07T10:00:10|2026-10-07T13:00:10|03:00:00|NODE_FAIL|8|8|1|240|billing=8,cpu=8,node=1
105|105|ann|physics|main|fit|2026-10-08T10:00:00|2026-10-08T10:00:00|2026-10-08T11:00:00|01:00:00|PREEMPTED|4|4|1|240|billing=4,cpu=4,node=1
105|105|ann|physics|main|fit|2026-10-08T11:00:00|2026-10-08T12:00:00|2026-10-08T14:00:00|02:00:00|COMPLETED|4|4|1|240|billing=4,cpu=4,node=1
"""
RULES = """
[quantity]
weights = "CPU=1,GRES/gpu=20"
[currency]
code = "EUR"
rate = 1
[tax]
name = "VAT"
percent = 19
[invoice]
prefix = "HPC"
"""
BILLING = """
log = "slurm:sacct.txt"
mechanism = "single-price:rate=0.02"
rules = "rules.toml"
ledger = "books.db"
"""
OCTOBER = ("--month", "2026-10")
FORMULA = "2 GPUs x 20 = 40 units > 16 CPUs; 40 x 24.0083 h x 0.02 = 19.21 EUR + 19% = 22.86"


@pytest.fixture
def month(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bill October, and have the plug-in's explanations."""
    for name, text in (
        ("sacct.txt", LISTING), ("rules.toml", RULES), ("billing.toml", BILLING)
    ):  # fmt: skip
        (tmp_path / name).write_text(text, "utf-8")
    books = tmp_path / "books.db"
    command("ledger", "init", books, "--unit", "EUR", "--payer", "project", "--credit", "any")
    done = command("billing-run", tmp_path / "billing.toml", "--month", "2026-10")
    assert done.code == 0, done.err
    point = EntryPoint("invoice", f"{explain_invoice.__module__}:explain_invoice", EXPLANATIONS)
    monkeypatch.setattr(
        "swfx.base.plugins.entry_points",
        lambda group: [point] if group == EXPLANATIONS else entry_points(group=group),
    )
    return tmp_path / "billing/2026-10/recorded"


def test_the_amount_on_the_invoice_is_reproduced(command: Command, month: Path) -> None:
    answer = command("explain-charge", month, 102)
    document = json.loads(command("explain-charge", month, 102, "--json").out)["invoice"]

    printed = " ".join(answer.out.split())
    assert answer.code == 0, answer.err
    assert f"Invoice: 22.86 EUR to pay by physics. {FORMULA}." in printed
    assert "It is on invoice HPC-2026-10-0001 of 20" in printed
    assert document["how"] == FORMULA
    assert document["amount"] == "22.86"
    assert document["documents"] == ["HPC-2026-10-0001"]


def test_credits_for_the_job_are_named(command: Command, month: Path) -> None:
    adjusted = command(
        *("billing-run", "adjust", month.parents[2] / "billing.toml", "102"),
        *("--percent", "50", "--reason", "the GPUs were slow"),
    )
    assert adjusted.code == 0, adjusted.err
    command("billing-run", month.parents[2] / "billing.toml", "--month", "2026-10")

    printed = " ".join(command("explain-charge", month, 102).out.split())
    document = json.loads(command("explain-charge", month, 102, "--json").out)["invoice"]

    assert "Credit note HPC-2026-10-0002 gives back 11.43 EUR: the GPUs were slow." in printed
    assert document["credits"] == [
        {"document": "HPC-2026-10-0002", "amount": "11.43", "reason": "the GPUs were slow"}
    ]
    other = json.loads(command("explain-charge", month, "105 (run 2)", "--json").out)["invoice"]
    assert other["credits"] == []


def test_a_cancelled_invoice_and_its_credits_count_no_more(command: Command, month: Path) -> None:
    """The invoice in its place has the credit again."""
    folder, run = month.parents[2], ("billing-run", month.parents[2] / "billing.toml")
    command(*run[:1], "adjust", run[1], "102", "--percent", "50", "--reason", "slow", *OCTOBER)
    command(*run, *OCTOBER)
    grown = LISTING + LISTING.splitlines()[-1].replace("105|105", "106|106") + "\n"
    (folder / "sacct.txt").write_text(grown, "utf-8")
    assert command(*run, *OCTOBER).code == 0

    answer = json.loads(command("explain-charge", month, 102, "--json").out)["invoice"]

    assert answer["documents"] == [f"HPC-2026-10-000{n}" for n in (1, 2, 3, 4)]
    assert [(one["document"], one["amount"]) for one in answer["credits"]] == [
        ("HPC-2026-10-0004", "11.43")
    ]


def test_a_job_that_was_not_on_the_first_invoice(command: Command, month: Path) -> None:
    """A run that comes first in the grown listing has the number that another had."""
    head, *jobs = LISTING.splitlines()
    runs = [job.replace("105|105", "90|90").replace("10-08", "10-01") for job in jobs[2:]]
    (month.parents[2] / "sacct.txt").write_text("\n".join([head, *runs, *jobs, ""]), "utf-8")
    command("billing-run", month.parents[2] / "billing.toml", *OCTOBER)

    answer = json.loads(command("explain-charge", month, "90 (run 2)", "--json").out)["invoice"]

    assert answer["documents"] == ["HPC-2026-10-0003"]


def test_runs_are_told_apart_by_the_names_of_the_invoice(command: Command, month: Path) -> None:
    for name, how in (
        ("105 (run 1)", "4 CPUs x 1 h x 0.02 = 0.08 EUR + 19% = 0.10"),
        ("105 (run 2)", "4 CPUs x 2 h x 0.02 = 0.16 EUR + 19% = 0.19"),
    ):
        document = json.loads(command("explain-charge", month, name, "--json").out)["invoice"]
        assert (document["job"], document["how"]) == (name, how)


def test_a_job_that_was_let_off(command: Command, month: Path) -> None:
    printed = " ".join(command("explain-charge", month, "103_1").out.split())

    assert "8 CPUs x 3 h x 0.02 = 0.48; let off (NODE_FAIL) = 0.00 EUR." in printed


def test_without_an_invoice_nothing_is_added(month: Path) -> None:
    assert explain_invoice(month, 10**9) is None
    assert explain_invoice(month.parent, 102) is None


def test_an_invoice_without_formulas_is_refused(command: Command, month: Path) -> None:
    (month / "invoice.csv").write_text("job_id,net\n102,1\n", "utf-8")

    answer = command("explain-charge", month, 102)

    assert answer.code == 2
    assert "invoice.csv: has no column job; make the invoice again" in answer.err
