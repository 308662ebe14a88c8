"""`simulate --mechanism`: schedules that rank jobs by what they are charged, and their bills."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from tests.utilitysched.cli.conftest import Command

SAMPLE = ("sample:", "--jobs", "0:60")
FREE = "values that end before they are charged"


def simulated(command: Command, folder: Path, scheduler: str, *options: str) -> Path:
    answer = command("simulate", *SAMPLE, "--scheduler", scheduler, *options, "--out", folder, "-q")
    assert answer.code == 0, answer.err
    (record,) = folder.glob("*/run.json")
    return record.parent


def record(run: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((run / "run.json").read_text("utf-8"))
    return document


def test_who_will_be_billed_by_first_price_is_ranked_by_it(
    command: Command, tmp_path: Path
) -> None:
    run = simulated(command, tmp_path, "value-density", "--mechanism", "first-price")

    assert record(run)["scheduler"] == "value-density:duration=requested"
    assert record(run)["mechanism"] == "first-price"
    bill = command("bill", run).out
    assert "Bill under first-price, per user" in bill
    assert FREE not in " ".join(bill.split())


def test_what_ranks_is_said(command: Command, tmp_path: Path) -> None:
    options = ("--scheduler", "value-density", "--mechanism", "first-price", "--out", tmp_path)

    err = command("simulate", *SAMPLE, *options).err

    ranked = "value-density:duration=requested"
    assert f"value-density ranks jobs by what first-price charges: {ranked}\n" in err


def test_a_run_that_nobody_said_how_to_bill_is_as_it_was(command: Command, tmp_path: Path) -> None:
    run = simulated(command, tmp_path, "value-density")

    assert record(run)["scheduler"] == "value-density"
    assert "mechanism" not in record(run)
    bill = command("bill", run).out
    assert "Bill under first-price, per user" in bill
    assert FREE in " ".join(bill.split())
    assert FREE not in " ".join(command("bill", run, "--mechanism", "vcg").out.split())


def test_a_bill_charges_by_the_mechanism_of_the_run(command: Command, tmp_path: Path) -> None:
    run = simulated(command, tmp_path, "value-density", "--mechanism", "single-price:rate=2")

    assert record(run)["scheduler"] == "value-density"
    assert "Bill under single-price:rate=2," in command("bill", run).out
    assert "Bill under multi-queue," in command("bill", run, "--mechanism", "multi-queue").out


def test_the_command_of_a_run_repeats_it(command: Command, tmp_path: Path) -> None:
    for place, scheduler in enumerate(("value-density:duration=zero", "value-density", "easy")):
        folder = tmp_path / str(place)
        run = simulated(command, folder / "a", scheduler, "--mechanism", "first-price")
        again = shlex.split(record(run)["command"])[1:]

        assert command(*again, "--jobs", "0:60", "--out", folder / "b", "-q").code == 0
        (other,) = (folder / "b").glob("*/run.json")
        assert record(other.parent)["simulation"] == record(run)["simulation"]
        assert record(other.parent)["mechanism"] == "first-price"


def test_a_mechanism_that_is_not_known_is_refused(command: Command, tmp_path: Path) -> None:
    answer = command("simulate", *SAMPLE, "--mechanism", "frist-price", "--out", tmp_path / "runs")

    assert answer.code == 2
    assert "did you mean 'first-price'?" in answer.err
    assert not (tmp_path / "runs").exists()


def test_an_audit_of_first_price_ranks_by_it(command: Command, tmp_path: Path) -> None:
    options = ("--sample", 2, "--draws", 1, "--lie", "cliff", "--scheduler", "value-density")

    named = command("audit", *SAMPLE, *options, "-m", "first-price", "--out", tmp_path / "a")
    other = command("audit", *SAMPLE, *options, "-m", "vcg", "--out", tmp_path / "b")

    assert "value-density ranks jobs by what first-price charges" in named.err
    assert "ranks jobs by" not in other.err
    ranked = [json.loads((tmp_path / each / "audit.json").read_text("utf-8")) for each in "ab"]
    assert "value-density:duration=requested" in json.dumps(ranked[0])
    assert "duration=requested" not in json.dumps(ranked[1])


def test_a_quote_by_first_price_ranks_by_it(command: Command, tmp_path: Path) -> None:
    run = simulated(command, tmp_path, "easy")
    job = ("--at", "12h", "--processors", 4, "--request", "1h", "--curve", "0:9,2h:0")
    options = (*job, "--samples", 2, "--scheduler", "value-density")

    named = command("quote", run, *options, "--mechanism", "first-price")
    other = command("quote", run, *options)

    assert named.code == other.code == 0
    assert "value-density ranks jobs by what first-price charges" in named.err
    assert "ranks jobs by" not in other.err
