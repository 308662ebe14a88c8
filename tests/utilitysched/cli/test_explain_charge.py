"""`utilitysched explain-charge`."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

import swfx
from swfx import Header, UtilityFunction, UtilityTable, Workload
from swfx.base.plugins import EXPLANATIONS
from tests.utilitysched.cli.conftest import Command, refused, rows
from utilitysched.report.explanation import ExplanationPart

VCG = ("--mechanism", "vcg")
SCHEDULER = "ga:preset=plain,generations=3,population=4"


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    return simulated(command, market, tmp_path)


@pytest.fixture
def short_run(command: Command, market: Path, tmp_path: Path) -> Path:
    """Of jobs so few that they are quickly simulated without each."""
    return simulated(command, market, tmp_path, "--jobs", "0:20")


def simulated(command: Command, market: Path, folder: Path, *options: str) -> Path:
    command("simulate", market, "--scheduler", SCHEDULER, "--out", folder / "runs", *options)
    return next(path for path in (folder / "runs").iterdir() if path.is_dir())


def dearest(run: Path) -> dict[str, str]:
    return max(rows(run / "charges.csv"), key=lambda row: float(row["charge"]))


def said(text: str) -> str:
    """What was printed, on one line; lines are broken behind hyphens, too."""
    return " ".join(text.split()).replace("- ", "-")


def in_a_package(directory: Path, job_id: int) -> ExplanationPart | None:
    """Explain even jobs further, as a function of another distribution does."""
    if job_id % 2:
        return None
    return ExplanationPart(["It is even.", "Truly."], {"place": f"{directory.name} {job_id}"})


def test_another_distribution_explains_further(
    command: Command, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("bill", run, "--mechanism", "single-price")
    plain = command("explain-charge", run, 2)
    odd = command("explain-charge", run, 3)
    point = EntryPoint("parity", f"{__name__}:in_a_package", EXPLANATIONS)
    monkeypatch.setattr(
        "swfx.base.plugins.entry_points",
        lambda group: [point] if group == EXPLANATIONS else entry_points(group=group),
    )

    printed = said(command("explain-charge", run, 2).out)
    document = json.loads(command("explain-charge", run, 2, "--json").out)

    assert printed.replace("It is even. Truly. ", "") == said(plain.out) != printed
    assert document["parity"] == {"place": f"{run.name} 2"}
    assert command("explain-charge", run, 3).out == odd.out
    assert "parity" not in json.loads(command("explain-charge", run, 3, "--json").out)


def test_a_charge_by_plans_is_told_with_its_losers(command: Command, run: Path) -> None:
    command("bill", run, *VCG)
    job = dearest(run)
    lost = [row for row in rows(run / "evidence.csv") if row["job_id"] == job["job_id"]]

    answer = command("explain-charge", run, job["job_id"])

    text = said(answer.out)
    assert answer.code == 0
    who = f"Job {job['job_id']} of user {job['user']}, queue {job['queue']},"
    assert text.startswith("This is a simulation under ")
    assert (
        f"{who} is charged {float(job['charge']):,.2f} SU under vcg: what others lose by its start."
    ) in text
    assert f"When it started, {job['others']} other jobs were queued." in text
    assert f"was worth {float(job['with_job']):,.2f} SU to others" in text
    without = Decimal(f"{float(job['with_job']):.2f}") + Decimal(job["charge"])
    assert f"the best without it {without:,f} SU" in text
    assert lost
    for row in lost:
        assert f"job {row['loser_id']} " in text
    assert sum(float(row["loss"]) for row in lost) == pytest.approx(float(job["charge"]), abs=0.01)
    line = (run.parent / "commitments.csv").read_text().splitlines()[-1].split(",")[-1]
    assert (
        "Recomputed from the workload, the schedule and the bill's evidence:"
        " identical to the last decimal."
        f" Utility functions are those committed to; commitments.csv ends in {line[:16]}..."
        f" How to check: charges.csv, line {int(job['job_id']) + 1}; evidence.csv, where row is"
    ) in text


@pytest.mark.parametrize(("options", "hours"), [("", "requested"), (",settle=end", "held")])
def test_the_reserve_is_told(command: Command, run: Path, options: str, hours: str) -> None:
    answer = command("bill", run, "--mechanism", f"vcg:reserve=0.25{options}")
    job = dearest(run)
    whole = sum(float(row["reserve_charge"]) for row in rows(run / "charges.csv"))

    text = said(command("explain-charge", run, job["job_id"]).out)

    assert ": what others lose by its start, the reserve for later submissions." in text
    assert (
        f"In addition, it pays a reserve of {float(job['reserve_charge']):,.2f} SU for later"
        " arrivals:"
        f" 0.2500 SU for each processor-hour {hours}."
    ) in text
    assert "identical to the last decimal." in text
    assert (
        f"{whole:,.2f} SU of the charges are for later submissions, at 0.2500 SU per"
        " processor-hour."
    ) in said(answer.out)


def test_a_job_that_pays_nothing_is_told_why(command: Command, run: Path) -> None:
    command("bill", run, *VCG)
    free = next(row for row in rows(run / "charges.csv") if float(row["charge"]) == 0)

    text = said(command("explain-charge", run, free["job_id"]).out)

    assert f"queue {free['queue']}, is {free['reason']}." in text
    assert free["reason"].startswith("not charged: ")


def test_a_start_outside_the_calendar_leaves_seconds_of_the_log(
    command: Command, market: Path, tmp_path: Path
) -> None:
    log = tmp_path / "late.swf"
    begun = re.sub(r"UnixStartTime: \d+", "UnixStartTime: 954547200000000", market.read_text())
    log.write_text(begun)
    command("simulate", log, "--out", tmp_path / "late")
    run = tmp_path / "late" / "easy"
    command("bill", run)

    answer = command("explain-charge", run, dearest(run)["job_id"])

    assert "954547200000000" in begun
    assert answer.code == 0
    assert re.search(r"It requested .* at second [\d,]+ of the log\.", said(answer.out))


@pytest.mark.parametrize(
    ("mechanism", "told"),
    [
        ("first-price:reading=end", "SU under first-price:reading=end: what it was worth."),
        ("single-price:rate=2", "processor-hours at 2 SU each come to"),
        ("second-price", "took part in the round in which it started;"),
        ("vcg:method=replay", "One seed: the standard error is not known."),
        (
            "vcg:literal=true",
            "from its submission on, and without later arrivals once it had ended, for",
        ),
        ("vcg:settle=end", "and runs for as long as it did, was worth"),
        ("vcg:reservations=true", "The best plan found in which it starts"),
    ],
)
def test_every_mechanism_is_told(
    command: Command, short_run: Path, mechanism: str, told: str
) -> None:
    processes = ("--processes", 1) if "replay" in mechanism or "literal" in mechanism else ()
    command("bill", short_run, "--mechanism", mechanism, *processes)

    answer = command("explain-charge", short_run, dearest(short_run)["job_id"])

    assert told in said(answer.out)
    assert "identical to the last decimal" in said(answer.out)


def test_a_cap_is_told(command: Command, run: Path) -> None:
    command("bill", run, "--mechanism", "single-price:rate=1000", "--cap")
    job = dearest(run)

    text = said(command("explain-charge", run, job["job_id"]).out)

    uncut = 1000 * float(job["processor_hours"])
    assert f"Uncut, the charge would be {uncut:,.2f} SU, more than the job was worth." in text


def test_a_job_that_is_let_off_by_status(command: Command, run: Path) -> None:
    command("bill", run, "--exclude-status", 1)

    answer = command("explain-charge", run, 5, "--json")

    document = json.loads(answer.out)
    assert (document["charge"], document["utility"]) == ("0", None)
    assert document["reason"] == "not charged: jobs of status 1 are exempt"


def test_json_has_losers_and_verdict(command: Command, run: Path) -> None:
    command("bill", run, *VCG)
    job = dearest(run)

    document = json.loads(command("explain-charge", run, job["job_id"], "--json").out)

    assert document["charge"] == job["charge"]
    assert sum(loser["loss"] for loser in document["losers"]) == pytest.approx(
        float(job["charge"]), abs=0.01
    )
    assert (document["verified"], document["faults"]) == (True, [])
    assert (document["with_job"], document["without_job"]) == (
        float(job["with_job"]),
        float(job["without_job"]),
    )


DRAWN = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
"""Beginnings of pictures by their suffixes."""


def test_a_picture_is_drawn_in_every_format(command: Command, run: Path) -> None:
    command("bill", run, *VCG)
    job = dearest(run)

    for suffix, begin in DRAWN.items():
        drawn = run / f"graph.{suffix}"
        answer = command("explain-charge", run, job["job_id"], "--draw", drawn)
        assert answer.err == f"wrote {drawn}\n"
        assert drawn.read_bytes().startswith(begin)

    page = (run / "graph.html").read_text("utf-8")
    assert f"{float(job['charge']):,.2f} SU under vcg" in page
    assert page.count("vegaEmbed(figure") == 1
    assert "identical to the last decimal" in page


@pytest.mark.parametrize("options", [(), ("--again",)])
def test_a_forged_charge_is_found_out(
    command: Command, run: Path, options: tuple[str, ...]
) -> None:
    command("bill", run, *VCG)
    job = dearest(run)
    forged = str(Decimal(job["charge"]) - 1)
    path = run / "charges.csv"
    path.write_text(path.read_text("utf-8").replace(job["charge"], forged), "utf-8")

    answer = command("explain-charge", run, job["job_id"], *options)

    assert answer.code == 2
    said_so = f"job {job['job_id']}: field charge says {forged}, its evidence {job['charge']}"
    assert said_so in said(answer.out)
    assert answer.err == (
        f"error: {run}: the charge of job {job['job_id']} does not follow from its evidence;"
        " bill again\n"
    )
    other = next(row for row in rows(path) if row["job_id"] != job["job_id"])
    honest = command("explain-charge", run, other["job_id"], *options)
    assert honest.code == 0
    assert "but 1 cell of other jobs does not follow from them." in said(honest.out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((999,), r"{run}: no job has the number 999; numbers go from 1 to 60"),
        ((1, "--draw", "graph.bmp"), "graph.bmp: no graph can be drawn as .bmp; name it .svg"),
        (("one",), "{run}: no job has the number one; numbers go from 1 to 60"),
    ],
)
def test_refusals(command: Command, run: Path, arguments: tuple[object, ...], message: str) -> None:
    command("bill", run)

    answer = command("explain-charge", run, *arguments)

    refused(answer, message.format(run=run))


def test_a_picture_of_nobody_is_refused(command: Command, run: Path) -> None:
    command("bill", run)

    answer = command("explain-charge", run, 1, "--draw", run / "graph.svg")

    refused(answer, "job 1 cost no other job anything")
    assert not (run / "graph.svg").exists()


def test_a_run_without_a_bill_or_a_bill_without_evidence(command: Command, run: Path) -> None:
    without = command("explain-charge", run, 1)
    command("bill", run, *VCG)
    (run / "evidence.csv").unlink()
    lost = command("explain-charge", run, 1)

    assert (without.code, lost.code) == (2, 2)
    assert without.err == (f"error: {run}: holds no bill; make one with: utilitysched bill {run}\n")
    assert lost.err == (
        f"error: {run}/evidence.csv: is missing: the bill has no evidence; bill again\n"
    )


def test_each_start_of_a_job_that_was_stopped_is_told(command: Command, tmp_path: Path) -> None:
    """On one processor the second job preempts the first, from 10 s to 20 s."""
    jobs = Workload.from_columns(
        header=Header((" MaxProcs: 1",)),
        submit=[0, 10],
        run=[100, 10],
        requested_time=[100, 10],
        processors=[1, 1],
        user=[1, 2],
        queue=[0, 0],
        checkpoint_interval=[1, -1],
        restart_overhead=[0, -1],
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 200], [100, 0]), UtilityFunction([0, 20], [1000, 0])]
        ),
    )
    swfx.write(jobs, tmp_path / "jobs.swfx")
    preempting = ("--scheduler", "ga:preempt=true,lost=0", "--out", tmp_path / "runs")
    command("simulate", tmp_path / "jobs.swfx", *preempting)
    run = next(path for path in (tmp_path / "runs").iterdir() if path.is_dir())
    command("bill", run, *VCG)

    preempted, preemptor = (said(command("explain-charge", run, number).out) for number in (1, 2))

    assert (
        "It started 2 times, and is charged for each by what the best plans found were worth to the"
        " others in the queue, and those that ran and could be preempted, with it and without it."
        " At second 0 of the log, for 10 s until it was stopped: no other job was queued. At second"
        " 20 of the log, for as long as requested: no other job was queued."
    ) in preempted
    assert "Job 2 of user 2, queue 0, is charged 5.00 SU under vcg:" in preemptor
    assert (
        "When it started, 1 other job was queued, or ran and could be preempted. The best plan"
        " found in which it starts, and runs for as long as requested, was worth 90.00 SU to"
        " others, the best without it 95.00 SU."
    ) in preemptor
    for text in (preempted, preemptor):
        assert "identical to the last decimal." in text


@pytest.mark.parametrize(
    "mechanism", ["first-price:reading=scheduler", "second-price:reading=scheduler"]
)
def test_what_the_scheduler_read_is_told_and_computed_again(
    mechanism: str, command: Command, run: Path
) -> None:
    command("bill", run, "--mechanism", mechanism)
    job = dearest(run)

    answer = command("explain-charge", run, job["job_id"])
    asked = command("explain-charge", run, job["job_id"], "--again")

    assert (answer.code, asked.code) == (0, 0)
    text = said(answer.out)
    assert "identical to the last decimal." in text
    if mechanism.startswith("first-price"):
        assert f"by what it was worth then: {float(job['charge']):,.2f} SU." in text
