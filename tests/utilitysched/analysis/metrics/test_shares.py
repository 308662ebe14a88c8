"""Usage against shares by week, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from swfx import Header, Workload
from swfx.machine import Machine, Pool, Share
from tests.utilitysched.metrics_jobs import schedule_of
from utilitysched import Schedule, metrics

WEEK = 604_800
HEADER = Header(
    (" Account: 1 physics", " Account: 2 biology", " User: 1 ann", " User: 2 bob", " User: 3 cid")
)
POOL = Pool("all", {"processors": 8})
MACHINE = Machine((POOL,), shares=(Share(3, "physics"), Share(1, "biology")))


@pytest.fixture
def run() -> tuple[Workload, Schedule]:
    """Ann and Bob of physics, Cid of biology; Cid's first job runs on into the second week."""
    jobs = Workload.from_columns(
        header=HEADER,
        submit=[0, 0, WEEK - 100, WEEK + 50],
        run=[100, 100, 200, 100],
        processors=[2, 2, 4, 4],
        account=[1, 1, 2, 1],
        user=[1, 2, 3, 1],
    )
    return jobs, schedule_of(jobs, [0, 0, 0, 0])


def test_usage_and_shares_of_those_who_are_there(run: tuple[Workload, Schedule]) -> None:
    weekly = metrics.usage_by_week(*run, MACHINE)

    assert weekly.entity == ("", "physics", "biology", "ann of physics", "bob of physics",
                             "cid of biology")  # fmt: skip
    assert weekly.users.tolist() == [3, 4, 5]
    assert weekly.start.tolist() == [0, WEEK]
    assert weekly.used.tolist() == [[800, 400, 400, 200, 200, 400], [800, 400, 400, 400, 0, 400]]
    assert_allclose(weekly.usage[:, 1:], [[0.5, 0.5, 0.25, 0.25, 0.5], [0.5, 0.5, 0.5, 0, 0.5]])
    # in the second week, Bob has no jobs
    assert_allclose(
        weekly.share[:, 1:], [[0.75, 0.25, 0.375, 0.375, 0.25], [0.75, 0.25, 0.75, 0, 0.25]]
    )
    assert_allclose(weekly.deviation, [0.25, 0.25])
    assert metrics.share_deviation(*run, MACHINE) == pytest.approx(0.25)


def test_shares_are_equal_where_nobody_says_otherwise(run: tuple[Workload, Schedule]) -> None:
    weekly = metrics.usage_by_week(*run)

    assert_allclose(weekly.share[:, weekly.users], [[0.25, 0.25, 0.5], [0.5, 0, 0.5]])
    assert_allclose(weekly.deviation, [0, 0])


def test_one_user_deviates_from_nothing(run: tuple[Workload, Schedule]) -> None:
    jobs, schedule = run
    alone = Workload.from_columns(submit=jobs.submit, run=jobs.run, processors=jobs.processors)

    assert metrics.share_deviation(alone, schedule) is None
    nobody = Workload.from_columns(submit=[], run=[], processors=[])
    assert metrics.share_deviation(nobody, schedule_of(nobody, [])) is None
    assert len(metrics.usage_by_week(nobody, schedule_of(nobody, [])).start) == 0


def test_weeks_without_jobs_deviate_from_nothing(run: tuple[Workload, Schedule]) -> None:
    jobs, schedule = run
    late = replace(schedule, start=schedule.start + 3 * WEEK, end=schedule.end + 3 * WEEK)
    weekly = metrics.usage_by_week(jobs, late, MACHINE)

    assert np.isnan(weekly.deviation).tolist() == [True, True, True, False, False]
    assert metrics.share_deviation(jobs, late, MACHINE) == pytest.approx(
        np.average(weekly.deviation[3:], weights=weekly.used[3:, 0])
    )


def test_summaries_of_machines_say_how_far_usage_is_from_shares(
    run: tuple[Workload, Schedule],
) -> None:
    jobs, schedule = run
    recorded = replace(schedule, provenance={"machine": MACHINE.to_dict()})

    assert metrics.summary(jobs, recorded)["share_deviation"] == pytest.approx(0.25)
    assert "share_deviation" not in metrics.summary(jobs, schedule)
