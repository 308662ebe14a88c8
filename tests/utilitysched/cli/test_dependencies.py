"""`utilitysched simulate --dependencies`: what it says, and what it leaves behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from swfx import UtilityFunction, UtilityTable, Workload
from tests.utilitysched.cli.conftest import Command, rows
from utilitysched.runs import JOBS_HEADER


@pytest.fixture
def chained(tmp_path: Path) -> Path:
    """The second job follows the first after 30 s, the third names none that is there."""
    curve = UtilityFunction([0, 100], [50, 0])
    jobs = Workload.from_columns(
        submit=[0, 5, 6],
        run=[20, 10, 10],
        requested_time=[20, 10, 10],
        processors=[2, 2, 1],
        preceding_job=[-1, 1, 9],
        think_time=[-1, 30, 30],
        utility=UtilityTable.from_functions([curve, curve, curve]),
        header=swfx.Header((" MaxProcs: 4",)),
    )
    path = tmp_path / "chained.swfx"
    swfx.write(jobs, path)
    return path


def test_what_is_said(command: Command, chained: Path) -> None:
    answer = command("simulate", chained, "--dependencies")

    assert answer.code == 0
    assert answer.err.splitlines()[:2] == [
        "dependencies: 1 job waits for another to end",
        (
            "dependencies ignored: dangling: no job of the workload has the preceding job's "
            "number: job 3"
        ),
    ]


def test_jobs_have_both_submit_times_and_are_billed_from_the_release(
    command: Command, chained: Path, tmp_path: Path
) -> None:
    command("simulate", chained, "--dependencies", "--out", tmp_path / "runs")
    table = rows(tmp_path / "runs" / "easy" / "jobs.csv")

    assert list(table[0]) == [*JOBS_HEADER, "logged_submission_time"]
    assert [row["logged_submission_time"] for row in table] == ["0", "5", "6"]
    assert [row["submission_time"] for row in table] == ["0", "50", "6"]
    assert [row["waiting_time"] for row in table] == ["0", "0", "0"]
    assert [row["utility"] for row in table] == ["40", "45", "45"]
    assert command("bill", tmp_path / "runs" / "easy").code == 0
    charges = rows(tmp_path / "runs" / "easy" / "charges.csv")
    assert [float(row["charge"]) for row in charges] == [40.0, 45.0, 45.0]


def test_json_lists_what_was_ignored(command: Command, chained: Path) -> None:
    asked = json.loads(command("simulate", chained, "--dependencies", "--json").out)
    not_asked = json.loads(command("simulate", chained, "--json").out)

    assert asked["runs"][0]["dependencies"]["rules"][0]["job_ids"] == [3]
    assert "dependencies" not in not_asked["runs"][0]


@pytest.mark.parametrize("scheduler", ["easy", "conservative", "ga", "priority-preempt"])
def test_what_waits_for_a_job_that_fails_waits_longer(
    command: Command, chained: Path, tmp_path: Path, scheduler: str
) -> None:
    down = ["--failures", "nodes=2,per=2,mtbf=15,repair=5,seed=3", "--preemption", "scratch=true"]

    answer = command(
        "simulate", chained, "-s", scheduler, "--dependencies", *down, "--out", tmp_path / "runs"
    )

    assert answer.code == 0
    path = tmp_path / "runs" / scheduler
    segments, jobs = rows(path / "segments.csv"), rows(path / "jobs.csv")
    assert "failed" in {row["stop"] for row in segments}
    ends = [float(row["finish_time"]) for row in segments if row["job_id"] == "1"]
    assert float(jobs[1]["submission_time"]) == max(ends) + 30
