"""Waits by group of jobs, waits by cause, and the use of each resource."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from tests.utilitysched.metrics_jobs import schedule_of
from utilitysched import Schedule, metrics
from utilitysched.analysis.metrics import GroupWaits
from utilitysched.model.machine import HeldBack

WEEK = 604_800
HEADER = Header((" Account: 1 physics", " Account: 2 biology"))


def jobs_of_accounts() -> Workload:
    """Five jobs: two of physics, two of biology and one of nobody known, the last a week later."""
    return Workload.from_columns(
        header=HEADER,
        submit=[0, 10, 20, 30, WEEK + 5],
        run=[100, 100, 100, 100, 100],
        processors=[1, 1, 4, 3, 1],
        account=[1, 1, 2, 2, -1],
    )


@pytest.fixture
def scheduled() -> tuple[Workload, Schedule]:
    return jobs_of_accounts(), schedule_of(jobs_of_accounts(), [5, 15, 0, 40, 7])


def test_labels_with_most_processor_hours_come_first(scheduled: tuple[Workload, Schedule]) -> None:
    assert metrics.waits_by(*scheduled, "account") == [
        GroupWaits("biology", 2, 0.7, 20.0, 0.0, 40.0),
        GroupWaits("physics", 2, 0.2, 10.0, 5.0, 15.0),
        GroupWaits("unknown", 1, 0.1, 7.0, 7.0, 7.0),
    ]


def test_labels_beyond_the_most_are_one_group(scheduled: tuple[Workload, Schedule]) -> None:
    first, others = metrics.waits_by(*scheduled, "account", most=1)

    assert first.name == "biology"
    assert others == GroupWaits("2 others", 3, pytest.approx(0.3), 9.0, 7.0, 15.0)


def test_weeks_begin_with_the_first_submission(scheduled: tuple[Workload, Schedule]) -> None:
    first, second = metrics.waits_by(*scheduled, "week")

    assert (first.name, first.jobs, first.wait_mean) == ("0", 4, 15.0)
    assert (second.name, second.jobs, second.wait_p90) == ("1", 1, 7.0)


def test_jobs_at_either_end_can_be_left_out(scheduled: tuple[Workload, Schedule]) -> None:
    groups = metrics.waits_by(*scheduled, "account", trim=0.2)

    assert {group.name: group.jobs for group in groups} == {"biology": 2, "physics": 1}
    assert [each.name for each in metrics.waits_by(*scheduled, "week", trim=0.2)] == ["0"]


def test_kinds_are_those_of_the_log(scheduled: tuple[Workload, Schedule]) -> None:
    assert metrics.wait_kinds(scheduled[0]) == ("account", "week")
    with pytest.raises(InputError, match="the log does not say 'qos'"):
        metrics.waits_by(*scheduled, "qos")


def test_groups_of_no_work_have_no_share() -> None:
    idle = Workload.from_columns(submit=[0.0, 0.0], run=[0, 0], processors=[1, 1], queue=[1, 2])

    groups = metrics.waits_by(idle, schedule_of(idle, [0, 1]), "queue")

    assert [(group.name, group.share_of_work) for group in groups] == [("1", None), ("2", None)]


def test_hours_waited_add_up(scheduled: tuple[Workload, Schedule]) -> None:
    workload, schedule = scheduled
    back = HeldBack(np.array([5.0, 5.0, 0, 0, 0]), np.array([0.0, 10.0, 0, 0, 7.0]))

    found = metrics.summary(workload, replace(schedule, held=back))

    hours = [found[f"{name}_wait_hours"] for name in ("room", "limit", "window")]
    assert hours == pytest.approx([40 / 3600, 10 / 3600, 17 / 3600])
    assert (found["jobs_held_by_limits"], found["share_held_by_windows"]) == (2, 0.4)


def test_without_a_machine_file_nothing_is_held(scheduled: tuple[Workload, Schedule]) -> None:
    assert "limit_wait_hours" not in metrics.summary(*scheduled)
