"""Importer of HTCondor: what becomes of each kind of ClassAd."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.imports import import_log
from tests.swfx.families.formats.test_golden import FOLDER

LOGS = {log.stem: log for log in sorted((FOLDER / "htcondor").glob("*.txt"))}


def read(log: Path) -> Imported:
    return import_log(IMPORTERS.make("htcondor"), log)


@pytest.mark.parametrize("name", ["json", "lines"])
def test_json_says_the_same(name: str) -> None:
    assert read(LOGS[name]).workload == read(LOGS["long"]).workload


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nothing of this kind\n",
            "holds no ClassAds; give what condor_history -long or -json",
        ),
        ("[1, 2", "is no JSON: .*; give what condor_history -long or -json"),
        ("[]", "holds no ClassAds"),
    ],
)
def test_another_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        IMPORTERS.make("htcondor").read(text.encode(), "log")


def test_null_in_json_is_unknown() -> None:
    text = (
        LOGS["lines"]
        .read_text("utf-8")
        .replace('"AcctGroup": "group_physics"', '"AcctGroup": null')
    )

    jobs = IMPORTERS.make("htcondor").read(text.encode(), "log").workload

    assert jobs.header.all("Account") == ("1 group_physics", "2 group_chem.deep")
