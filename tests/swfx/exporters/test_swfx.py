from __future__ import annotations

from pathlib import Path

import swfx
from swfx.exporters import export
from swfx.sources import open_workload


def test_everything_reads_back(tmp_path: Path) -> None:
    market = open_workload("sample:market", jobs=slice(0, 100)).workload

    assert export(market, tmp_path / "out.swfx.gz") == ()
    assert swfx.read(tmp_path / "out.swfx.gz").workload == market
