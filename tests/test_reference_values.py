"""Curves, duration guesses and occupancies of the twins."""

from __future__ import annotations

import pytest

from tests.reference.jobs import Job
from tests.reference.values import (
    History,
    ValueRule,
    decay_rate,
    durations,
    mean_over,
    occupancy,
    time_left,
    utility,
)

STEP = ((0.0, 10.0), (10.0, 10.0), (12.0, 4.0), (20.0, 4.0))


@pytest.mark.parametrize(
    ("age", "value"), [(0.0, 10.0), (10.0, 10.0), (11.0, 7.0), (12.0, 4.0), (20.0, 4.0), (20.5, 0)]
)
def test_a_curve_is_linear_between_its_points_and_zero_after(age: float, value: float) -> None:
    assert utility(STEP, age) == value


@pytest.mark.parametrize(
    ("age", "rate"), [(0.0, 0.0), (9.0, 0.0), (10.0, 3.0), (11.0, 3.0), (12.0, 0.0), (25.0, 0.0)]
)
def test_decay_looks_to_the_right(age: float, rate: float) -> None:
    assert decay_rate(STEP, age) == rate


def test_time_left_ends_with_the_last_point() -> None:
    assert [time_left(STEP, age) for age in (0.0, 19.0, 21.0)] == [20.0, 1.0, 0.0]


def test_a_job_without_curve_has_no_value_decay_or_time() -> None:
    assert (utility((), 1.0), decay_rate((), 1.0), time_left((), 1.0)) == (0.0, 0.0, 0.0)


def test_a_mean_is_taken_over_values_not_over_durations() -> None:
    job = Job(0, 0.0, 1.0, 1.0, 1, points=STEP)

    assert mean_over(utility, job, 10.0, [0.0, 1.0]) == 8.5


def done(user: int, run: float, request: float = 100.0) -> Job:
    return Job(0, 0.0, run, request, 1, user=user)


def guesses(kind: str, job: Job, *completed: Job) -> list[float]:
    history = History()
    for other in completed:
        history.add(other)
    return durations(job, ValueRule(duration=kind, fraction=0.25), history)


MINE = Job(0, 0.0, 7.0, 80.0, 1, user=1)


def test_simple_durations() -> None:
    assert guesses("requested", MINE) == [80.0]
    assert guesses("zero", MINE) == [0.0]
    assert guesses("fraction", MINE) == [20.0]


def test_prediction_is_the_mean_of_the_users_last_two_runs() -> None:
    assert guesses("predicted", MINE, done(1, 90), done(1, 10), done(2, 5), done(1, 30)) == [20.0]
    assert guesses("predicted", MINE, done(1, 30)) == [30.0]
    assert guesses("predicted", MINE, done(2, 30)) == [80.0]


def test_prediction_uses_the_run_up_to_the_kill_and_stays_within_the_request() -> None:
    assert guesses("predicted", MINE, done(1, run=500, request=50)) == [50.0]
    assert guesses("predicted", MINE, done(1, 90), done(1, 95)) == [80.0]


def test_nothing_is_known_of_an_unknown_user() -> None:
    assert guesses("predicted", MINE._replace(user=-1), done(-1, 10)) == [80.0]


def test_expected_takes_the_users_own_ratios_latest_first_then_the_logs_then_one() -> None:
    completed = (done(2, 10), done(1, 20), done(2, 30), done(1, 40))

    # own 0.4, 0.2; log 0.4, 0.3, 0.2, 0.1; topped up with 1
    assert guesses("expected", MINE, *completed) == pytest.approx(
        [32.0, 16.0, 32.0, 24.0, 16.0, 8.0, 80.0, 80.0]
    )


def test_expected_takes_no_more_than_eight() -> None:
    own = [done(1, run) for run in range(1, 11)]

    assert guesses("expected", MINE, *own) == pytest.approx(
        [8.0, 7.2, 6.4, 5.6, 4.8, 4.0, 3.2, 2.4]
    )


def test_expected_of_an_unknown_user_asks_the_log() -> None:
    nobody = MINE._replace(user=-1)

    assert guesses("expected", nobody, done(-1, 25)) == [20.0] + [80.0] * 7


def test_a_ratio_never_exceeds_one_nor_divides_by_zero() -> None:
    assert guesses("expected", MINE, done(1, 0.5, request=0.25))[0] == 20.0
    assert guesses("expected", MINE, done(1, 0.0, request=0.0))[0] == 0.0


def test_occupancy_is_at_least_a_second() -> None:
    short = Job(0, 0.0, 0.5, 0.5, 1)

    assert occupancy(short, ValueRule(), History()) == 1.0
    assert occupancy(MINE, ValueRule(), History()) == 80.0
