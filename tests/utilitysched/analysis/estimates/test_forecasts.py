"""Forecasts of run times: what was known when, and how it is scored."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Workload
from utilitysched.analysis.estimates import learners, scoreboard
from utilitysched.analysis.estimates.forecasts import LEVELS, chance_within, given_age, known_online
from utilitysched.analysis.estimates.learners import LEAST, boosting, neighbours


def log(runs: list[float], submit: list[float], **columns: object) -> Workload:
    """Jobs of one user that start at once and request 1,000 s."""
    told = {"user": [1] * len(runs), "processors": [1] * len(runs), "wait": [0.0] * len(runs)}
    asked = {"requested_time": [1000.0] * len(runs)}
    return Workload.from_columns(submit=submit, run=runs, **(told | asked | columns))


def test_only_jobs_that_have_ended_are_known() -> None:
    known = known_online(log([100, 300, 50, 70], [0, 10, 120, 320]))

    # the second still runs when the third comes
    assert known.last_two.tolist() == [1000, 1000, 100, 175]
    assert known.keyed[2].tolist() == [100] * len(LEVELS)


def test_a_job_is_likest_those_of_its_request_and_size() -> None:
    jobs = log(
        [10, 20, 30, 40, 50],
        [0, 100, 200, 300, 400],
        processors=[1, 2, 1, 4, 1],
        requested_time=[1000.0, 1000.0, 500.0, 1000.0, 2000.0],
    )

    keyed = known_online(jobs).keyed

    assert keyed[3, 2] == 15  # of the request, any size
    assert keyed[4, 2] == 25  # of the user
    again = known_online(jobs[[0, 1, 2, 3, 3]].replace(submit=[0, 100, 200, 300, 400]))
    assert again.keyed[4, 2] == 40  # of its own kind


def test_no_forecast_depends_on_what_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "EVERY", LEAST // 2)
    rng = np.random.default_rng(1)
    runs = rng.integers(1, 900, 3 * LEAST).astype(float)
    submit = np.cumsum(rng.integers(1, 400, len(runs))).astype(float)
    changed = np.where(np.arange(len(runs)) < 2 * LEAST, runs, 999.0)
    first, other = (known_online(log(list(each), list(submit))) for each in (runs, changed))
    for forecast in (neighbours, boosting):
        found, again = (forecast(each, lambda _: None) for each in (first, other))
        assert np.array_equal(found[: 2 * LEAST], again[: 2 * LEAST])
        assert not np.array_equal(found, again)
        assert not np.array_equal(found, first.keyed)


def test_the_score_of_a_request_that_is_twice_the_run_time() -> None:
    runs = [500.0] * 10
    board = scoreboard(log(runs, [1000.0 * job for job in range(10)]))
    by_name = {score.forecast: score for score in board.scores}

    assert by_name["requested"].log_error == pytest.approx(np.log(2))
    assert by_name["last two of the user"].log_error == pytest.approx(np.log(2) / 10)
    assert by_name["user x request x size"].within == 0.9


def test_chances_by_quantiles() -> None:
    quantiles = np.array([[10.0, 20.0, 40.0, 80.0, 160.0]])

    chances = [chance_within(quantiles, np.array([time]))[0] for time in (1.0, 20.0, 40.0, 1e9)]

    assert chances == pytest.approx([0, 0.25, 0.5, 1])
    assert given_age(quantiles, 40.0, np.array([1000.0])) == pytest.approx(80)
    assert given_age(quantiles, 500.0, np.array([700.0])) == pytest.approx(700)
