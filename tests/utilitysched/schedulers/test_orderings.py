"""Scores of one job of a real log's size, by the formulas of the semantics, section 3."""

from __future__ import annotations

import math

import numpy as np
import pytest

from utilitysched.kernels.ranking import scores
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import JobTable
from utilitysched.schedulers.order import Order
from utilitysched.schedulers.orderings import orderings

R, WAIT, REQUEST, SIZE = 2_000_000.0, 5400.0, 7200.0, 24
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
    ranking = Order(ordering, tuple(ordering.parameters.values())).ranking(known, once=False)
    forecast = ForecastRule().blank(1)
    forecast.occupancy[0] = REQUEST
    found = scores(np.array([0]), known.submit[0] + WAIT, known, forecast, ranking, math.inf)
    return float(found[0])


VALUE = 100 - 5.4
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
        ("priority-fifo", 2),
        ("mixed", -5400),
        ("value", -VALUE),
        ("value-density", -VALUE / AREA),
        ("cost-of-delay", -7.2 / AREA),
        ("value-and-delay", -(0.5 * VALUE + 0.5 * 43.2) / AREA),
        ("first-reward", -0.5 * (VALUE / 1.02) / AREA),
    ],
)
def test_score(name: str, expected: float) -> None:
    assert score(name) == pytest.approx(expected, rel=1e-12)


def test_every_ordering_is_here() -> None:
    tested = next(mark for mark in test_score.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]

    missing = set(orderings()) - {name for name, _ in tested.args[1]}
    assert missing == set(), "add rows to test_score, with scores worked out by hand"
