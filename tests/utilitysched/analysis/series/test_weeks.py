"""Weeks with dates."""

from __future__ import annotations

import numpy as np

from swfx import Header, Workload
from tests.utilitysched.metrics_jobs import four_jobs, schedule_of
from utilitysched import metrics
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import weeks


def jobs(header: Header) -> Workload:
    """One job in the first week, none in the second, two in the third."""
    return four_jobs().replace(
        submit=np.array([5.0, 2 * WEEK + 5, 2 * WEEK + 6, 2 * WEEK + 7]), header=header
    )


def test_columns_are_those_of_the_metrics() -> None:
    workload = jobs(Header())
    schedule = schedule_of(workload, [0, 1, 2, 300])
    found = weeks(workload, schedule)
    rows = metrics.weekly(workload, schedule)

    assert found.start.tolist() == [5, WEEK + 5, 2 * WEEK + 5]
    assert found.jobs.tolist() == [1, 0, 3]
    assert np.isnan(found.wait[1])
    assert found.wait[[0, 2]].tolist() == [rows[0].wait, rows[2].wait]
    assert found.bounded_slowdown[2] == rows[2].bounded_slowdown
    assert found.utility.tolist() == [row.utility for row in rows]
    assert found.utilisation.tolist() == [row.utilisation for row in rows]


def test_without_a_clock_weeks_are_numbered() -> None:
    workload = jobs(Header())
    found = weeks(workload, schedule_of(workload, [0, 1, 2, 3]))

    assert found.label == ("week 1", "week 2", "week 3")
    assert found.zone is None


def test_dates_are_those_of_the_machines_place() -> None:
    header = Header((" UnixStartTime: 954547195", " TimeZoneString: US/Pacific"))
    workload = jobs(header)
    found = weeks(workload, schedule_of(workload, [0, 1, 2, 3]))

    assert found.zone == "US/Pacific"
    assert found.label == ("2000-03-31", "2000-04-07", "2000-04-14")
