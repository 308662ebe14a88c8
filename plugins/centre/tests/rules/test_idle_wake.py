from __future__ import annotations

from dataclasses import replace

import pytest

from pricing.outcome import Outcome
from swfx import Header, InputError, Workload
from utilitysched_centre.rules.idle_wake import idle_hours


def outcome(submit: list[float], start: list[float], end: list[float], size: list[int]) -> Outcome:
    header = Header((" MaxProcs: 10",))
    jobs = Workload.from_columns(
        header=header, submit=submit, run=[1.0] * len(size), processors=size
    )
    return Outcome(jobs, jobs.submit * 0 + start, jobs.submit * 0 + end)


def test_what_is_idle_while_a_wide_job_waits_is_put_down_to_it() -> None:
    # 6 of 10 are used for an hour, 2 more for half of it; 8 wait from minute 15
    ran = outcome([0, 0, 900], [0, 0, 3600], [3600, 1800, 7200], [6, 2, 8])

    assert idle_hours(ran, 8) == [0, 0, 2 * 0.25 + 4 * 0.5]


def test_at_most_as_many_as_it_has_processors() -> None:
    ran = outcome([0, 0], [0, 3600], [3600, 7200], [2, 3])

    assert idle_hours(ran, 3) == [0, 3]  # 8 are idle


def test_two_that_wait_are_not_charged_for_the_same_hour() -> None:
    ran = outcome([0, 0, 0], [0, 3600, 7200], [3600, 7200, 10800], [6, 8, 9])

    assert idle_hours(ran, 8) == [0, 4, 2]  # the first to start has what is idle before that


def test_the_machine_must_be_known() -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])
    alone = Outcome(jobs, jobs.submit, jobs.run)

    with pytest.raises(InputError, match=r"how large the machine is.*MaxProcs"):
        idle_hours(alone, 1)


def test_what_is_idle_is_not_known_where_jobs_were_preempted() -> None:
    ran = outcome([0, 0], [0, 3600], [3600, 7200], [2, 3])

    with pytest.raises(
        InputError, match=r"^field idle_wake: jobs were preempted or shared nodes, so what was idle"
    ):
        idle_hours(replace(ran, used=ran.end - ran.start - 60), 3)
