"""One amount for each job: what every page, table and file of a bill prints, to the last digit."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.tables import number, tables
from tests.utilitysched.cli.conftest import Command, rows
from tests.utilitysched.preempted import stored_preempted

MECHANISMS = [
    "first-price",
    "first-price:reading=end",
    "second-price",
    "multi-queue:rates=1:0.1234567,2:0.7654321",
    "vcg",
    "vcg:reserve=0.0123",
    "vcg:method=replay,horizon=2h",
]
KINDS = ("user", "group", "queue", "month")


def test_every_mechanism(command: Command, market: Path, tmp_path: Path) -> None:
    command("simulate", market, "-s", "value-density", "--jobs", "0:60", "--out", tmp_path / "runs")
    run = tmp_path / "runs" / "value-density"
    for mechanism in MECHANISMS:
        assert_one_amount(command, run, mechanism)


@pytest.mark.parametrize("decimals", [0, 1, 5])
def test_chosen_decimals(command: Command, run: Path, decimals: int) -> None:
    assert_one_amount(command, run, "single-price:rate=0.0371", "--decimals", str(decimals))


@pytest.mark.parametrize("lost", ["preemptor", "preempted", "centre"])
def test_what_is_paid_for_stops(command: Command, tmp_path: Path, lost: str) -> None:
    directory = stored_preempted(tmp_path / "runs", value_lost=12.5)

    assert_one_amount(command, directory, f"first-price:reading=end,lost={lost}")


def assert_one_amount(command: Command, run: Path, mechanism: str, *options: str) -> None:
    """Bill a run, and compare everything that is printed of it with charges.csv."""
    page, bill = run / "bill.html", ("bill", run, "--mechanism", mechanism, *options)
    said = [command(*bill, "--html", page, "--by", kind).out for kind in KINDS]
    document = json.loads(command(*bill, "--json").out)

    assert document == json.loads((run / "statements.json").read_text())
    lines = rows(run / "charges.csv")
    charge = {line["job_id"]: line["charge"] for line in lines}
    total = sum(map(Decimal, charge.values()))
    assert str(total) == document["total_billed"]
    assert Decimal(str(document["total"])) == total
    for kind, text in zip(KINDS, said, strict=True):
        assert f"The lines add up to {total:,f} SU" in text
        _compare_statement(kind, text, run, document, lines)
    statement, jobs = tables(page.read_text())
    assert {row["job"]: row["charge (SU)"].replace(",", "") for row in jobs} == charge
    assert statement[-1]["charge (SU)"].replace(",", "") == str(total)
    dearest = max(charge, key=lambda job: Decimal(charge[job]))
    _compare_explanation(command, run, dearest, charge[dearest])


def _compare_statement(
    kind: str,
    text: str,
    run: Path,
    document: dict[str, dict[str, list[dict[str, str]]]],
    lines: list[dict[str, str]],
) -> None:
    """Compare a statement as printed, as a file and in JSON with the sums of its jobs."""
    statement = rows(run / f"statement-by-{kind}.csv")
    sums = {line[kind]: Decimal(0) for line in statement}
    for line in lines:
        sums[line[kind]] += Decimal(line["charge"])
    assert {line[kind]: line["charge"] for line in statement} == {
        key: str(money) for key, money in sums.items()
    }
    for written, of_json in zip(statement, document["statements"][kind], strict=True):
        assert written["charge"] == of_json["charge"]
    printed = [line for line in text.splitlines() if line.strip()]
    for key, money in sums.items():
        if kind != "user":  # of which not all are printed, and some have names
            assert any(f" {money:,f} " in f"{line} " for line in printed), (key, money)


def _compare_explanation(command: Command, run: Path, job: str, charge: str) -> None:
    text = " ".join(command("explain-charge", run, job).out.split())
    explained = json.loads(command("explain-charge", run, job, "--json").out)
    assert explained["charge"] == charge
    assert explained["verified"]
    assert f"is charged {Decimal(charge):,f} SU under " in text or not Decimal(charge)
    lost = re.search(r" all ([\d,.]+) ", text)
    if lost and "reserve" not in text:
        assert number(lost[1]) == Decimal(charge)
    for loser in explained["losers"][:3]:
        _compare_loss(command, run, job, str(loser["job_id"]), text)


def _compare_loss(command: Command, run: Path, job: str, loser: str, text: str) -> None:
    """Compare a loss in the table of who caused it with what the loser's explanation says."""
    table = text[text.index("jobs delayed by it") :]
    line = re.search(rf" job {loser} \S+ \S+ (less than [\d.]+|[\d,.]+) ", table)
    theirs = " ".join(command("explain-charge", run, loser).out.split())
    named = re.search(rf"because of others: .*?\bjob {job} \(([^)]*)\)", theirs)
    if line and named:
        assert line[1] == named[1]
