"""Jobs that are eligible later than submitted: what commands say, simulate, show and charge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, rows

LISTING = """\
JobID|User|Account|Submit|Eligible|Start|End|State|AllocCPUS|Timelimit|SubmitLine|Comment
1|ann|phys|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:10|2026-01-01T02:00:10\
|COMPLETED|4|1-00:00:00|sbatch a.sh|
2|ann|phys|2026-01-01T00:00:05|2026-01-01T02:00:10|2026-01-01T02:01:10|2026-01-01T03:01:10\
|COMPLETED|4|02:00:00|sbatch --dependency=afterok:1 b.sh|
3|bob|bio|2026-01-01T00:00:05|2026-01-01T20:00:00|2026-01-01T20:01:00|2026-01-01T21:01:00\
|COMPLETED|4|02:00:00|sbatch --begin=20:00 c.sh|{"utility": [[0, 100], [100000, 0]]}
"""
NOTE = (
    "2 jobs are submitted when eligible (begin times, holds, dependencies, array limits), up to"
    " 20 h after submission; the transformation submit-at:time=submission keeps the log's times"
)


@pytest.fixture
def listing(tmp_path: Path) -> str:
    path = tmp_path / "sacct.txt"
    path.write_text(LISTING)
    return f"slurm:{path}"


def simulated(command: Command, listing: str, out: Path, *options: str) -> tuple[list[str], str]:
    answer = command("simulate", listing, "--machine-size", 8, "--out", out, *options)
    assert answer.code == 0, answer.err
    return answer.err.splitlines(), answer.out


def test_simulations_submit_when_eligible_and_say_so(
    command: Command, listing: str, tmp_path: Path
) -> None:
    said, shown = simulated(command, listing, tmp_path, "-s", "recorded", "-s", "easy")

    assert NOTE in said
    assert "wait from submission (s)" in shown
    jobs = rows(tmp_path / "easy" / "jobs.csv")
    assert [job["submission_time"] for job in jobs] == ["0", "7210", "72000"]
    assert [job["starting_time"] for job in jobs] == ["0", "7210", "72000"]
    assert [job["logged_submission_time"] for job in jobs] == ["0", "5", "5"]
    recorded = json.loads((tmp_path / "recorded" / "summary.json").read_text())
    assert (recorded["wait_p100"], recorded["submission_wait_p100"]) == (60, 72_055)
    # its curve began when it could start
    assert float(jobs[2]["utility"]) == pytest.approx(100 - 3.6)


def test_the_log_s_submissions_can_be_kept(command: Command, listing: str, tmp_path: Path) -> None:
    said, shown = simulated(command, listing, tmp_path, "--apply", "submit-at:time=submission")

    assert NOTE not in said
    assert "wait from submission" not in shown
    jobs = rows(tmp_path / "easy" / "jobs.csv")
    assert [job["submission_time"] for job in jobs] == ["0", "5", "5"]


def test_dependencies_that_are_simulated_hold_nobody_twice(
    command: Command, listing: str, tmp_path: Path
) -> None:
    said, _ = simulated(command, listing, tmp_path, "--dependencies")

    assert NOTE.replace("2 jobs are", "1 job is") in said
    jobs = rows(tmp_path / "easy" / "jobs.csv")
    assert [job["submission_time"] for job in jobs] == ["0", "7200", "72000"]
    assert [job["logged_submission_time"] for job in jobs] == ["0", "5", "5"]
    assert command("bill", tmp_path / "easy").code == 0


def test_runs_are_billed_quoted_and_explained(
    command: Command, listing: str, tmp_path: Path
) -> None:
    simulated(command, listing, tmp_path, "--utilities", "none")
    run = tmp_path / "easy"

    assert command("bill", run, "--mechanism", "vcg:method=replay,horizon=24h").code == 0
    assert command("explain-charge", run, "3").code == 0
    out = tmp_path / "snapshot.json"
    assert command("decision", "snapshot", run, "--at", "72000", "--out", out).code == 0


@pytest.mark.parametrize("written", [False, True])
def test_what_happened_is_charged_from_submission(
    command: Command, listing: str, tmp_path: Path, written: bool
) -> None:
    options = ["--out", tmp_path / "bill"] if written else ["--json"]

    answer = command("bill", listing, "--mechanism", "first-price:reading=end", *options)

    assert answer.code == 0, answer.err
    paid = 24.34  # 100 - (72,055 + 3,600) / 1,000, half to even
    if written:
        charges = rows(tmp_path / "bill" / "recorded" / "charges.csv")
        assert float(charges[2]["charge"]) == paid
        explained = command("explain-charge", tmp_path / "bill" / "recorded", 3).out
        assert (
            "It could not start for 20 h (a begin time, hold, dependency or array limit),"
            " waited 1 min and ran for 1 h"
        ) in " ".join(explained.split())
    else:
        assert float(json.loads(answer.out)["total"]) == paid


def test_both_waits_are_described_and_noted(command: Command, listing: str) -> None:
    described = json.loads(command("describe", listing, "--json").out)
    quantiles = {row["figure"]: row for row in described["quantiles"]}

    assert quantiles["wait in the log (s)"]["most"] == 72_055
    assert quantiles["wait from eligibility (s)"]["most"] == 60
    notes = json.loads(command("check", listing, "--json").out)["notes"]
    assert (
        "2 jobs were held (begin times, holds, dependencies, array limits): mean wait 11 h 1 min"
        " from submission, 1 min from eligibility"
    ) in notes


def test_a_converted_log_can_be_that_of_a_simulation(
    command: Command, listing: str, tmp_path: Path
) -> None:
    path = tmp_path / "moved.swfx"
    assert command("convert", listing, "--out", path, "--apply", "submit-at").code == 0

    described = json.loads(command("describe", path, "--json").out)
    quantiles = {row["figure"]: row for row in described["quantiles"]}
    assert quantiles["wait in the log (s)"]["most"] == 72_055
    assert quantiles["wait from eligibility (s)"]["most"] == 60


def test_comparisons_say_so_unless_the_log_s_submissions_are_kept(
    command: Command, listing: str
) -> None:
    words = ("compare", "easy", "fcfs", "-w", listing, "--machine-size", 8, "--processes", 1)

    answer, kept = command(*words), command(*words, "--apply", "submit-at:time=submission")

    assert (answer.code, kept.code) == (0, 0), answer.err
    said = "jobs are submitted when eligible (begin times, holds, dependencies, array limits);"
    assert said in answer.err
    assert said not in kept.err


def test_audits_say_so(command: Command, listing: str, tmp_path: Path) -> None:
    out = tmp_path / "audit"

    answer = command(
        "audit",
        listing,
        "--machine-size",
        8,
        "--sample",
        2,
        "--lie",
        "cliff",
        "--draws",
        1,
        "-m",
        "first-price",
        "-s",
        "easy",
        "--out",
        out,
        "--processes",
        1,
    )

    assert NOTE in answer.err.splitlines(), answer.err
