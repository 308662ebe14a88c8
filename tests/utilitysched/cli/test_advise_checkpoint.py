"""`utilitysched advise-checkpoint`: one job, or a workload."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import swfx
from checkpoint.advice import Costs, Stops, advise
from swfx import Workload
from tests.utilitysched.cli.conftest import Command, refused

DAY = 86_400.0
ONE = ("advise-checkpoint", "--mtbf", "64d", "--nodes", 64, "--cost", 60, "--run", "24h")

JOBS = Workload.from_columns(
    submit=[0, 1, 2],
    run=[DAY, DAY, 600],
    processors=[4, 4, 4],
    queue=[1, 2, 2],
    user=[7, 8, 8],
    checkpoint_interval=[300, -1, 300],
    restart_overhead=[30, -1, 30],
)


@pytest.fixture
def checkpointed(tmp_path: Path) -> Path:
    """A log of three jobs."""
    path = tmp_path / "log.swfx"
    swfx.write(JOBS.replace(header=JOBS.header.with_value("MaxProcs", 8)), path)
    return path


def test_one_job(command: Command) -> None:
    lines = command(*ONE).out.splitlines()

    assert lines[0].startswith("Write a checkpoint every 53 min: the run takes 3.8% longer than")
    assert lines[1] == (
        "24 h of work; stopped every 24 h on average; a checkpoint takes 60 s, a restart 60 s."
    )
    cells = {line[:14].strip(): line[14:].split() for line in lines[5:]}
    assert cells["none"] == ["0", "41.27", "71.9", "65.6", "1.72"]
    assert cells["best"] == ["3,200", "26", "24.92", "3.8", "0", "1.04"]
    assert cells["Daly"][:2] == ["3,180", "27"]
    assert cells["Young"][:2] == ["3,220", "26"]
    assert cells["half as long"][:2] == ["1,600", "53"]
    assert cells["twice as long"][:2] == ["6,400", "13"]


def test_one_job_for_machines(command: Command) -> None:
    found = json.loads(command(*ONE, "--restart", "2/processor", "--json").out)

    assert (found["mtbf"], found["restart"]) == (pytest.approx(DAY), 128)
    by_name = {row["interval"]: row for row in found["intervals"]}
    assert by_name["none"]["seconds"] is None
    assert by_name["best"]["above_best"] == 0
    assert all(row["above_best"] >= 0 for row in found["intervals"])


def test_a_short_job_is_told_to_take_none(command: Command) -> None:
    answer = command("advise-checkpoint", "--mtbf", "5y", "--nodes", 1, "--cost", 60, "--run", "1h")

    assert "best: no checkpoints; half and twice are of Daly's interval\n" in answer.out


def test_a_workload(command: Command, checkpointed: Path) -> None:
    answer = command("advise-checkpoint", checkpointed, "--mtbf", "4d", "--cost", "60")

    lines = answer.out.splitlines()
    assert answer.code == 0
    assert lines[0].startswith("Checkpoints, restarts and work done again take 46.0% of the work")
    assert lines[3] == "Stops: one failure per node every 96 h."
    assert lines[9].split()[:5] == ["all", "jobs", "3", "193", "300"]
    assert "2 of 3 jobs" not in answer.out
    assert "1 of 3 jobs should take no checkpoints at all." in answer.out
    assert any(line.startswith("queue") for line in lines)
    assert any(line.startswith("user") for line in lines)


def test_a_workload_for_machines(command: Command, checkpointed: Path) -> None:
    answer = command(
        "advise-checkpoint",
        checkpointed,
        "--mtbf",
        "4d",
        "--per",
        4,
        "--preemptions",
        "1d",
        "--json",
    )

    found = json.loads(answer.out)
    between = Stops(4 * DAY, 4, preemptions=DAY).between(np.array([4, 4, 4]))
    advice = advise(JOBS, between, Costs())
    assert found["all"] == json.loads(json.dumps(advice.hours()._asdict()))
    assert found["should_take_none"] == 1
    assert set(found["user"]) == {"7", "8"}
    assert sum(part["jobs"] for part in found["verdicts"].values()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--mtbf", "5y"), "give a WORKLOAD, or --nodes and --run of one job"),
        (("--mtbf", "5y", "--nodes", 1, "--run", "0"), "'0' is not a run time from 1 s"),
        (("--nodes", 1, "--run", "1h"), "--mtbf: nothing stops any job; give --mtbf 5y"),
        (("sample:", "--mtbf", "5y", "--run", "1h"), "--nodes and --run are of one job"),
    ],
)
def test_refusals(command: Command, arguments: tuple[object, ...], message: str) -> None:
    answer = command("advise-checkpoint", *arguments)

    refused(answer, message)


def test_users_and_queues_have_their_names(command: Command, tmp_path: Path) -> None:
    lines = (" MaxProcs: 8", " User: 7 ann", " QueueMeans: qos", " QOS: 2 night")
    swfx.write(JOBS.replace(header=swfx.Header(lines)), path := tmp_path / "named.swfx")

    answer = command("advise-checkpoint", path, "--mtbf", "64d")
    found = json.loads(command("advise-checkpoint", path, "--mtbf", "64d", "--json").out)

    assert {"ann", "8", "night"} <= {line.partition(" ")[0] for line in answer.out.splitlines()}
    assert (list(found["qos"]), list(found["user"])) == (["1", "night"], ["8", "ann"])


def test_pages_say_first_what_to_do(command: Command, checkpointed: Path, tmp_path: Path) -> None:
    one, log = tmp_path / "one.html", tmp_path / "log.html"

    command(*ONE, "--page", one)
    command("advise-checkpoint", checkpointed, "--mtbf", "64d", "--cost", 60, "--page", log)

    assert (
        "<li>Write a checkpoint every 53 min: the run takes 3.8% longer than its work, without "
        "checkpoints 71.9%.</li>"
    ) in one.read_text("utf-8")
    text = log.read_text("utf-8")
    assert " of 3 jobs should take no checkpoints at all.</li>" in text
    assert ">By queue</h2>" in text
    assert ">By user</h2>" in text
