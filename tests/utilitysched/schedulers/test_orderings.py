"""Scores of one job of a real log's size, by the formulas of the semantics, section 3."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.jobs import Job
from tests.reference.orderings import ORDERINGS as TWINS
from tests.reference.orderings import Context
from tests.scale import many
from utilitysched.kernels.ranking import scores
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.order import Order
from utilitysched.schedulers.orderings import orderings

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
        for i, (size, request, wait, points) in enumerate(drawn)
    ]
    ordering = orderings()["index"]
    known, forecast = table_of(jobs), ForecastRule().blank(len(jobs))
    forecast.duration[:, 0] = forecast.occupancy[:] = known.request
    ranking = Order(ordering, tuple(numbers)).ranking(known, once=False)
    moment = SchedulingPass(1e6, free, np.array([], np.int64))

    found = scores(np.arange(len(jobs)), moment, known, forecast, ranking, math.inf)

    weights = dict(zip(ordering.parameters, numbers, strict=True))
    context = Context(1e6, 64, queue=tuple(jobs), free=free, learned=weights)
    assert found.tolist() == pytest.approx([TWINS["index"](job, context)[0] for job in jobs])


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
