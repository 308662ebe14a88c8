from __future__ import annotations

from pathlib import Path

import swfx
from swfx import Workload
from swfx.families.exporters import EXPORTERS, export
from swfx.reading.sources import open_workload
from tests.swfx.families.exporters.jobs import awkward_jobs


def test_everything_reads_back(tmp_path: Path) -> None:
    market = open_workload("sample:market", jobs=slice(0, 100)).workload

    assert export(market, tmp_path / "out.swfx.gz") == ()
    assert swfx.read(tmp_path / "out.swfx.gz").workload == market


def test_the_extension_is_a_comment_to_other_readers() -> None:
    data, notes = EXPORTERS.make("swfx").format(awkward_jobs())

    assert notes == ()
    assert data.decode().splitlines()[-3:] == [
        "1 0 3 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1 ; 900 -1 2 0 9 60.5 0",
        "1 5 -1 0 -1 -1 -1 8 -1 -1 0 2 -1 -1 -1 -1 -1 -1 ; -1 -1 0",
        "3 6.25 0 1.5 2 -1 -1 4 0 -1 5 -1 -1 -1 -1 -1 -1 -1 ; -1 -1 0",
    ]


def test_plain_jobs_have_no_comment() -> None:
    job = Workload.from_columns(submit=[0], run=[9], processors=[4])

    assert b";" not in EXPORTERS.make("swfx").format(job).data
