"""Importer of LSF: what becomes of each kind of record."""

from __future__ import annotations

import pytest

from pricing.states import states_of
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.swfx.families.formats.golden import FOLDER, told

LOG = FOLDER / "lsf" / "small.txt"


def read(text: str) -> Imported:
    return IMPORTERS.make("lsf").read(text.encode(), "log")


@pytest.fixture(scope="module")
def small() -> Imported:
    return read(LOG.read_text("utf-8"))


def test_golden() -> None:
    golden = LOG.with_suffix(".golden").read_text("utf-8")

    assert told(golden.partition("\n")[0], LOG) == golden


def test_every_record_is_accounted_for(small: Imported) -> None:
    report = small.report

    assert report.lines_accounted()
    assert (report.lines, report.comment_lines) == (14, 1)
    assert {rule: report.lines_of(rule).tolist() for rule in report.counts()} == {
        "renumbered": [4],
        "never-started": [6],
        "not-a-job": [7, 8],
        "unreadable-field": [10],
        "not-a-number": [11],
        "too-few-fields": [12, 13],
        "start-before-submission": [14],
    }


def test_slots_are_counted_host_by_host(small: Imported) -> None:
    jobs = small.workload
    wide = jobs.job_id.tolist().index(2)

    assert jobs.processors[wide] == jobs.requested_processors[wide] == 128
    assert (jobs.cpu_time[wide], jobs.memory[wide]) == (3000, 8192)


def test_the_limit_stands_behind_lists_of_any_length(small: Imported) -> None:
    jobs = small.workload
    limits = dict(zip(jobs.job_id.tolist(), jobs.requested_time.tolist(), strict=True))

    assert limits == {1: 7200, 2: 43_200, 3: -1, 4: -1, 7: 60, 11: -1, 12: 7200}


def test_who_ended_a_job_tells_whether_it_was_cancelled(small: Imported) -> None:
    jobs = small.workload
    statuses = dict(zip(jobs.job_id.tolist(), jobs.status.tolist(), strict=True))

    assert statuses == {1: 1, 2: 1, 3: 5, 4: 1, 7: 1, 11: -1, 12: 0}


@pytest.mark.parametrize(
    ("exit_info", "state"),
    [
        (0, "FAILED"),
        (1, "PREEMPTED"),
        (5, "TIMEOUT"),
        (14, "CANCELLED by user"),
        (15, "CANCELLED by another"),
        (16, "OUT_OF_MEMORY"),
        (26, "NODE_FAIL"),
    ],
)
def test_the_reason_of_an_exit_is_the_state(exit_info: int, state: str) -> None:
    exited = LOG.read_text("utf-8").split("\n")[2]
    assert exited.count(' "" 14 "" -1 ') == 1
    log = read(exited.replace(' "" 14 "" -1 ', f' "" {exit_info} "" -1 ')).workload

    assert states_of(log) == [state]


def test_records_that_end_before_the_limit_have_none() -> None:
    record = LOG.read_text("utf-8").split("\n")[0]
    cut = record[: record.index(" 7200 0 1024")]

    assert read(record).workload.requested_time.tolist() == [7200]
    assert read(cut).workload.requested_time.tolist() == [-1]
