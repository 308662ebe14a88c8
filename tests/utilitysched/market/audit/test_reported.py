"""Workloads of which some jobs are told otherwise."""

from __future__ import annotations

import numpy as np

from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched.market.audit.design import read_thresholds
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.reported import tell, truth

JOBS = Workload.from_columns(
    submit=[0, 10, 10, 20],
    run=[5, 50, 8, 8],
    requested_time=[5, 40, 9, 9],
    processors=[4, 4, 1, 2],
    queue=[3, 3, 3, 3],
    utility=UtilityTable.from_functions(
        [None, *(UtilityFunction([0, 100], [worth, 0]) for worth in (4, 4, 4))]
    ),
)


def test_the_truth_changes_nothing() -> None:
    told = tell(JOBS, {}, None)

    assert told.workload is JOBS
    assert told.owner.tolist() == [0, 1, 2, 3]
    assert told.keeps_places


def test_parts_stand_where_the_job_stood() -> None:
    told = tell(JOBS, {1: MISREPORTS.make("split")}, None)

    assert told.owner.tolist() == [0, 1, 1, 2, 3]
    assert told.workload.size.tolist() == [4, 2, 2, 1, 2]
    assert told.workload.effective_run.tolist() == [5, 40, 40, 8, 8]
    assert told.workload.utility.start_values.tolist() == [0, 2, 2, 4, 4]
    assert not told.keeps_places


def test_a_later_job_comes_behind_others() -> None:
    told = tell(JOBS, {1: MISREPORTS.make("delay:by=10")}, None)

    assert told.owner.tolist() == [0, 2, 1, 3]
    assert told.workload.submit.tolist() == [0, 10, 20, 20]
    assert not told.keeps_places


def test_a_job_that_asks_for_too_little_does_not_complete() -> None:
    told = tell(JOBS, {job: MISREPORTS.make("request:factor=0.9") for job in (1, 2)}, None)

    assert told.workload.effective_run.tolist() == [5, 36, 8, 8]
    assert told.complete.tolist() == [True, False, True, True]
    assert told.keeps_places


def test_a_job_without_a_curve_is_told_as_it_is() -> None:
    assert tell(JOBS, {0: MISREPORTS.make("scale")}, None).workload is JOBS


def test_queues_follow_what_is_said() -> None:
    # 4 SU for 4 processors x 40 s are 90 SU per processor-hour, ten times as much 900
    thresholds = read_thresholds("1:500,7:0")
    told = tell(JOBS, {1: MISREPORTS.make("scale:factor=10")}, thresholds)

    assert told.workload.queue.tolist() == [3, 1, 3, 3]


def test_jobs_come_under_other_names() -> None:
    users = JOBS.replace(user=np.array([3, 3, -1, 5]))
    several = MISREPORTS.make("accounts")

    told = tell(users, dict.fromkeys((1, 2, 3), several), None).workload.user
    assert told[0] == 3  # it has no curve, and is told as it is
    assert len(set(told.tolist())) == 4  # nobody else's, though two users have two names each
    assert min(told.tolist()) > 0


def test_some_jobs_are_taken_out() -> None:
    told = truth(JOBS).taken(np.array([True, False, True, True]))

    assert told.owner.tolist() == [0, 2, 3]
    assert told.workload.submit.tolist() == [0, 10, 20]
