"""CP-SAT beside every left-shifted schedule of tiny queues."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx import UtilityFunction
from tests.scale import enough, many
from tests.utilitysched.exact.cases import (
    best_of_all,
    held_back,
    long_spans,
    random_problem,
    worth,
)
from tests.utilitysched.exact.test_problem import overbooked
from utilitysched.exact import StaticProblem, optimum
from utilitysched.model.forecast import ForecastRule
from utilitysched.runs.snapshot import QueuedJob, Snapshot


def test_the_optimum_is_the_best_of_all_schedules() -> None:
    rng = Random(3)
    worth_something = 0
    for _ in range(many(150)):
        problem = random_problem(rng, whole=True)
        best = best_of_all(problem)

        found = optimum(problem)

        assert found.proven
        assert found.total == pytest.approx(best, rel=1e-9)
        assert found.bound >= best
        assert not overbooked(problem, found.start)
        worth_something += best > 0
    assert worth_something > enough(75)


def test_whatever_the_times_no_schedule_is_worth_more_than_the_bound() -> None:
    rng = Random(4)
    for _ in range(many(150)):
        problem = random_problem(rng)
        best = best_of_all(problem)

        found = optimum(problem)

        assert found.bound >= best >= found.total - 1e-9
        assert found.bound <= best + 0.1 * (1 + best)  # a thousandth of a second loosens little
        assert found.total == worth(problem, found.start)


def test_a_job_that_fits_may_be_held_back() -> None:
    found = optimum(held_back())

    assert found.proven
    assert found.start.tolist() == [1, 3, 5]


def test_without_effort_there_is_a_bound_and_a_gap() -> None:
    rng = Random(5)
    problem = random_problem(rng, 8, whole=True)
    while optimum(problem, effort=1e-9).proven:
        problem = random_problem(rng, 8, whole=True)

    found = optimum(problem, effort=1e-9)

    assert found.gap == found.bound - found.total > 0
    assert found.bound >= optimum(problem).total


def test_jobs_of_years_are_counted_in_longer_ticks() -> None:
    problem = long_spans()

    found = optimum(problem, effort=1.0, limit=60.0)

    assert not found.timed_out
    assert found.total == pytest.approx(best_of_all(problem), rel=1e-9)
    assert 0 <= found.bound - found.total < 1e-3


def test_times_as_long_as_there_can_be() -> None:
    far = 2.0**53
    queued = tuple(
        QueuedJob(job, 0.0, 3, far / 4, UtilityFunction([0, far], [10 + job, 0])) for job in (0, 1)
    )
    problem = StaticProblem(Snapshot(0.0, 4, (), queued), ForecastRule("zero"))

    found = optimum(problem, effort=1.0)

    assert found.total == pytest.approx(11 + 10 * 3 / 4)
    assert found.bound == pytest.approx(found.total, rel=1e-6)


def test_the_wall_clock_ends_a_search_and_the_result_says_so() -> None:
    problem = held_back()

    found = optimum(problem, effort=1e9, limit=1e-9)

    assert found.timed_out
    assert not found.proven
    assert found.bound >= best_of_all(problem) >= found.total
    assert not optimum(problem).timed_out


def test_a_schedule_to_begin_with_is_never_made_worse() -> None:
    problem = held_back()
    best = np.array([1.0, 3.0, 5.0])

    assert optimum(problem, effort=1e-9, hint=best).total >= worth(problem, best)


def test_the_same_problem_has_the_same_answer() -> None:
    problem = random_problem(Random(6), 8)

    first, second = (optimum(problem) for _ in range(2))

    assert first.start.tobytes() == second.start.tobytes()
    assert first.bound == second.bound


def test_an_empty_queue() -> None:
    found = optimum(StaticProblem(Snapshot(0.0, 4), ForecastRule()))

    assert (found.total, found.bound, found.proven) == (0, 0, True)


def test_a_long_queue_is_bounded_within_the_limit() -> None:
    queued = tuple(
        QueuedJob(job, 0.0, 1 + job % 4, 60.0 + job % 7, UtilityFunction([0, 1e4], [9, 0]))
        for job in range(400)
    )
    problem = StaticProblem(Snapshot(0.0, 8, (), queued), ForecastRule("zero"))

    found = optimum(problem, limit=1.0)

    assert found.timed_out
    assert found.bound > found.total > 0
    assert not overbooked(problem, found.start)
