from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.static import READING, SEARCHES, priced
from swfx import UtilityFunction
from utilitysched.exact import StaticProblem, best_order
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot

NOW, JOBS = 5000.0, 7


@pytest.fixture
def seen() -> Snapshot:
    rng = np.random.default_rng(4)
    queued = []
    for number in range(JOBS):
        size, minutes, worth = (int(rng.integers(1, most)) for most in (5, 60, 100))
        curve = UtilityFunction([0.0, 3600.0 * (1 + number), 86400.0], [worth, worth / 2, 0.0])
        waited = float(rng.integers(0, 4000))
        queued.append(QueuedJob(number + 1, NOW - waited, size, 60.0 * minutes, curve, 1))
    return Snapshot(NOW, 6, (RunningJob(0, 5, NOW + 900.0),), tuple(queued))


def worth_of_best_order(seen: Snapshot) -> float:
    problem = StaticProblem(seen, READING)
    start = best_order(problem)
    assert start is not None
    return math.fsum(problem.values(start))


@pytest.mark.parametrize("name", SEARCHES)
def test_no_search_finds_more_than_there_is_or_less_than_the_index(
    name: str, seen: Snapshot
) -> None:
    most, least = worth_of_best_order(seen), SEARCHES["index"](seen, 300, 0).worth
    found = SEARCHES[name](seen, 300, 0)

    assert least * (1 - 1e-12) <= found.worth <= most * (1 + 1e-12)
    assert found.worth == SEARCHES[name](seen, 300, 0).worth
    assert name == "climb" or found.evaluations <= 300


@pytest.mark.parametrize("name", ["ga", "annealing", "LNS"])
def test_of_a_short_queue_the_best_order_is_found(name: str, seen: Snapshot) -> None:
    assert SEARCHES[name](seen, 2000, 0).worth == pytest.approx(worth_of_best_order(seen), rel=1e-9)


def test_prices_prove_a_bound(seen: Snapshot) -> None:
    problem = StaticProblem(seen, READING)

    most = problem.values(np.full(JOBS, NOW)).sum()
    assert worth_of_best_order(seen) <= priced(problem) < most


def test_what_the_table_does_not_know_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["static", "solved"]) == 2
    assert capsys.readouterr().out == "usage: python -m benchmarks static [solve]\n"
