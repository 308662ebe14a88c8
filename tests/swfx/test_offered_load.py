from __future__ import annotations

import math
from pathlib import Path

import pytest

from swfx import Header, InputError, Workload, read
from swfx.offered_load import load_over, offered_load, processor_seconds

LOG = Workload.from_columns(
    submit=[100, 0, 50], run=[10, 20, -1], processors=[2, 4, 8], header=Header((" MaxProcs: 8",))
)


def test_load_of_three_jobs() -> None:
    assert offered_load(LOG) == (2 * 10 + 4 * 20) / (8 * 100)


def test_run_times_end_at_the_request() -> None:
    log = LOG.replace(requested_time=[4, 30, 30])

    assert offered_load(log) == (2 * 4 + 4 * 20) / (8 * 100)
    assert processor_seconds(log).tolist() == [8, 80, 0]


@pytest.mark.parametrize(
    ("name", "load"),
    [("KTH-SP2-1996-2.1-cln", 0.701), ("SDSC-DS-2004-2.1-cln", 0.671), ("LCG", 0.064)],
)
def test_loads_of_the_traces_page(traces: Path, name: str, load: float) -> None:
    workload = read(traces / f"{name}.swf.gz").workload
    as_logged = workload.replace(requested_time=workload.run)

    assert offered_load(as_logged) == pytest.approx(load, abs=5e-4)


@pytest.mark.parametrize(("size", "span"), [(None, 9), (8, 0), (8, -math.inf), (8, math.nan)])
def test_no_load_over_no_machine_or_time(size: int | None, span: float) -> None:
    assert load_over(4, size, span) is None


def test_loads_that_are_none() -> None:
    with pytest.raises(InputError, match="field MaxProcs: the load of a machine of unknown size"):
        offered_load(LOG.replace(header=Header()))
    with pytest.raises(InputError, match="field submit: jobs that are all submitted at once"):
        offered_load(LOG[:1])
