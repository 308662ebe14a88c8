"""Importer of Grid Engine: what becomes of each kind of record."""

from __future__ import annotations

from pathlib import Path

import pytest

from pricing.states import states_of
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.swfx.families.formats.golden import FOLDER, told

LOGS = sorted((FOLDER / "sge").glob("*.txt"))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_golden(log: Path) -> None:
    golden = log.with_suffix(".golden").read_text("utf-8")

    assert told(golden.partition("\n")[0], log) == golden


@pytest.fixture(scope="module")
def small() -> Imported:
    return IMPORTERS.make("sge").read((FOLDER / "sge" / "small.txt").read_bytes(), "log")


def test_every_record_is_accounted_for(small: Imported) -> None:
    report = small.report

    assert report.lines_accounted()
    assert (report.lines, report.comment_lines) == (25, 6)
    assert {rule: report.lines_of(rule).tolist() for rule in report.counts()} == {
        "task": [6, 8],
        "never-started": [11, 12],
        "earlier-run": [13, 24],
        "renumbered": [10, 15],
        "task-alone": [16],
        "unreadable-field": [17],
        "not-a-number": [19, 20],
        "too-few-fields": [21],
    }


def test_tasks_of_a_parallel_job_add_to_what_it_used(small: Imported) -> None:
    jobs = small.workload
    parallel = jobs.job_id.tolist().index(2)

    assert jobs.processors[parallel] == jobs.requested_processors[parallel] == 32
    assert jobs.cpu_time[parallel] == (900 + 100 + 600) / 32
    assert jobs.memory[parallel] == 70_000
    assert jobs.requested_memory[parallel] == 1500 * 1000**2 / 1024


def test_times_in_milliseconds_are_seconds(small: Imported) -> None:
    jobs = small.workload
    univa = jobs.job_id.tolist().index(9)

    assert (jobs.submit[univa], jobs.wait[univa], jobs.run[univa]) == (0.5, 1.25, 62.353)
    assert jobs.status[univa] == 5, "the record says who deleted it"


def test_sums_are_those_of_qacct() -> None:
    """What Son of Grid Engine 8.1.9 wrote of 12 jobs, and its qacct says of them by slots."""
    log = IMPORTERS.make("sge").read((FOLDER / "sge" / "qacct.txt").read_bytes(), "log")
    jobs = log.workload

    seconds = {size: jobs.run[jobs.processors == size].sum() for size in (1, 2, 3)}
    assert seconds == {1: 117, 2: 1, 3: 3}
    assert round((jobs.cpu_time * jobs.processors).sum(), 3) == 0.168
    assert log.report.counts("dropped") == {"never-started": 1}


def test_another_group_is_refused() -> None:
    with pytest.raises(InputError, match="group"):
        IMPORTERS.make("sge:group=team")


def record(**cells: object) -> str:
    """A line of accounting of a job that ran for ten minutes."""
    said: dict[str, object] = {
        "host": "n1", "owner": "ann", "number": 1, "end": 1709802660, "failed": 0, "exit": 0,
        "pe": "NONE", "slots": 1, "category": "-l h_rt=600", "task": "NONE", "more": "",
    }  # fmt: skip
    said.update(cells)
    return (
        "q:{host}:staff:{owner}:run:{number}:sge:0:1709802000:1709802060:{end}:{failed}:{exit}:600"
        ":1:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:NONE:dep:{pe}:{slots}:0:1:0:0:{category}:0:{task}:9:0:0"
        "{more}\n"
    ).format(**said)


def read(log: str, options: str = "") -> Imported:
    return IMPORTERS.make(f"sge{options}").read(log.encode(), "log")


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ({}, "COMPLETED"),
        ({"exit": 1}, "FAILED"),
        ({"failed": 100, "exit": 137}, "TIMEOUT"),
        ({"failed": 100, "exit": 137, "end": 1709802659}, "FAILED"),
        ({"failed": 37, "exit": 137}, "TIMEOUT"),
        ({"failed": 8}, "LAUNCH_FAILED"),
        ({"failed": 19}, "NODE_FAIL"),
        ({"failed": 26}, "FAILED"),
        ({"failed": 100, "more": ":NONE:ann@login"}, "CANCELLED by user"),
        ({"failed": 100, "more": ":NONE:root@head"}, "CANCELLED by another"),
    ],
)
def test_what_failed_says_is_the_state(cells: dict[str, object], state: str) -> None:
    jobs = read(record(**cells)).workload

    assert states_of(jobs) == [state]
    assert jobs.status.tolist() == [{"COMPLETED": 1}.get(state, 5 * ("CANCELLED" in state))]


def test_gpus_are_those_that_are_asked_for_by_the_name_that_a_site_has() -> None:
    log = "".join(
        record(number=n, pe="smp", slots=4, category=category)
        for n, category in enumerate(("-l gpu=2,h_rt=9", "-soft -l gpu=1", "-l cuda=1 -pe smp 4"))
    )

    assert read(log).workload.column("tres/gres/gpu").tolist() == [2, 0, 0]
    assert any("as many as -l gpu asks for, of each job" in note for note in read(log).report.notes)
    assert read(log, ":gpu_per=slot").workload.column("tres/gres/gpu").tolist() == [8, 0, 0]
    assert read(log, ":gpu=cuda").workload.column("tres/gres/gpu").tolist() == [0, 0, 1]
    assert "tres/gres/gpu" not in read(log, ":gpu=gpus").workload.extra


def test_nodes_are_known_of_serial_jobs_and_where_each_task_has_a_record() -> None:
    parallel = {"number": 2, "pe": "mpi", "slots": 64}
    log = (
        record()
        + record(**parallel, host="n2", task="1.n2")
        + record(**parallel)
        + record(**parallel, host="n3", task="1.n3")
        + record(number=3, pe="mpi", slots=64)
    )

    assert read(log).workload.column("tres/node").tolist() == [1, 3, -1]
