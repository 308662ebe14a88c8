"""Each ordering of section 3 on three jobs, worked out by hand."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from tests.reference.jobs import Job
from tests.reference.orderings import LEARNED, ORDERINGS, Context, Key, order
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


class Case(NamedTuple):
    name: str
    keys: tuple[Key, Key, Key]
    order: str


CASES = [
    Case("fcfs", ((0.0,), (50.0,), (80.0,)), "ABC"),
    Case("lcfs", ((0.0,), (-50.0,), (-80.0,)), "CBA"),
    Case("spf", ((100.0,), (10.0,), (40.0,)), "BCA"),
    Case("lpf", ((-100.0,), (-10.0,), (-40.0,)), "ACB"),
    Case("sqf", ((4,), (8,), (1,)), "CAB"),
    Case("lqf", ((-4,), (-8,), (-1,)), "BAC"),
    Case("saf", ((400.0,), (80.0,), (40.0,)), "CBA"),
    Case("laf", ((-400.0,), (-80.0,), (-40.0,)), "ABC"),
    Case("srf", ((25.0,), (1.25,), (40.0,)), "BAC"),
    Case("lrf", ((-25.0,), (-1.25,), (-40.0,)), "CAB"),
    Case("lexp", ((-2.0,), (-6.0,), (-1.5,)), "BAC"),
    Case("sexp", ((2.0,), (6.0,), (1.5,)), "CAB"),
    Case("wfp3", ((-4.0,), (-1000.0,), (-0.125,)), "BAC"),
    Case("unicef", ((1.0, -0.5), (1.0, -5 / 3), (0.0, -0.5)), "CBA"),
    Case("f1", ((8.0,), (1486.103904,), (1657.290354,)), "ABC"),
    Case("f2", ((40.0,), (43518.930339,), (48725.428427,)), "ABC"),
    Case("f3", ((400.0,), (11655014.229794,), (13055237.331244,)), "ABC"),
    Case("f4", ((200.0,), (900482.386569,), (1008677.702881,)), "ABC"),
    Case("priority-fifo", ((3, 0.0), (1, 50.0), (2, 80.0)), "BCA"),
    Case("mixed", ((-100.0,), (-50.0,), (-20.0,)), "ABC"),
    Case("value", ((-50.0,), (-70.0,), (-9.8,)), "BAC"),
    Case("value-density", ((-0.125,), (-0.875,), (-0.245,)), "BCA"),
    Case("cost-of-delay", ((-0.125,), (-0.25,), (-0.025,)), "BAC"),
    Case("value-and-delay", ((-0.125,), (-0.5625,), (-0.135,)), "BCA"),
    Case("first-reward", ((-0.049357644,), (-0.405612848,), (-0.078736390,)), "BCA"),
    # 50 x 100 / 2 / 100, 70 x 350 / 2 / 80, 9.8 x 980 / 2 / 10
    Case("projected-value-remaining", ((25.0,), (153.125,), (480.2,)), "ABC"),
    # slacks 100 - 100, 350 - 10 and 980 - 40 s by twice the mean of 50 s
    Case(
        "apparent-tardiness-cost",
        ((-0.125,), (-0.875 * math.exp(-3.4),), (-0.245 * math.exp(-9.4),)),
        "ABC",
    ),
    # (50 - 25/2) / 400, (70 - 69/2) / 80, (9.8 - 9.6/2) / 40; twice that of who fits in 4
    Case("index", ((-0.1875,), (-0.44375,), (-0.25,)), "BCA"),
    # p~ sqrt(q) + 439220.7967202099 log10(r)
    Case("nonlinear", ((200.0,), (746251.243179,), (835916.700317,)), "ABC"),
]


def test_the_cases_cover_every_ordering() -> None:
    assert [case.name for case in CASES] == list(ORDERINGS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_keys_and_order_of_three_jobs(case: Case) -> None:
    ordering = ORDERINGS[case.name]

    for job, key in zip(JOBS, case.keys, strict=True):
        assert ordering(job, NOW) == pytest.approx(key, rel=1e-7)
    assert order(JOBS, case.name, NOW) == [JOBS["ABC".index(name)] for name in case.order]


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
