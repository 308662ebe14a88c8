"""Each ordering of section 3 on three jobs, worked out by hand."""

from __future__ import annotations

import math

import pytest

from tests.reference.jobs import Job
from tests.reference.orderings import LEARNED, ORDERINGS, Context, order
from tests.reference.values import ValueRule

# at now = 100: waits 100, 50, 20 s
A = Job(0, 0.0, 1.0, 100.0, 4, priority=3, points=((0.0, 100.0), (200.0, 0.0)))
B = Job(1, 50.0, 1.0, 10.0, 8, priority=1, points=((0.0, 80.0), (400.0, 0.0)))
C = Job(2, 80.0, 1.0, 40.0, 1, priority=2, points=((0.0, 10.0), (1000.0, 0.0)))
JOBS = (A, B, C)
AT_START = ValueRule(duration="zero", tau=100.0)
WEIGHTS = dict.fromkeys(LEARNED, 0.0) | {
    "value": 1.0,
    "value_05_request": -0.5,
    "size": -1.0,
    "predicted": -1.0,
    "fits": math.log(2.0),
}
NOW = Context(
    now=100.0, processors=8, queue=JOBS, rule=AT_START, free=4, learned=WEIGHTS, submits=(0.0,)
)


@pytest.mark.parametrize("name", ORDERINGS)
def test_ties_go_by_order_of_arrival(name: str) -> None:
    twins = [A._replace(number=number) for number in (3, 1, 2)]
    context = Context(now=100.0, processors=8, queue=tuple(twins), rule=AT_START)

    assert [job.number for job in order(twins, name, context)] == [1, 2, 3]


@pytest.mark.parametrize("name", ORDERINGS)
def test_a_request_of_zero_seconds_has_a_finite_key(name: str) -> None:
    none = Job(0, 0.0, 0.0, 0.0, 4, points=((0.0, 5.0), (300.0, 1.0)))

    key = ORDERINGS[name](none, NOW)

    assert all(abs(number) < float("inf") for number in key)


def test_serial_jobs_under_unicef_go_by_relative_wait() -> None:
    patient = Job(3, 0.0, 1.0, 40.0, 1)

    assert order([B, C, patient], "unicef", NOW) == [patient, C, B]


def test_mixed_sums_the_six_features() -> None:
    context = Context(now=100.0, weights=(0.5, -0.25, 0.125, 0.0625, 0.03125, -0.03125))

    # 0.5*4 - 0.25*100 + 0.125*100 + 0.0625*25 + 0.03125*2 - 0.03125*400
    assert ORDERINGS["mixed"](A, context) == (21.375,)


def test_first_submit_counts_as_the_start_of_the_workload() -> None:
    late = Context(now=100.0, first_submit=50.0)

    assert ORDERINGS["f1"](B, late) == (8.0,)
    assert ORDERINGS["f1"](B, Context(now=100.0, first_submit=49.5)) == (8.0,)
    assert ORDERINGS["f1"](B, Context(now=100.0, first_submit=40.0)) == (878.0,)


def test_a_job_starves_when_its_wait_exceeds_the_threshold() -> None:
    assert order(JOBS, "lcfs", NOW, threshold=50.0) == [A, C, B]
    assert order(JOBS, "lcfs", NOW, threshold=49.0) == [A, B, C]


def test_a_job_without_curve_is_worth_nothing_and_costs_nobody() -> None:
    bare = A._replace(points=())
    context = Context(now=100.0, processors=8, queue=(bare, C), rule=AT_START)

    assert ORDERINGS["value"](bare, context) == (0.0,)
    # C alone: 0.5 * 9.8 / (1 + 40/360000) / 40
    assert ORDERINGS["first-reward"](C, context) == pytest.approx((-0.12248639,), rel=1e-7)


def test_occupancy_may_be_the_prediction() -> None:
    done = Job(9, 0.0, 20.0, 30.0, 1, user=5)
    context = Context(now=100.0, rule=AT_START._replace(occupancy="predicted"))
    context.history.add(done)

    # 50 SU over 4 processors for the 20 s that the user's last job took
    assert ORDERINGS["value-density"](A._replace(user=5), context) == (-0.625,)
    assert ORDERINGS["value-density"](A._replace(user=6), context) == (-0.125,)
