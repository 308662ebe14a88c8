"""Scores of one job of a real log's size, by the formulas of the semantics, section 3."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.jobs import Job
from tests.reference.orderings import ORDERINGS as TWINS
from tests.reference.orderings import Context
from tests.reference.values import ValueRule
from tests.scale import many
from utilitysched.kernels.policy import scores
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.list_options import order_from
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.orders import Order

R, WAIT, REQUEST, SIZE = 2_000_000.0, 5400.0, 7200.0, 24
FREE = 32
LOG_R = math.log10(R)


def one_job() -> JobTable:
    """Submitted 2,000,000 s after the first; worth 100 SU less 1 SU every 1000 s."""
    first = 1e6
    return JobTable(
        1152,
        np.array([first + R]),
        np.array([R]),
        np.array([SIZE]),
        np.array([REQUEST]),
        np.array([2]),
        np.array([0]),
        np.array([0, 2]),
        np.array([0.0, 100_000.0]),
        np.array([100.0, 0.0]),
    )


def score(name: str) -> float:
    """Score of the job once it has waited `WAIT`, under the ordering's defaults."""
    known, ordering = one_job(), orderings()[name]
    numbers = (
        dict.fromkeys(ordering.parameters, 0.0) | WEIGHTS if ordering.start else ordering.parameters
    )
    ranking = Order(ordering, tuple(numbers.values())).ranking(known, once=False)
    forecast = ForecastRule().blank(1)
    forecast.occupancy[0] = REQUEST
    moment = SchedulingPass(known.submit[0] + WAIT, FREE, np.array([], np.int64))
    found = scores(np.array([0]), moment, known, forecast, ranking, math.inf)
    return float(found[0])


VALUE = 100 - 5.4
WEIGHTS = {"value": 1.0, "value_24h": -0.5, "size": -1.0, "request": -1.0, "fits": math.log(8)}
AREA = SIZE * REQUEST


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fcfs", 3e6),
        ("lcfs", -3e6),
        ("spf", 7200),
        ("lpf", -7200),
        ("sqf", 24),
        ("lqf", -24),
        ("saf", 172_800),
        ("laf", -172_800),
        ("srf", 300),
        ("lrf", -300),
        ("lexp", -1.75),
        ("sexp", 1.75),
        ("wfp3", -0.421875 * 24),
        ("unicef", -0.75 / math.log2(24)),
        ("f1", math.log10(7200) * 24 + 8.70e2 * LOG_R),
        ("f2", math.sqrt(7200) * 24 + 2.56e4 * LOG_R),
        ("f3", 7200 * 24 + 6.86e6 * LOG_R),
        ("f4", 7200 * math.sqrt(24) + 5.30e5 * LOG_R),
        ("nonlinear", 7200 * math.sqrt(24) + 439220.7967202099 * LOG_R),
        ("priority-fifo", 2),
        ("mixed", -5400),
        ("value", -VALUE),
        ("value-density", -VALUE / AREA),
        ("cost-of-delay", -7.2 / AREA),
        ("value-and-delay", -(0.5 * VALUE + 0.5 * 43.2) / AREA),
        ("first-reward", -0.5 * (VALUE / 1.02) / AREA),
        ("projected-value-remaining", VALUE * 94_600 / 2 / 100),
        ("apparent-tardiness-cost", -VALUE / AREA * math.exp(-(94_600 - 7200) / (2 * 7200))),
        ("index", -8 * (VALUE - 0.5 * (VALUE - 86.4)) / AREA),
    ],
)
def test_score(name: str, expected: float) -> None:
    assert score(name) == pytest.approx(expected, rel=1e-12)


def test_every_ordering_is_here() -> None:
    tested = next(mark for mark in test_score.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]

    missing = set(orderings()) - {name for name, _ in tested.args[1]}
    assert missing == set(), "add rows to test_score, with scores worked out by hand"


def test_jobs_worth_nothing_tie_under_first_reward() -> None:
    """Whatever they request: their processors cost the others as much, second by second."""
    request = np.array([60.0, 7200.0, 333.0, 1e5, 100.0, 70.0])
    size = np.array([1, 3, 7, 24, 11, 2])
    zero, offsets = np.zeros(6), np.array([0, 0, 0, 0, 0, 2, 4])
    curves = np.array([0.0, 1e6, 0.0, 2e6]), np.array([100.0, 0.0, 7.0, 0.0])
    known = JobTable(
        1152, zero, zero, size, request, zero.astype(int), np.arange(6), offsets, *curves
    )
    ordering = orderings()["first-reward"]
    ranking = Order(ordering, tuple(ordering.parameters.values())).ranking(known, once=False)
    forecast = ForecastRule().blank(6)
    forecast.occupancy[:] = request
    moment = SchedulingPass(WAIT, FREE, np.array([], np.int64))

    found = scores(np.arange(6), moment, known, forecast, ranking, math.inf)

    assert set(found[:4].tolist()) == {0.5 * (1e-4 + 3.5e-6) / 1152}


FAR = st.floats(0.0, 1e6)
CURVES = st.lists(st.tuples(FAR, st.floats(0.0, 1e5)), max_size=5)


