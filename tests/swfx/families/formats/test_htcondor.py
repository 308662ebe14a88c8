"""Importer of HTCondor: what becomes of each kind of ClassAd."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pricing.states import states_of
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from tests.swfx.families.formats.test_golden import FOLDER

LOGS = {log.stem: log for log in sorted((FOLDER / "htcondor").glob("*.txt"))}


def read(log: Path) -> Imported:
    return import_log(IMPORTERS.make("htcondor"), log)


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
