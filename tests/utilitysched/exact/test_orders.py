from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from tests.planning import random_case
from tests.reference.plan import plan
from tests.scale import many
from tests.utilitysched.exact.cases import held_back, random_problem, worth
from utilitysched.exact import StaticProblem, best_order, optimum
from utilitysched.model.forecast import ForecastRule
from utilitysched.runs.snapshot import Snapshot


def test_the_best_order_is_that_of_the_readable_placement() -> None:
    rng = Random(7)
    for _ in range(many(40)):
        case = random_case(rng, most=4)
        problem = StaticProblem(Snapshot.of_state(case.state), ForecastRule("zero"))

        found = best_order(problem)

        assert found is not None
        plans = (
            plan(order, case.jobs, case.now, case.running, case.processors)
            for order in permutations(range(len(case.jobs)))
        )
        values = [sum(problem.values(start)) for start in plans]
        assert worth(problem, found) == pytest.approx(max(values), abs=1e-9)


def test_some_optima_are_out_of_reach_of_every_order() -> None:
    problem = held_back()
    found = best_order(problem)

    assert found is not None
    assert worth(problem, found) == pytest.approx(30)
    assert optimum(problem).total == pytest.approx(49.95)


def test_no_order_beats_the_optimum() -> None:
    rng = Random(8)
    for _ in range(many(60)):
        problem = random_problem(rng, 6)
        found = best_order(problem)
        assert found is not None
        assert worth(problem, found) <= optimum(problem).bound


def test_longer_queues_have_too_many_orders() -> None:
    rng = Random(9)
    problem = random_problem(rng, 20)
    while len(problem.snapshot.queued) < 9:
        problem = random_problem(rng, 20)

    assert best_order(problem) is None