@given(
    st.lists(st.tuples(st.integers(1, 64), FAR, FAR, CURVES), min_size=1, max_size=6),
    st.lists(st.floats(-2, 2), min_size=27, max_size=27),
    st.integers(0, 64),
)
@settings(max_examples=many(200), derandomize=True, deadline=None)
def test_scores_of_the_index_are_those_of_its_twin(
    drawn: list[tuple[int, float, float, list[tuple[float, float]]]],
    numbers: list[float],
    free: int,
) -> None:
    """Any queue, weights and free processors; curves are made to fall."""
    jobs = [
        Job(i, 1e6 - wait, 1.0, request, size, priority=i % 4, user=i, points=falling(points))
        for i, (size, request, wait, points) in enumerate(sorted(drawn, key=lambda job: -job[2]))
    ]
    ordering = orderings()["index"]
    known, forecast = table_of(jobs), ForecastRule().blank(len(jobs))
    forecast.duration[:, 0] = forecast.occupancy[:] = known.request
    ranking = Order(ordering, tuple(numbers)).ranking(known, once=False)
    moment = SchedulingPass(1e6, free, np.array([], np.int64))

    found = scores(np.arange(len(jobs)), moment, known, forecast, ranking, math.inf)

    weights = dict(zip(ordering.parameters, numbers, strict=True))
    submits = tuple(job.submit for job in jobs)
    context = Context(1e6, 64, queue=tuple(jobs), free=free, learned=weights, submits=submits)
    assert found.tolist() == pytest.approx([TWINS["index"](job, context)[0] for job in jobs])


RULE = "value-and-delay:alpha=0.95,tau=86400"  # and occupancy=requested, see ranked_by


def long_queue(seed: int, gap: float, jobs: int = 120) -> list[Job]:
    """Return more than a day's work, submitted at one instant or one job after the other."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(jobs):
        value, end = rng.uniform(10.0, 100.0), rng.uniform(10.0, 60.0) * 3600.0
        size, request = int(rng.integers(1, 64)), float(rng.integers(1, 12) * 3600)
        points = ((0.0, value), (end, 0.0))
        made.append(Job(i, gap * i, 1.0, request, size, priority=i % 4, user=i, points=points))
    return made


def ranked_by(text: str, jobs: list[Job], now: float) -> list[int]:
    order, known = order_from(text), table_of(jobs)
    forecast = ForecastRule().blank(len(jobs))
    forecast.duration[:, 0], forecast.occupancy[:] = 0.0, known.request
    moment = SchedulingPass(now, 8, np.array([], np.int64))
    ranking = order.ranking(known, once=False)
    found = scores(np.arange(len(jobs)), moment, known, forecast, ranking, math.inf)
    ranked: list[int] = np.argsort(found, kind="stable").tolist()
    return ranked


@pytest.mark.parametrize("seed", range(3))
def test_a_long_queue_that_is_all_there_is_goes_by_the_rule_of_the_index(seed: int) -> None:
    jobs = long_queue(seed, gap=0.0)

    assert ranked_by("index", jobs, 0.0) == ranked_by(RULE, jobs, 0.0)
    # so does one without a job of more than two instants of a day for each hundred queued
    later = [*jobs[:-2], jobs[-2]._replace(submit=3600.0), jobs[-1]._replace(submit=7200.0)]
    assert ranked_by("index", later, 7200.0) == ranked_by(RULE, later, 7200.0)


@pytest.mark.parametrize("seed", range(3))
def test_where_jobs_arrive_or_few_wait_the_index_goes_by_its_weights(seed: int) -> None:
    jobs = long_queue(seed, gap=600.0)
    now = jobs[-1].submit
    few = [job._replace(request=job.request / 100, submit=0.0) for job in jobs]
    for queue, moment in ((jobs, now), (few, 0.0)):
        found = ranked_by("index", queue, moment)
        context = Context(
            moment,
            64,
            queue=tuple(queue),
            free=8,
            rule=ValueRule(duration="zero"),
            submits=tuple(job.submit for job in queue),
        )
        assert found == sorted(range(len(queue)), key=lambda i: by_weights(queue[i], context))
        assert found != ranked_by(RULE, queue, moment)


def by_weights(job: Job, context: Context) -> float:
    """Return the score that the weights alone give, lowest first."""
    arriving = context.now - np.arange(1.0 + len(context.queue))[::-1]
    (found,) = TWINS["index"](job, replace(context, submits=tuple(arriving)))
    return found


def falling(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Make a curve of some points: times rise from 0, values fall."""
    times = sorted({0.0, *(time for time, _ in points)}) if points else []
    values = sorted((value for _, value in points), reverse=True)
    return tuple(zip(times, [*values[:1], *values][: len(times)], strict=True))


def table_of(jobs: list[Job]) -> JobTable:
    """Return what the kernels take of jobs on 64 processors."""
    points = [point for job in jobs for point in job.points]
    submit = np.array([job.submit for job in jobs])
    return JobTable(
        64,
        submit,
        submit - submit.min(),
        np.array([job.size for job in jobs]),
        np.array([job.request for job in jobs]),
        np.array([job.priority for job in jobs]),
        np.array([job.user for job in jobs]),
        np.cumsum([0, *(len(job.points) for job in jobs)]),
        np.array([time for time, _ in points]),
        np.array([value for _, value in points]),
    )
