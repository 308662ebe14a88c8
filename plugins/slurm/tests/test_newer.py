"""Recordings of Slurm 25.05.8 beside the repository, and what later versions are known to say."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plugins.slurm.tests.clusters import listed, recorded
from plugins.slurm.tests.test_cli import program
from tests.slurm.newer import newer_listings
from utilitysched_slurm import submission
from utilitysched_slurm.accounting import read_runs
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.preconditions import Caller, preconditions
from utilitysched_slurm.queue import plannable
from utilitysched_slurm.reading import (
    ProcessorPool,
    read_jobs,
    read_nodes,
    read_pool,
)
from utilitysched_slurm.script import ScriptProbe


@pytest.fixture(scope="module")
def newer() -> Path:
    return newer_listings()


def document(path: Path) -> dict[str, Any]:
    with gzip.open(path) as file:
        read: dict[str, Any] = json.load(file)
    return read


def test_the_queue_is_that_of_the_text_listing(newer: Path) -> None:
    jobs = read_jobs(listed(document(newer / "squeue.json.gz")))

    assert len(jobs) == 72
    number = json.loads((newer / "numbers.json").read_text())
    waiting, left = plannable(jobs)
    assert [job.key for job in waiting if not job.array] == [str(number["pend"])]
    held = {job.key for job in jobs if job.waits and job.held}
    assert held == {"17", "45", "51", *(str(number[name]) for name in ("req", "held", "adm"))}
    tasks = [job for job in jobs if job.array == number["arr"]]
    assert Counter(job.holds for job in tasks) == {True: 2, False: 8}
    assert {job.at_once for job in tasks} == {2}
    assert left == {
        "BeginTime": 1, "Dependency": 1, "DependencyNeverSatisfied": 1, "JobArrayTaskLimit": 8,
        "held": 6,
    }  # fmt: skip
    line = re.compile(r"^\d+(?:[_+]\d+)?\|\d+\|\d+\|(\w+)\|", re.MULTILINE)
    states = Counter(line.findall((newer / "squeue.txt").read_text()))
    states["PENDING"] += 1  # the text cuts off the last of the tasks that wait
    assert Counter(min(job.states) for job in jobs) == states


@pytest.mark.parametrize(
    ("partition", "pool"), [("", (16, 4)), ("main", (16, 4)), ("long", (8, 0))]
)
def test_idle_processors_are_those_of_the_text_listing(
    newer: Path, partition: str, pool: tuple[int, int]
) -> None:
    assert read_pool(listed(document(newer / "sinfo.json.gz")), partition) == pool


def test_jobs_that_sbatch_tests(
    newer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    tests = (newer / "sbatch-test-only.txt").read_text().split("$ sbatch ")[1:]
    found: list[tuple[int, str, bool] | str] = []
    for each in tests:
        (tmp_path / "said").write_text(each.partition("stderr:\n")[2])
        [code] = re.findall(r"^rc (\d+)$", each, re.MULTILINE)
        program(tmp_path / "sbatch", f"cat {tmp_path / 'said'} >&2; exit {code}")
        try:
            job = submission.tested(["job.sh"], 0.0, "root")
        except SlurmError as error:
            found.append(str(error))
        else:
            assert (job.limit, job.account) == (5400.0, "physics")
            found.append((job.processors, job.partition, job.rerunnable))

    refused = "sbatch: allocation failure: Requested node configuration is not available"
    assert found == [
        (2, "main", True), (8, "main", True), (2, "long", False), refused, (3, "", True),
        (1, "main", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "told",
    [
        "using 2 processors on nodes n1",
        "a using 2 processors on nodes n1",
        "on cluster lab a using 2 processors on nodes n1",
        "on cluster lab using 2 processors on nodes n1",
    ],
)
def test_processors_of_a_test_are_read_in_every_version(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"sbatch: Job 1 to start at 2026-11-26T20:29:45 {told} in partition main"
    program(tmp_path / "sbatch", f"echo 'sbatch: time : 5' >&2; echo '{line}' >&2")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    job = submission.tested(["job.sh"], 0.0, "root")

    assert (job.processors, job.partition, job.limit) == (2, "main", 300.0)


def test_a_configuration_of_25_05_is_checked(newer: Path) -> None:
    config = (newer / "scontrol-config.txt").read_text()

    found = preconditions(config, Caller("root", "Administrator", 0), 0.0, ScriptProbe())

    assert [each.name for each in found if each.verdict == "FAILED"] == [
        "clock",
        "PreemptType",
        "JobSubmitPlugins",
    ]
    assert found[0].found == "25.05.8"


def test_states_of_later_versions() -> None:
    [job] = read_jobs([recorded("queue")[0] | {"state": "EXPEDITING"}])

    assert (job.waits, job.holds, job.over) == (True, False, False)


@pytest.mark.parametrize("state", ["BLOCKED", "EXTERNAL", "POWER_DOWN_ASAP"])
def test_nodes_that_nobody_may_use_have_no_idle_processors(state: str) -> None:
    rows = recorded("nodes")
    before = read_pool(rows)
    asleep = [row | {"statecomplete": f"idle+{state}".lower()} for row in rows]

    assert read_nodes(asleep) == (ProcessorPool(before.processors, 0), [])


def test_a_run_that_was_resized_is_not_the_last() -> None:
    cells = "14|14|lab|news|physics|main|normal|{}|{}|{}|{}|{}|{}|00:00:00|5|{}|cpu=4"
    times = ["2026-11-26T20:29:45", "2026-11-26T20:29:49", "2026-11-26T20:29:54"]
    lines = [
        cells.format(state, times[at], times[at], times[at], times[at + 1], 4 + at, 8 - 4 * at)
        for at, state in enumerate(("RESIZING", "COMPLETED"))
    ]

    [runs] = read_runs("\n".join(lines)).values()

    assert [(run.over, run.last, run.clear) for run in runs] == [
        (True, False, True),
        (True, True, True),
    ]
