"""Schedules held against their logs: whatever simulate writes passes, and nothing else does."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx import InputError, Workload
from swfx.reading.workload_source import WorkloadSource
from tests.scale import many
from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.cli.conftest import command as command  # noqa: PLC0414 - a fixture
from tests.utilitysched.cli.test_refusals import refused
from tests.utilitysched.engine.test_compiled import simulated as random_simulation
from utilitysched import simulate
from utilitysched.runs.plausibility import require_plausible
from utilitysched.runs.records import SimulationPlan
from utilitysched.runs.simulation import prepare, simulate_all
from utilitysched.runs.stored import StoredRun, read_run
from utilitysched.runs.target import file_digest

KINDS = {
    "easy": {},
    "conservative": {"dependencies": True},
    "ga": {},
    "recorded": {},
    "priority-preempt": {},
    "priority-preempt:preemptions=9": {"preemption": "overhead=7/processor,actual=1.7"},
    "priority-preempt:urgent=2,preemptions=9": {
        "preemption": "on_demand=3.3,actual=2.5,overrun=run",
        "dependencies": True,
    },
    "saf": {
        "failures": "nodes=4,per=2,mtbf=900,repair=50",
        "preemption": "scratch=true,overhead=0.7,actual=1.3",
    },
    "easy:backfill=spf": {
        "failures": "nodes=4,per=2,mtbf=700,repair=50",
        "preemption": "overhead=40,actual=2",
        "dependencies": True,
    },
}


def jobs(seed: int) -> Workload:
    """Jobs of which some are killed, some wait for others, some take checkpoints."""
    random = np.random.default_rng(seed)
    number = 60
    run = random.integers(0, 900, number)
    asked = np.where(random.random(number) < 0.2, run * 0.7, run * random.uniform(1, 3, number))
    before = np.where(random.random(number) < 0.2, np.arange(number) - 3, -1)
    return Workload.from_columns(
        submit=np.sort(random.integers(0, 9000, number)),
        wait=random.integers(0, 300, number),
        run=run,
        processors=random.integers(1, 6, number),
        requested_time=np.maximum(asked.astype(int), 1),
        queue=random.integers(1, 4, number),
        preceding_job=np.maximum(before, -1),
        think_time=np.where(before > 0, 17, -1),
        checkpoint_interval=random.choice([-1, 31, 250], number),
        restart_overhead=random.choice([-1, 5, 60], number),
        header=swfx.Header((" MaxProcs: 8",)),
    )


def simulated(folder: Path, workload: Workload, scheduler: str, **conditions: object) -> Path:
    """Simulate to files, as the command does."""
    folder.mkdir(exist_ok=True)
    swfx.write(workload, folder / "log.swf")
    source = WorkloadSource(str(folder / "log.swf"))
    plan = SimulationPlan(source, [scheduler], out=folder / "runs", **conditions)
    (run,) = simulate_all(plan, prepare(plan, lambda _: None), lambda _: None)
    assert run.directory is not None
    return run.directory


@pytest.mark.parametrize("scheduler", KINDS)
def test_what_is_simulated_is_plausible(tmp_path: Path, scheduler: str) -> None:
    stopped = 0
    for seed in range(many(3)):
        directory = simulated(tmp_path / str(seed), jobs(seed), scheduler, **KINDS[scheduler])
        run = read_run(directory)
        require_plausible(run, directory)
        stopped += 0 if run.segments is None else len(run.segments) - len(run.workload)

    assert bool(stopped) == ("preemption" in KINDS[scheduler] or "preempt" in scheduler)


@pytest.mark.parametrize("seed", range(many(40)))
def test_so_is_any_combination(seed: int, tmp_path: Path) -> None:
    workload, text, options = random_simulation(seed)
    schedule = simulate(workload, text, **options)
    run = StoredRun(
        workload.replace(submit=schedule.submitted(workload)),
        schedule.start,
        schedule.end,
        {"simulation": schedule.provenance},
        schedule.segments,
        logged_submit=workload.submit,
    )

    require_plausible(run, tmp_path)


def forge(directory: Path, name: str, row: int, **cells: float) -> None:
    """Add to cells of a row, and put the digest right."""
    path = directory / name
    with path.open() as file:
        rows = list(csv.DictReader(file))
    for column, more in cells.items():
        rows[row][column] = str(float(rows[row][column]) + more)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    record = json.loads((directory / "run.json").read_text())
    record["files"][name] = file_digest(path)
    (directory / "run.json").write_text(json.dumps(record))


@pytest.mark.parametrize(
    ("scheduler", "cells", "said"),
    [
        ("easy", {"finish_time": 1}, "did not run for as long as the log says"),
        ("easy", {"finish_time": -0.01}, "did not run for as long as the log says"),
        ("easy", {"starting_time": 60, "finish_time": 60, "submission_time": 60}, "another time"),
        ("easy", {"starting_time": -9e5, "finish_time": -9e5}, "started before it was submitted"),
        ("easy", {"finish_time": float("nan")}, "started, but did not end"),
        ("conservative", {"submission_time": -5}, "was submitted at another time"),
        ("recorded", {"starting_time": 1, "finish_time": 1}, "did not start when the log says"),
        ("recorded", {"finish_time": 1}, "did not run for as long as the log says"),
        ("priority-preempt", {"finish_time": 1}, "has segments that begin or end at other times"),
    ],
)
def test_a_forged_job_is_refused(
    tmp_path: Path, scheduler: str, cells: dict[str, float], said: str
) -> None:
    directory = simulated(tmp_path, jobs(0), scheduler, **KINDS[scheduler])
    forge(directory, "jobs.csv", 16, **cells)

    with pytest.raises(InputError, match=rf"csv:\d+: job 17 .*{said}"):
        require_plausible(read_run(directory), directory)


@pytest.mark.parametrize(
    "cells",
    [
        {"finish_time": 1, "work_lost": 1},
        {"finish_time": 1, "overhead": 1},
        {"work_kept": 1, "work_lost": -1},
        {"starting_time": -1},
    ],
)
def test_a_forged_segment_is_refused(tmp_path: Path, cells: dict[str, float]) -> None:
    scheduler = "priority-preempt:preemptions=9"
    directory = simulated(tmp_path, jobs(0), scheduler, **KINDS[scheduler])
    with (directory / "segments.csv").open() as file:
        stops = [row["stop"] for row in csv.DictReader(file)]
    forge(directory, "segments.csv", stops.index("preempted"), **cells)

    with pytest.raises(InputError, match=r"csv:\d+: job \d+ (has|was) "):
        require_plausible(read_run(directory), directory)


def test_a_job_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    workload = jobs(0)
    twice = workload[np.array([*range(20), 16, *range(20, 60)])]
    directory = simulated(tmp_path, twice, "easy")

    with pytest.raises(InputError, match=r"workload.swfx.gz: job 17 occurs twice, the same in ev"):
        require_plausible(read_run(directory), directory)


def test_a_bill_of_a_forged_run_is_not_written(command: Command, tmp_path: Path) -> None:
    directory = simulated(tmp_path, jobs(0), "easy")
    forge(directory, "jobs.csv", 16, finish_time=3600)

    answer = command("bill", directory)

    refused(answer, "jobs.csv:18: job 17 did not run for as long as the log says; simulate again")
    assert not (directory / "charges.csv").exists()


def forged(directory: Path, column: str, values: dict[int, str]) -> None:
    """Change cells of jobs.csv, and the digest of it that run.json holds."""
    path = directory / "jobs.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for place, value in values.items():
        rows[place][column] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    record = json.loads((directory / "run.json").read_text("utf-8"))
    record["files"]["jobs.csv"] = file_digest(path)
    (directory / "run.json").write_text(json.dumps(record), "utf-8")


def test_more_processors_than_the_machine_has_are_neither_billed_nor_explained(
    command: Command, tmp_path: Path
) -> None:
    """Two jobs of 5 processors each on a machine of 8, moved to the same time."""
    workload = Workload.from_columns(
        submit=[0, 0],
        run=[100, 100],
        processors=[5, 5],
        requested_time=[100, 100],
        header=swfx.Header((" MaxProcs: 8",)),
    )
    directory = simulated(tmp_path / "made", workload, "fcfs")
    said = "jobs.csv: has 10 processors in use at 0 s, more than the 8 of the machine"
    bill = ("bill", directory, "--mechanism", "single-price")
    assert command(*bill).code == 0
    assert command("explain-charge", directory, 2).code == 0

    forged(directory, "starting_time", {1: "0"})
    forged(directory, "finish_time", {1: "100"})

    refused(command(*bill, "--quiet"), said, "; simulate again")
    refused(command("explain-charge", directory, 2), said)


def test_what_a_log_says_of_itself_may_have_more_than_the_machine(
    command: Command, tmp_path: Path
) -> None:
    log = tmp_path / "log.swf"
    line = "{} 0 0 9 5 -1 -1 5 9 -1 1 1 1 -1 -1 -1 -1 -1\n".format
    log.write_text(f"; MaxProcs: 8\n{line(1)}{line(2)}")

    billed = command("bill", log, "--mechanism", "single-price", "--out", tmp_path / "bill")

    assert billed.code == 0, billed.err
    assert "up to 10 processors are in use" in billed.err
