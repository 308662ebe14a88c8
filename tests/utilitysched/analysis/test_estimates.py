"""The estimate study."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx import Workload
from tests.utilitysched.analysis.surveyed import surveyed
from utilitysched.analysis.estimates import (
    EXPLAINED,
    SURVEY,
    ExcludedJobs,
    Group,
    Level,
    Padding,
    Use,
    UserEstimates,
    inaccuracy,
    sample,
    study,
)


def test_unused_and_overrun_time_count_alike() -> None:
    found = inaccuracy(np.array([100.0, 100.0, 100.0]), np.array([32.0, 168.0, 100.0]))

    assert found.tolist() == [0.68, 0.68, 0]


def test_the_means_of_the_groups_agree_with_those_of_all() -> None:
    answers, parts = SURVEY["answers"], (SURVEY["revised"], SURVEY["unchanged"])

    for figure in ("requests", "soft_estimates"):
        whole = sum(part.jobs * getattr(part, figure) for part in parts) / answers.jobs
        assert whole == pytest.approx(getattr(answers, figure), abs=0.005)
    assert sum(part.jobs for part in parts) == answers.jobs
    assert pytest.approx(0.066, abs=0.001) == EXPLAINED


def test_every_job_left_out_has_one_reason() -> None:
    found = sample(surveyed())

    assert np.flatnonzero(found.requests).tolist() == [0, 1, 2, 3, 4, 8, 9]
    assert np.flatnonzero(found.answers).tolist() == [0, 1, 2, 3]
    assert found.left_out == (
        ExcludedJobs("no requested time", 1, 0),
        ExcludedJobs("request below 1,200 s", 1, 1),
        ExcludedJobs("ran to its limit", 1, 1),
        ExcludedJobs("soft estimate above the request", 0, 1),
    )
    assert found.requests.sum() + sum(left.jobs for left in found.left_out) == 10


def test_short_requests_may_be_judged_too() -> None:
    found = sample(surveyed(), least_request=0)

    assert np.flatnonzero(found.requests).tolist() == [0, 1, 2, 3, 4, 6, 8, 9]


def test_a_job_that_overran_its_request_ran_to_its_limit() -> None:
    jobs = surveyed().replace(run=surveyed().requested_time + 1)

    assert not sample(jobs).requests.any()


def near(group: Group) -> object:
    return pytest.approx(group.requests), pytest.approx(group.soft_estimates)


def test_requests_and_soft_estimates() -> None:
    found = study(surveyed())

    requests = [1 - 50 / 7200, 0.1, 0.5, 0.5]
    estimates = [1 - 50 / 3600, 0.2, 0.5, 0.5]
    assert found.requests.jobs == 7
    assert found.requests.requests == pytest.approx((sum(requests) + 0.9 + 0.5 + 0.9) / 7)
    assert found.requests.soft_estimates is None
    assert (found.answers.jobs, found.revised.jobs, found.unchanged.jobs) == (4, 2, 2)
    assert (found.answers.requests, found.answers.soft_estimates) == near(
        Group(4, sum(requests) / 4, sum(estimates) / 4)
    )
    assert (found.revised.requests, found.revised.soft_estimates) == near(
        Group(2, sum(requests[:2]) / 2, sum(estimates[:2]) / 2)
    )
    assert found.unchanged == Group(2, 0.5, 0.5)


def test_use_counts_every_job_with_a_request() -> None:
    jobs = Workload.from_columns(
        run=[50, 1500, 5, 80, 10], requested_time=[1000, 1000, 40, 100, -1]
    )

    assert study(jobs).use == Use(4, (0.05 + 1 + 0.125 + 0.8) / 4, 0.5, 1 / 3)


def test_padding() -> None:
    found = study(surveyed())

    assert found.answers.requests is not None
    assert found.answers.soft_estimates is not None
    assert found.padding == Padding(
        revised=0.5,
        cut=0.375,
        overestimates=0.75,
        explained=1 - found.answers.soft_estimates / found.answers.requests,
        round_requests=0.5,
        round_estimates=0.5,
    )


def test_levels_of_confidence() -> None:
    found = study(surveyed())

    nobody = Group(0, None, None)
    assert [level.level for level in found.levels] == [1, 3, 4, 5]
    assert found.levels[2] == Level(4, Group(1, 0.5, 0.5), Group(1, 0.5, 0.5), nobody)
    assert found.levels[0].revised.jobs == 1
    assert found.levels[0].unchanged == nobody


def test_users() -> None:
    found = study(surveyed())

    assert [user.user for user in found.users] == [1, 2]
    assert found.users[0].requests.jobs == 5
    assert found.users[0].revised == 0.5
    assert found.users[1] == UserEstimates(2, Group(1, 0.5), Group(0, None, None), None)
    assert found.user_mean.jobs == 2
    first, second = found.users[0].requests.requests, 0.5
    assert first is not None
    assert found.user_mean.requests == pytest.approx((first + second) / 2)
    assert found.user_mean.soft_estimates == pytest.approx(found.users[0].answers.soft_estimates)


def test_a_log_without_requests_has_no_figures() -> None:
    found = study(Workload.from_columns(run=[60, 60]))

    assert found.use == Use(0, None, None, None)
    assert found.requests == Group(0, None)
    assert found.users == ()
    assert found.levels == ()
    assert found.padding == Padding(None, None, None, None, None, None)


def test_datastar(traces: Path) -> None:
    found = study(swfx.read(traces / "SDSC-DS-2004-2.1-cln.swf.gz").workload)

    assert found.use.below_fifth == pytest.approx(0.491, abs=0.001)
    assert (found.requests.jobs, len(found.users)) == (59615, 423)
    assert found.requests.requests == pytest.approx(0.708, abs=0.001)
