"""Importer of HTCondor: what becomes of each kind of ClassAd."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pricing.states import states_of
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from tests.swfx.families.formats.golden import FOLDER, told

LOGS = {log.stem: log for log in sorted((FOLDER / "htcondor").glob("*.txt"))}


def read(log: Path) -> Imported:
    return import_log(IMPORTERS.make("htcondor"), log)


@pytest.mark.parametrize("name", LOGS)
def test_golden(name: str) -> None:
    golden = LOGS[name].with_suffix(".golden").read_text("utf-8")

    assert told(golden.partition("\n")[0], LOGS[name]) == golden


def test_every_ad_is_accounted_for() -> None:
    report = read(LOGS["history"]).report

    assert report.lines_accounted()
    assert (report.job_lines, report.kept) == (12, 5)
    assert {rule: len(report.lines_of(rule)) for rule in report.counts()} == {
        "renumbered": 1,
        "restarted": 1,
        "never-started": 2,
        "submit-machine": 1,
        "still-running": 1,
        "still-waiting": 1,
        "not-a-job": 1,
        "not-a-number": 1,
        "unreadable-field": 1,
        "start-before-submission": 1,
    }


def test_the_last_run_counts_and_not_the_time_until_the_job_was_removed() -> None:
    jobs = read(LOGS["history"]).workload
    removed = jobs.job_id.tolist().index(42)

    assert (jobs.wait[removed], jobs.run[removed], jobs.status[removed]) == (500, 300, 5)
    assert jobs.requested_time[removed] == 7200


@pytest.mark.parametrize(
    ("attributes", "state"),
    [
        ("JobStatus = 4\nExitCode = 0", "COMPLETED"),
        ("JobStatus = 4\nExitCode = 2", "FAILED"),
        ("JobStatus = 4\nExitBySignal = true", "FAILED"),
        ('JobStatus = 3\nRemoveReason = "via condor_rm (by user ann)"', "CANCELLED by user"),
        ('JobStatus = 3\nRemoveReason = "via condor_rm (by user adm)"', "CANCELLED by another"),
        ('JobStatus = 3\nRemoveReason = "PeriodicRemove became true"', "CANCELLED"),
        ("JobStatus = 3\nHoldReasonCode = 46", "TIMEOUT"),
        ("JobStatus = 3\nHoldReasonCode = 34", "OUT_OF_MEMORY"),
    ],
)
def test_the_end_of_a_job_is_its_state(attributes: str, state: str) -> None:
    times = "QDate = 10\nJobCurrentStartDate = 20\nCompletionDate = 50\nRemoteWallClockTime = 30.0"
    ad = f'ClusterId = 1\nOwner = "ann"\n{times}\n{attributes}\n'
    jobs = IMPORTERS.make("htcondor").read(ad.encode(), "log").workload

    assert states_of(jobs) == [state]


def test_expressions_are_unknown() -> None:
    jobs = read(LOGS["long"]).workload

    assert jobs.requested_memory.tolist() == [2048 * 1024, -1, 2048 * 1024]
    assert jobs.processors.tolist() == [1, 8, 1]


@pytest.mark.parametrize("name", ["json", "lines"])
def test_json_says_the_same(name: str) -> None:
    assert read(LOGS[name]).workload == read(LOGS["long"]).workload


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing of this kind\n", "holds no ClassAds; give what condor_history -long prints"),
        ("[1, 2", "is no JSON; give what condor_history -json prints"),
        ("[]", "holds no ClassAds"),
    ],
)
def test_another_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        IMPORTERS.make("htcondor").read(text.encode(), "log")


def test_what_is_undefined_is_not_there_and_strings_escape_quotes_alone() -> None:
    ad = LOGS["long"].read_text("utf-8").split("\n\n")[2]
    values = {"AcctGroup": "undefined", "AccountingGroup": '"a\\b.alice"', "Owner": '"al \\"x\\""'}
    for name, value in values.items():
        ad = re.sub(f"(?m)^{name} = .*", lambda _, n=name, v=value: f"{n} = {v}", ad)

    header = IMPORTERS.make("htcondor").read(ad.encode(), "log").workload.header

    assert header.all("Account") == ("1 a\\b",)
    assert header.names("User") == {1: 'al "x"'}


def test_null_in_json_is_unknown() -> None:
    text = (
        LOGS["lines"]
        .read_text("utf-8")
        .replace('"AcctGroup": "group_physics"', '"AcctGroup": null')
    )

    jobs = IMPORTERS.make("htcondor").read(text.encode(), "log").workload

    assert jobs.header.all("Account") == ("1 group_physics", "2 group_chem.deep")


def test_gpus_are_those_provided_else_requested() -> None:
    gpus = iter(("RequestGPUs = 2\nGPUsProvisioned = 1\n", "RequestGPUs = 4\n", ""))
    text = re.sub("(?m)^ClusterId", lambda _: f"{next(gpus)}ClusterId", LOGS["long"].read_text())

    jobs = IMPORTERS.make("htcondor").read(text.encode(), "log").workload

    assert sorted(jobs.extra["tres/gres/gpu"].tolist()) == [-1, 1, 4]
