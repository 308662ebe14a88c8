"""Importer of LSF: what becomes of each kind of record."""

from __future__ import annotations

import pytest

from pricing.states import states_of
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.swfx.families.formats.test_golden import FOLDER

LOG = FOLDER / "lsf" / "small.txt"


def read(text: str) -> Imported:
    return IMPORTERS.make("lsf").read(text.encode(), "log")


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
