"""Advice on the checkpoints of a workload."""

from __future__ import annotations

import numpy as np
import pytest

from checkpoint import Overhead, best_interval, expected_time
from checkpoint.advice import VERDICTS, Costs, advise
from swfx import InputError, Workload

DAY = 86_400.0

JOBS = Workload.from_columns(
    run=[DAY, DAY, DAY, 600, 600, DAY, 100],
    processors=[4] * 7,
    checkpoint_interval=[300, 3000, 20_000, 300, -1, -1, 300],
    restart_overhead=[30, 30, 30, 30, -1, -1, 30],
)
"""The best interval of a day's work is 3,200 s: stops are a day apart, a checkpoint takes 60 s."""

STOPS = np.full(7, DAY)


def test_every_job_has_its_verdict() -> None:
    advice = advise(JOBS, STOPS, Costs(Overhead(60)))

    assert [VERDICTS[i] for i in advice.verdict] == [
        "too often",
        "about right",
        "too rarely",
        "unnecessary",
        "none needed",
        "missing",
        "none needed",  # it is over before its first checkpoint
    ]
    assert advice.best.tolist() == [3200, 3200, 3200, np.inf, np.inf, 3200, np.inf]
    assert advice.none_best == 3


def test_times_are_those_of_the_formula() -> None:
    advice = advise(JOBS, STOPS, Costs(Overhead(60), Overhead(500)))

    options = {"cost": 60, "mtbf": DAY}
    assert advice.time[0] == expected_time(DAY, 300, restart=30, **options)
    assert advice.time[5] == expected_time(DAY, -1, restart=500, **options) == advice.bare_time[5]
    assert advice.best_time[5] == expected_time(DAY, 3200, restart=500, **options)
    assert np.all(advice.best_time <= np.minimum(advice.time, advice.bare_time))


def test_hours_add_up() -> None:
    advice = advise(JOBS, STOPS, Costs(Overhead(60)))

    parts = [advice.hours(advice.verdict == i) for i in range(len(VERDICTS))]
    whole = advice.hours()
    assert whole.jobs == sum(part.jobs for part in parts) == 7
    for name in ("work", "stated", "best"):
        assert sum(getattr(part, name) for part in parts) == pytest.approx(getattr(whole, name))
    assert whole.work == pytest.approx((4 * DAY + 1300) * 4 / 3600)
    assert (whole.interval, whole.best_interval) == (300, 3200)
    assert advice.hours(advice.verdict == 4)[4:] == (300, None)


def test_costs_come_from_the_job_unless_given() -> None:
    cost, restart = Costs().of(JOBS)
    assert cost.tolist() == restart.tolist() == [30, 30, 30, 30, 4, 4, 30]

    cost, restart = Costs(Overhead(7)).of(JOBS)
    assert cost.tolist() == [7] * 7
    assert restart.tolist() == [30, 30, 30, 30, 7, 7, 30]

    cost, restart = Costs.from_texts(None, "2/processor").of(JOBS)
    assert cost.tolist() == restart.tolist() == [30, 30, 30, 30, 8, 8, 30]


def test_work_is_the_run_up_to_the_request() -> None:
    jobs = Workload.from_columns(run=[9000], requested_time=[8000], processors=[1])

    advice = advise(jobs, np.array([1000.0]), Costs(Overhead(10)))

    assert advice.work.tolist() == [8000]
    assert advice.best[0] == best_interval(8000, 10, 1000)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (0, "field cost: a checkpoint that costs nothing has no best interval (job 1); give other"),
        (1e7, "field cost: checkpoint or restart take over 100 times as long as stops are apart"),
    ],
)
def test_costs_without_sense(cost: float, message: str) -> None:
    with pytest.raises(InputError) as refused:
        advise(JOBS, STOPS, Costs(Overhead(cost)))

    assert str(refused.value).startswith(message)
