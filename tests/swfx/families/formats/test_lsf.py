from __future__ import annotations

from pathlib import Path

import pytest

from swfx.families.formats.lsf import Lsf

JOB = (Path(__file__).parent / "lsf" / "small.txt").read_text().splitlines()[0]
SUBMITTED = 1_709_802_000


@pytest.mark.parametrize(("begin", "seconds"), [(0, -1), (30, 30), (-30, 0)])
def test_a_begin_time_is_when_the_job_becomes_eligible(begin: int, seconds: float) -> None:
    told = SUBMITTED + begin if begin else 0
    line = JOB.replace(f" {SUBMITTED} 0 0 ", f" {SUBMITTED} {told} 0 ")

    log = Lsf().read(line.encode(), "log").workload

    assert log.eligible.tolist() == [seconds]
    assert log.wait.tolist() == [60]
