from __future__ import annotations

from pathlib import Path

import pytest

from swfx import Header, InputError, Workload, read
from swfx.offered_load import offered_load

LOG = Workload.from_columns(
    submit=[100, 0, 50], run=[10, 20, -1], processors=[2, 4, 8], header=Header((" MaxProcs: 8",))
)


def test_load_of_three_jobs() -> None:
    assert offered_load(LOG) == (2 * 10 + 4 * 20) / (8 * 100)


def test_load_as_simulated_ends_jobs_at_their_requests() -> None:
    log = LOG.replace(requested_time=[4, 30, 30])

    assert offered_load(log, as_simulated=True) == (2 * 4 + 4 * 20) / (8 * 100)


@pytest.mark.parametrize(
    ("name", "load"),
    [("KTH-SP2-1996-2.1-cln", 0.701), ("SDSC-DS-2004-2.1-cln", 0.671), ("LCG", 0.064)],
)
def test_loads_of_the_traces_page(traces: Path, name: str, load: float) -> None:
    workload = read(traces / f"{name}.swf.gz").workload

    assert offered_load(workload) == pytest.approx(load, abs=5e-4)


def test_loads_that_are_none() -> None:
    with pytest.raises(InputError, match="field MaxProcs: the load of a machine of unknown size"):
        offered_load(LOG.replace(header=Header()))
    with pytest.raises(InputError, match="field submit: jobs that are all submitted at once"):
        offered_load(LOG[:1])
