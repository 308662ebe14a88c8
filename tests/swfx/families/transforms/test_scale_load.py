from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload, read
from swfx.families.transforms import apply_all
from swfx.offered_load import offered_load
from tests.strategies import workloads

LOG = Workload.from_columns(
    submit=[10, 40, 110],
    run=[10, 0, 1],
    cpu_time=[9, -1, 1],
    processors=[2, 4, 1],
    requested_time=[30, -1, 60],
    header=Header((" MaxProcs: 8",)),
)


def test_arrivals_are_divided_by_the_factor() -> None:
    done = apply_all(LOG, ["scale-load:factor=3"])

    assert done.workload.submit.tolist() == [10, 20, 43]
    assert done.workload.run.tolist() == LOG.run.tolist()
    assert done.notes == ("scale-load:factor=3: offered load 0.02625 -> 0.0795455",)


@pytest.mark.parametrize(("by", "left"), [("arrivals", (" MaxRuntime: 60",)), ("run", ())])
def test_header_lines_that_would_be_untrue_go(by: str, left: tuple[str, ...]) -> None:
    log = LOG.replace(header=Header((" EndTime: then", " MaxRuntime: 60")))

    done = apply_all(log, [f"scale-load:factor=2,by={by}"]).workload

    assert done.header.lines[:-1] == left


def test_run_times_count_up_to_the_request() -> None:
    log = LOG.replace(requested_time=[5, 9, 9])

    done = apply_all(log, ["scale-load:load=0.0275"])

    assert done.workload.submit.tolist() == [10, 25, 60]
    assert done.notes == ("scale-load:load=0.0275: offered load 0.01375 -> 0.0275",)


def test_run_times_and_requests_are_multiplied_alike() -> None:
    done = apply_all(LOG, ["scale-load:factor=0.3,by=run"]).workload

    assert done.submit.tolist() == LOG.submit.tolist()
    assert done.run.tolist() == [3, 0, 1]
    assert done.requested_time.tolist() == [9, -1, 18]
    assert done.cpu_time.tolist() == [3, -1, 1]


@given(workloads(), st.floats(0.01, 5), st.sampled_from(["arrivals", "run"]))
@pytest.mark.slow
def test_a_target_is_met_up_to_half_a_second(log: Workload, load: float, by: str) -> None:
    area = float((log.size * log.effective_run).sum())
    span = float(np.ptp(log.submit))
    assume(area > 0 and span > 0)
    assert log.machine_size is not None
    wanted_span = area / (load * log.machine_size) if by == "arrivals" else span
    assume(wanted_span >= 1)
    if by == "run":
        least = apply_all(log, ["scale-load:factor=1e-15,by=run"]).workload
        assume(load >= offered_load(least))

    met = offered_load(apply_all(log, [f"scale-load:load={load},by={by}"]).workload)

    if by == "arrivals":
        low, high = (area / (log.machine_size * (wanted_span + d)) for d in (0.5, -0.5))
    else:
        slack = float(log.size.sum()) / (log.machine_size * span)  # up to 1 s for the shortest
        low, high = load - slack, load + slack
    assert low * (1 - 1e-9) <= met <= high * (1 + 1e-9)


@given(workloads(), st.floats(0.1, 10))
@pytest.mark.slow
def test_fractions_of_seconds_are_scaled_exactly(log: Workload, factor: float) -> None:
    log = log.replace(submit=log.submit + 0.25)

    done = apply_all(log, [f"scale-load:factor={factor}"]).workload

    first = log.submit.min()
    assert done.submit == pytest.approx(first + (log.submit - first) / factor)
    assert np.argsort(done.submit, kind="stable").tolist() == (
        np.argsort(log.submit, kind="stable").tolist()
    )


@pytest.mark.parametrize(("by", "tolerance"), [("arrivals", 1e-7), ("run", 1e-4)])
def test_datastar_at_a_load_of_085(traces: Path, by: str, tolerance: float) -> None:
    log = read(traces / "SDSC-DS-2004-2.1-cln.swf.gz").workload

    done = apply_all(log, [f"scale-load:load=0.85,by={by}"]).workload

    assert offered_load(done) == pytest.approx(0.85, rel=tolerance)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "scale-load: needs a load or a factor, and not both; write scale-load:load=0.85"),
        (":load=1,factor=2", "needs a load or a factor, and not both"),
        (":load=0", "scale-load: field load: 0 is not above 0"),
        (":factor=-1", "scale-load: field factor: -1 is not above 0"),
        (":factor=x", "scale-load: field factor: 'x' is not a finite number"),
        (":load=1,by=arrival", "field by: 'arrival' is not a choice; did you mean 'arrivals'?"),
    ],
)
def test_unusable_options(options: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        apply_all(LOG, [f"scale-load{options}"])

    assert message in str(error.value)


def test_jobs_that_do_no_work_reach_no_load() -> None:
    with pytest.raises(InputError, match="scale-load:load=1: field run: no job does any work"):
        apply_all(LOG.replace(run=[0, 0, -1]), ["scale-load:load=1"])


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("load=1e9", "give at most 2.625, all submitted within 1 s"),
        ("load=1e-9,by=run", "give at least 0.00375, at 1 s for each run"),
    ],
)
def test_a_target_out_of_reach_is_refused(text: str, remedy: str) -> None:
    with pytest.raises(InputError) as error:
        apply_all(LOG, [f"scale-load:{text}"])

    assert "is out of reach in whole seconds" in str(error.value)
    assert str(error.value).endswith(remedy)
