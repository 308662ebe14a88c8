"""The log's own schedule as a run like any other."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from utilitysched import allocations, simulate
from utilitysched.engine.recorded import occupation


def log(**columns: list[float]) -> Workload:
    """Three jobs, the last of which overtook the second and ran past its limit."""
    return Workload.from_columns(
        **{
            "job_id": [11, 12, 13],
            "submit": [0, 10, 20],
            "wait": [0, 90, 5],
            "run": [100, 50, 70],
            "processors": [4, 4, 2],
            "requested_time": [100, 60, 60],
        }
        | columns
    )


def test_jobs_run_when_the_log_says() -> None:
    jobs = log(submit=[20, 0, 10], wait=[5, 0, 90], run=[70, 100, 50], processors=[2, 4, 4])

    schedule = simulate(jobs, "recorded", machine_size=8)

    assert schedule.start.tolist() == [25, 0, 100]
    assert schedule.end.tolist() == [95, 100, 150]
    assert schedule.backfilled.tolist() == [True, False, False]
    assert (schedule.scheduler, schedule.passes) == ("recorded", 0)
    assert schedule.provenance["recorded"] == {"most": 6, "since": 25, "beyond": 0}


def test_a_log_may_occupy_more_than_the_machine() -> None:
    jobs = log()

    schedule = simulate(jobs, "recorded", machine_size=5)

    assert schedule.provenance["recorded"] == {"most": 6, "since": 25, "beyond": 70}
    assert allocations(jobs, schedule) == ["0-3", "0-3", "4-5"]


@pytest.mark.parametrize("seed", range(20))
def test_the_occupation_is_that_of_counting(seed: int) -> None:
    draw = np.random.default_rng(seed)
    start, size = draw.integers(0, 30, 12).astype(float), draw.integers(1, 5, 12)
    end = start + draw.integers(0, 9, 12)

    seconds = [int(size[(start <= t) & (t < end)].sum()) for t in range(40)]

    most, since, beyond = occupation(start, end, size, 10)
    assert (most, since) == (max(seconds), seconds.index(max(seconds)))
    assert beyond == sum(used > 10 for used in seconds)


def test_without_jobs_that_last_nothing_is_in_use() -> None:
    jobs = log(run=[0, 0, 0])

    assert simulate(jobs, "recorded", machine_size=8).provenance["recorded"] == {
        "most": 0,
        "since": 0,
        "beyond": 0,
    }


@pytest.mark.parametrize("field", ["wait", "run"])
def test_what_the_log_does_not_say_is_refused(field: str) -> None:
    jobs = log(**{field: [1, -1, -1]})

    with pytest.raises(InputError, match=r"run time|when 2 jobs ran, the first is job 12"):
        simulate(jobs, "recorded", machine_size=8)


def test_what_happened_cannot_be_changed() -> None:
    with pytest.raises(InputError, match="recorded takes what happened as it is: no failures"):
        simulate(log(), "recorded", machine_size=8, failures="nodes=8,mtbf=1d,repair=1h")
    with pytest.raises(InputError, match="recorded: takes no options; write recorded alone"):
        simulate(log(), "recorded:seed=1", machine_size=8)
