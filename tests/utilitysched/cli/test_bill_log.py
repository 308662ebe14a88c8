"""`utilitysched bill LOG`: what really happened is billed."""

from __future__ import annotations

import hashlib
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused, rows

NAMES = "JobID|User|Account|Submit|Start|End|State|AllocCPUS|TimelimitRaw"
CURVE = '{"utility": [[0, 100], [90000, 0]]}'
HOUR = "2026-10-01T{:02}:00:00".format
ROWS = (
    f"1|ann|physics|{HOUR(0)}|{HOUR(1)}|{HOUR(3)}|COMPLETED|4|180",
    f"2|bob|physics|{HOUR(0)}|{HOUR(2)}|{HOUR(4)}|TIMEOUT|8|60",
    f"3|ann|physics|{HOUR(1)}|{HOUR(1)}|{HOUR(2)}|REQUEUED|2|180",
    f"3|ann|physics|{HOUR(2)}|{HOUR(5)}|{HOUR(8)}|COMPLETED|2|180",
    f"4|bob|physics|{HOUR(3)}|{HOUR(5)}|{HOUR(5)}|CANCELLED by 7|16|60",
)


def listing(folder: Path, comment: str = "") -> Path:
    path = folder / "sacct.txt"
    lines = (f"{NAMES}|Comment", *(f"{row}|{comment}" for row in ROWS))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_the_log_s_own_runs_are_billed(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "bill"
    answer = command(
        "bill", f"slurm:{listing(tmp_path)}", "--mechanism", "single-price", "--out", out
    )

    charges = rows(out / "recorded" / "charges.csv")
    # every run is charged once, past its limit, too; who never ran is not there
    assert sorted(Decimal(row["charge"]) for row in charges) == [2, 6, 8, 16]
    assert "machine: 12 processors, the most in use at a time" in answer.err
    assert "1 dropped" in answer.err
    assert f"in {out / 'recorded'}" in answer.err


def test_a_log_on_standard_input_is_read_once(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listing(tmp_path).open("rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
        answer = command(
            *("bill", "slurm:-", "--mechanism", "single-price", "--out", tmp_path / "bill"),
        )
    assert answer.code == 0, answer.err
    assert "machine: 12 processors, the most in use at a time" in answer.err


@pytest.mark.parametrize("comment", ["", CURVE])
def test_without_a_folder_nothing_is_written_and_the_bill_is_the_same(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comment: str
) -> None:
    log = f"slurm:{listing(tmp_path, comment)}"
    monkeypatch.chdir(tmp_path)
    how = ("bill", log, "--mechanism", "single-price", "--by", "account")
    before = sorted(tmp_path.iterdir())

    shown, said = command(*how), command(*how, "--json")
    assert sorted(tmp_path.iterdir()) == before
    command(*how, "--out", "bill")

    assert said.out == (tmp_path / "bill/recorded/statements.json").read_text("utf-8")
    assert "physics     4" in shown.out
    assert "machine: 12 processors, the most in use at a time" in shown.err


def test_a_job_that_is_in_a_log_twice_is_refused(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 8\n" + "1 0 0 9 1 -1 -1 1 9 -1 1 1 1 -1 -1 -1 -1 -1\n" * 2)

    answer = command("bill", log, "--mechanism", "single-price")

    refused(answer, f"{log}: job 1 occurs twice, the same in every field")


def test_no_option_of_another_command_is_named(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 -1 -1 -1 -1\n")

    answer = command("bill", log, "--mechanism", "single-price")

    refused(answer, "when 1 jobs ran, the first is job 1; simulate a scheduler, or leave")
    assert "--apply" not in answer.err


def test_what_cannot_be_billed_is_refused(command: Command, market: Path, tmp_path: Path) -> None:
    log = f"slurm:{listing(tmp_path)}"
    without = command("bill", log, "--out", tmp_path / "a")
    listing(tmp_path, CURVE)
    counterfactual = command("bill", log, "--mechanism", "vcg", "--out", tmp_path / "b")
    command("simulate", market, "--out", tmp_path / "runs")
    run = command("bill", tmp_path / "runs" / "easy", "--machine-size", "8")

    assert {answer.code for answer in (without, counterfactual, run)} == {2}
    assert "utility function" in without.err
    assert "does not say what would have been otherwise" in counterfactual.err
    assert "--machine-size is for logs" in run.err


def test_accounts_and_users_are_called_by_name(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "bill"
    log = f"slurm:{listing(tmp_path)}"
    made = command("bill", log, "--mechanism", "single-price", "--by", "account", "--out", out)
    run = out / "recorded"

    assert "physics     4" in made.out
    assert [row["name"] for row in rows(run / "statement-by-user.csv")] == ["ann", "bob"]


def test_what_the_log_does_not_say_is_refused_before_anything_is_billed(
    command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "bill"
    log = f"slurm:{listing(tmp_path)}"
    answer = command("bill", log, "--by", "group", "--out", out)

    assert answer.code == 2
    assert "the log does not say 'group'; known: account" in answer.err
    assert not (out / "recorded" / "charges.csv").exists()


def test_a_centre_s_own_curves_are_said_and_charged(command: Command, tmp_path: Path) -> None:
    curves = tmp_path / "own.toml"
    curves.write_text(
        "[curves.asked]\npoints = '0:3,2h:3,10h:3'\nper = 'job'\n"
        "[[rules]]\naccount = 'physics'\nnamed_by = 'comment'\n",
        "utf-8",
    )
    digest = hashlib.sha256(curves.read_bytes()).hexdigest()[:16]
    log, out = f"slurm:{listing(tmp_path, 'asked')}", tmp_path / "bill"

    answer = command("bill", log, "--utilities", f"curves:file={curves}", "--out", out)

    assert answer.out.startswith(
        f"Utility functions are given by own.toml (sha256 {digest}).\n\nBill under first-price"
    )
    charges = rows(out / "recorded" / "charges.csv")
    assert [Decimal(row["charge"]) for row in charges] == [3, 3, 3, 3]
    assert {row["comment"] for row in charges} == {"asked"}
    assert f"own.toml (sha256 {digest})" in charges[0]["basis"]
    again = command("bill", out / "recorded", "--utilities", "default")
    refused(again, "--utilities is for logs")


NODES = "JobID|User|Partition|QOS|Submit|Start|End|State|AllocCPUS|AllocTRES"
NODE_ROWS = (
    f"1|ann|gpu|normal|{HOUR(0)}|{HOUR(1)}|{HOUR(3)}|COMPLETED|4|cpu=4,node=1,gres/gpu:a100=2",
    f"2|bob|cpu|normal|{HOUR(0)}|{HOUR(2)}|{HOUR(4)}|COMPLETED|8|cpu=8,node=2,mem=?",
    f"3|bob|cpu,gpu|normal|{HOUR(1)}|{HOUR(1)}|{HOUR(2)}|COMPLETED|2|cpu=2,node=1,gres/gpu=1",
)


@pytest.fixture
def nodes(tmp_path: Path) -> str:
    path = tmp_path / "nodes.txt"
    path.write_text("\n".join((NODES, *NODE_ROWS)), "utf-8")
    return f"slurm:{path}"


def test_the_statement_counts_what_is_charged_for(command: Command, nodes: str) -> None:
    by_node = command("bill", nodes, "--mechanism", "single-price:of=node,rate=2")
    by_gpu = command("bill", nodes, "--mechanism", "single-price:of=gres/gpu", "--html", "-")

    lines = [line.split() for line in by_node.out.splitlines() if line]
    assert next(line[-1] for line in lines if line[0] == "user") == "node-hours"
    assert {line[0]: line[-1] for line in lines if line[0] in {"ann", "bob", "total"}} == {
        "ann": "2.00",
        "bob": "5.00",
        "total": "7.00",
    }
    assert "Unless a line says otherwise: 1 SU per GPU-hour" in by_gpu.out
    assert "It used 4 GPU-hours." in by_gpu.out  # by type alone
    assert "It used 1 GPU-hours." in by_gpu.out


def test_rates_by_partition_are_said_and_others_noted(
    command: Command, nodes: str, tmp_path: Path
) -> None:
    rates = "multi-queue:rates=gpu:3,cpu:1,long:2"
    answer = command("bill", nodes, "--mechanism", f"{rates},by=partition", "--json")

    charges = {row["user"]: row["charge"] for row in json.loads(answer.out)["statements"]["user"]}
    assert sorted(map(Decimal, charges.values())) == [18, 24]
    listed = "partition cpu, 'cpu,gpu', gpu"
    assert f"multi-queue: no job has the partition long; the log has {listed}\n" in answer.err
    assert "multi-queue: 1 job at the rate other=1: partition 'cpu,gpu'\n" in answer.err

    command("bill", nodes, "--mechanism", f"{rates},by=partition", "--out", tmp_path / "bill")
    explained = " ".join(command("explain-charge", tmp_path / "bill" / "recorded", 1).out.split())
    assert "8 processor-hours at 3 SU each (partition gpu) come to 24.00" in explained

    answer = command("bill", nodes, "--mechanism", rates)
    assert answer.code == 2
    assert "no job has the QOS cpu, gpu; the log has QOS normal; partition cpu" in answer.err
    assert "write by=partition" in answer.err
