"""Commands know jobs by the names of their users, and say these names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from swfx.families.generators import attach_utilities
from swfx.job_names import FIRST_INVENTED
from tests.utilitysched.cli.conftest import Command, rows
from tests.utilitysched.small import named_workload, plain_workload


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log in which every job is a task of an array or a run of a requeued job."""
    path = tmp_path_factory.mktemp("named") / "log.swfx"
    swfx.write(attach_utilities(named_workload(), seed=3), path)
    return path


@pytest.fixture
def run(command: Command, log: Path, tmp_path: Path) -> Path:
    out = tmp_path / "runs"
    assert command("simulate", log, "--scheduler", "saf", "--out", out, "-q").code == 0
    assert command("bill", out / "saf", "--mechanism", "vcg", "-q").code == 0
    return out / "saf"


def test_tables_have_numbers_and_names(run: Path) -> None:
    jobs, charges, losses = (
        rows(run / name) for name in ("jobs.csv", "charges.csv", "evidence.csv")
    )
    by_number = {row["job_id"]: row["job"] for row in jobs}

    assert by_number[str(FIRST_INVENTED)] == "100_0"
    assert jobs[-1]["job"] == "49, run 2 of 2"
    assert all(by_number[row["job_id"]] == row["job"] for row in charges)
    assert losses
    for row in losses:
        assert (by_number[row["job_id"]], by_number[row["loser_id"]]) == (row["job"], row["loser"])


def test_a_charge_is_explained_by_name(command: Command, run: Path) -> None:
    losses = rows(run / "evidence.csv")
    name, loser = losses[0]["job"], losses[0]["loser"]

    text = command("explain-charge", run, name)
    document = json.loads(command("explain-charge", run, losses[0]["job_id"], "--json").out)

    assert text.code == 0
    assert f"\nJob {name} of " in text.out
    assert f"job {loser}" in text.out
    assert str(FIRST_INVENTED)[:-3] not in text.out
    assert (document["job"], document["job_id"]) == (name, int(losses[0]["job_id"]))
    assert loser in {row["job"] for row in document["losers"]}
    assert document["verified"] is True


def test_a_name_of_no_job_or_of_several_is_refused(command: Command, run: Path) -> None:
    answers = [command("explain-charge", run, text) for text in ("100_7", "49")]

    assert [answer.code for answer in answers] == [2, 2]
    assert "no job has the number 100_7; did you mean '100_" in answers[0].err
    assert "saf: job 49 is 2 jobs; name one of 49, run 1 of 2; 49, run 2 of 2" in answers[1].err


def test_a_decision_is_explained_by_name(command: Command, run: Path) -> None:
    last = max(rows(run / "jobs.csv"), key=lambda row: float(row["waiting_time"]))["job"]

    text = command("decision", "explain", run, "--job", last)
    document = json.loads(command("decision", "explain", run, "--job", last, "--json").out)

    assert text.code == 0
    assert f"\n{last} " in text.out or f" {last} " in text.out
    assert last in {job["job"] for job in document["jobs"]}
    assert str(FIRST_INVENTED)[:-3] not in text.out


def test_a_snapshot_keeps_names_and_a_bound_shows_them(
    command: Command, run: Path, tmp_path: Path
) -> None:
    queue = tmp_path / "queue.json"
    assert command("decision", "snapshot", run, "--at", 600, "-o", queue, "-q").code == 0

    queued = json.loads(queue.read_text())["queued"]
    answer = command("decision", "bound", queue, "--charges", "--effort", 1)

    assert [job["name"] for job in queued] == [
        f"{100 + place // 3}_{place % 3}"
        for place in (job["id"] - FIRST_INVENTED for job in queued)
    ]
    assert all(f"{job['name']} " in answer.out for job in queued)
    assert str(FIRST_INVENTED)[:-3] not in answer.out


def test_curves_are_drawn_by_name(command: Command, log: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curves.svg"

    assert command("describe", log, "--curves", picture, "--job", "100_1").code == 0
    assert "job 100_1" in picture.read_text()
    refusal = command("describe", log, "--curves", picture, "--job", "100_9").err
    assert "error: no job has the number 100_9; did you mean" in refusal


def test_the_page_of_a_bill_names_jobs(command: Command, run: Path, tmp_path: Path) -> None:
    page = tmp_path / "bill.html"

    assert command("bill", run, "--mechanism", "vcg", "--html", page, "-q").code == 0

    text = page.read_text("utf-8")
    assert "100_0" in text
    assert str(FIRST_INVENTED)[:-3] not in text


def test_a_log_of_plain_numbers_has_no_names(command: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "plain.swfx", tmp_path / "runs"
    swfx.write(attach_utilities(plain_workload(), seed=3), log)

    assert command("simulate", log, "--scheduler", "saf", "--out", out, "-q").code == 0
    assert command("bill", out / "saf", "--mechanism", "vcg", "-q").code == 0

    for name in ("jobs.csv", "charges.csv", "evidence.csv"):
        assert "job" not in rows(out / "saf" / name)[0]
    answer = command("explain-charge", out / "saf", 1, "--json")
    assert "job" not in json.loads(answer.out)
