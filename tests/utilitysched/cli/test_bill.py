"""`utilitysched bill`: totals that reconcile."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.preempted import stored_preempted
from tests.utilitysched.small import JOBS


def charges(path: Path) -> list[Decimal]:
    with path.open() as file:
        return [Decimal(row["charge"]) for row in csv.DictReader(file)]


def test_first_price_adds_up_to_the_aggregate_utility_rounded_once(
    command: Command, run: Path
) -> None:
    answer = command("bill", run, "--mechanism", "first-price:reading=end")

    utility = json.loads((run / "summary.json").read_text())["aggregate_utility"]
    total = round(Decimal(repr(utility)), 2)
    assert sum(charges(run / "charges.csv")) == total
    for kind in ("user", "group", "queue", "month"):
        assert sum(charges(run / f"statement-by-{kind}.csv")) == total
    assert f"The lines add up to {total:,.2f} SU" in answer.out
    assert answer.err.startswith("wrote charges.csv, statement-by-user.csv")


def test_json_has_every_statement(command: Command, run: Path) -> None:
    document = json.loads(command("bill", run, "--json").out)

    assert document["mechanism"] == "first-price"
    assert set(document["statements"]) == {"user", "group", "queue", "month"}
    assert all(check["holds"] for check in document["checks"])


def test_statuses_can_be_let_off(command: Command, run: Path) -> None:
    answer = command("bill", run, "--exclude-status", 1)

    assert f"0 jobs charged, {JOBS} excluded by status" in answer.out


def test_statuses_that_no_job_has_are_named(command: Command, run: Path) -> None:
    answer = command("bill", run, "--exclude-status", 77, "--exclude-status", 1)
    silent = command("bill", run, "--exclude-status", 77, "--quiet")

    assert answer.err.startswith("no job of this run has status 77: none is let off by it\n")
    assert silent.err == ""


@pytest.mark.parametrize("decimals", [0, 4])
def test_every_line_has_the_decimals_that_were_chosen(
    decimals: int, command: Command, run: Path
) -> None:
    command("bill", run, "--mechanism", "first-price:reading=end", "--decimals", decimals)

    total = json.loads((run / "summary.json").read_text())["aggregate_utility"]
    for name in ("charges.csv", "statement-by-user.csv"):
        lines = charges(run / name)
        assert all(line.as_tuple().exponent == -decimals for line in lines)
        assert sum(lines) == round(Decimal(repr(total)), decimals)


def test_the_same_bill_twice_is_the_same_bytes(command: Command, run: Path) -> None:
    command("bill", run)
    first = (run / "charges.csv").read_bytes(), (run / "statements.json").read_bytes()
    command("bill", run)

    assert ((run / "charges.csv").read_bytes(), (run / "statements.json").read_bytes()) == first


def test_jobs_that_were_preempted_pay_for_all_their_segments(
    command: Command, tmp_path: Path
) -> None:
    directory = stored_preempted(tmp_path / "runs")

    command("bill", directory, "--mechanism", "single-price:rate=3600")

    with (directory / "charges.csv").open() as file:
        hours = [float(row["processor_hours"]) * 3600 for row in csv.DictReader(file)]
    assert hours == [512, 30, 20]
    assert charges(directory / "charges.csv") == [512, 30, 20]
    # by turnaround: from the submission to the last end
    assert command("bill", directory, "--mechanism", "first-price:reading=end").out
    assert charges(directory / "charges.csv") == [47, 0, 0]


def test_a_bill_says_who_pays_for_preemption(command: Command, tmp_path: Path) -> None:
    """Job 11 loses 20 s of work and 8 s of restart on 4 processors to job 12 of user 2."""
    directory = stored_preempted(tmp_path / "runs")

    answer = command("bill", directory, "--mechanism", "single-price:rate=3600,lost=preemptor")

    said = " ".join(answer.out.split())
    assert "charge (SU) share (%) times preempted for stops (SU)" in said
    assert "2 2 0.02 0.00 162.00 28.8 0 112.00" in said
    assert "total 3 0.16 47.00 562.00 100.0 1 112.00" in said
    assert (
        "1 preemption lost 0.03111 processor-hours, at 112.00 SU: 112.00 SU of that is charged,"
        " 0.00 SU borne by the centre." in said
    )
    with (directory / "charges.csv").open() as file:
        rows = list(csv.DictReader(file))
    parts = [[row[name] for name in ("preemptions", "own_charge", "waste_charge")] for row in rows]
    assert parts == [
        ["1", "400.00", "0.00"],
        ["0", "30.00", "112.00"],
        ["0", "20.00", "0.00"],
    ]
    told = json.loads((directory / "statements.json").read_text())["waste"]
    assert (told["payer"], told["preemptions"], told["price"]) == ("preemptor", 1, "112.00")
    assert [
        check["holds"] for check in json.loads(command("bill", directory, "--json").out)["checks"]
    ]


@pytest.mark.parametrize(
    ("decimals", "rate", "told"),
    [
        ((), "1.01", "at 0.03 SU: 0.03 SU of that is charged, 0.00 SU borne"),
        (("--decimals", "0"), "1.01", "at 0 SU: 0 SU of that is charged, 0 SU borne"),
        (("--decimals", "6"), "3600", "at 112.000000 SU: 112.000000 SU of that is charged"),
    ],
)
def test_what_preemptions_cost_is_rounded_as_the_lines_are(
    decimals: tuple[str, ...], rate: str, told: str, command: Command, tmp_path: Path
) -> None:
    directory = stored_preempted(tmp_path / "runs")

    answer = command(
        "bill", directory, "--mechanism", f"single-price:rate={rate},lost=preemptor", *decimals
    )

    assert told in " ".join(answer.out.split())
    exact = json.loads((directory / "statements.json").read_text())["waste"]
    assert Decimal(exact["price"]) == Decimal(exact["paid"]) + Decimal(exact["borne"])
    assert float(exact["price"]) == pytest.approx(112 * float(rate) / 3600, abs=0.5)


def test_a_page_has_the_statement_and_why_each_job_is_charged(
    command: Command, run: Path, tmp_path: Path
) -> None:
    page = tmp_path / "bill.html"
    how = ("--mechanism", "single-price:rate=0.5", "--by", "queue")

    answer = command("bill", run, *how, "--html", page)

    text = " ".join(re.sub("<[^>]+>", " ", page.read_text()).split())
    total = sum(charges(run / "charges.csv"))
    assert f"wrote {page}" in answer.err
    assert f"The lines add up to {total:,.2f} SU (service units), exactly the sum" in text
    assert "This is a simulation under easy, not a record of what happened." in text
    assert text.count("0.5 SU per processor-hour") == 1
    assert "Unless a line says otherwise: 0.5 SU per processor-hour" in text


def test_a_page_says_who_lost_by_a_job_and_what_its_stops_cost(
    command: Command, market: Path, tmp_path: Path
) -> None:
    page, stopped = tmp_path / "bill.html", stored_preempted(tmp_path / "runs")
    command("simulate", market, "--scheduler", "value-density", "--out", tmp_path / "valued")

    command("bill", stopped, "--mechanism", "single-price:lost=preemptor,rate=3600", "--html", page)
    assert "It pays 112.00 SU for the losses of others: job 11 (112.00)." in page.read_text()
    command("bill", tmp_path / "valued/value-density", "--mechanism", "vcg", "--html", page)
    assert "It cost job " in page.read_text()


@pytest.mark.parametrize("name", ["--rules", "--ledger", "--month", "--pdf", "--savings"])
def test_options_that_are_gone_say_what_to_use(command: Command, run: Path, name: str) -> None:
    answer = command("bill", run, name, "x")

    refused(answer, f"{name} was removed; ")
