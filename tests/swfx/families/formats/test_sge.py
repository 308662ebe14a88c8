"""Importer of Grid Engine: what becomes of each kind of record."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_a_job_that_ran_again_has_two_runs(small: Imported) -> None:
    segments = small.segments

    assert segments is not None
    runs = segments.job == 6
    assert segments.start[runs].tolist() == [300, 500]
    assert segments.status[runs].tolist() == [0, 1]


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
