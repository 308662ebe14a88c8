"""Quantiles and classes of jobs, the largest users and queues."""

from __future__ import annotations

import numpy as np

from swfx import Header
from tests.utilitysched.analysis.description.sections import HOUR, captions, jobs, panels
from utilitysched.analysis.description.jobs import Jobs, Owners
from utilitysched.analysis.documents import ResultTable


def test_quantiles() -> None:
    part = jobs(
        run=[10, 20, 30, 50],
        processors=[1, 2, 4, 8],
        requested_time=[20, 20, -1, 40],
        wait=[5, -1, 0, 1],
    )
    rows = {row.pop("figure"): row for row in panels(Jobs(), part)["quantiles"]}

    assert rows["processors"] == {
        "jobs": 4, "mean": 3.75, "least": 1, "p5": 1, "p25": 1, "p50": 2, "p75": 4, "p95": 8,
        "most": 8,
    }  # fmt: skip
    assert (rows["run time (s)"]["most"], rows["run time (s)"]["mean"]) == (40, 25)
    assert (rows["requested time (s)"]["jobs"], rows["wait in the log (s)"]["jobs"]) == (3, 3)
    assert (rows["accuracy p/p~"]["least"], rows["accuracy p/p~"]["p50"]) == (0.5, 1)


def test_sizes_are_classed_by_powers_of_two() -> None:
    part = jobs(processors=[1, 2, 3, 4, 5, 8, 9, 1024, 1025])
    rows = panels(Jobs(), part)["sizes"]

    assert [(row["class"], row["jobs"]) for row in rows] == [
        ("1", 1), ("2", 1), ("3 to 4", 2), ("5 to 8", 2), ("9 to 16", 1), ("513 to 1,024", 1),
        ("1,025 to 2,048", 1),
    ]  # fmt: skip
    assert rows[-1]["share_of_work"] == 1025 / 2081


def test_run_times_are_classed_by_their_lower_ends() -> None:
    part = jobs(run=[0, 0.5, 59, 60, HOUR, 4 * HOUR - 1, 72 * HOUR])
    rows = panels(Jobs(), part)["run_times"]

    assert [(row["class"], row["jobs"]) for row in rows] == [
        ("0 s", 1), ("below 1 min", 2), ("1 to 10 min", 1), ("1 to 4 h", 2), ("3 days and more", 1),
    ]  # fmt: skip


def test_accuracy_in_tenths_and_killed_jobs_apart() -> None:
    part = jobs(run=[0, 9, 10, 99, 100, 500, 7], requested_time=[100, 100, 100, 100, 100, 100, -1])
    rows = panels(Jobs(), part)["accuracy"]

    assert [row["jobs"] for row in rows] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]
    assert rows[-1] == {"accuracy": "100 %", "jobs": 2, "share_of_jobs": 2 / 6}


def test_without_requests_there_is_no_accuracy() -> None:
    assert "accuracy" not in panels(Jobs(), jobs(run=[5]))


def test_statuses() -> None:
    rows = panels(Jobs(), jobs(status=[1, 1, 5, 9, -1]))["statuses"]

    assert [(row["class"], row["jobs"]) for row in rows] == [
        ("unknown (-1)", 1), ("completed (1)", 2), ("cancelled (5)", 1), ("not defined (9)", 1),
    ]  # fmt: skip


def test_users_by_processor_hours() -> None:
    owners = Owners(Header())
    part = jobs(user=[3, 3, 5, -1], run=[HOUR, HOUR, 7 * HOUR, HOUR])
    rows = panels(owners, part)["users"]

    assert rows == [
        {"user": "5", "jobs": 1, "share_of_jobs": 0.25, "processor_hours": 7, "share_of_work": 0.7},
        {"user": "3", "jobs": 2, "share_of_jobs": 0.5, "processor_hours": 2, "share_of_work": 0.2},
        {
            "user": "unknown",
            "jobs": 1,
            "share_of_jobs": 0.25,
            "processor_hours": 1,
            "share_of_work": 0.1,
        },
    ]
    assert captions(owners)["users"] == (
        "The largest by processor-hours of 2. Gini coefficient, 0 = all equal: 0.17 of jobs, "
        "0.28 of processor-hours. Bars: processor-hours."
    )


def test_more_than_ten_are_summed_and_the_sum_is_not_drawn() -> None:
    owners = Owners(Header())
    owners.add(jobs(user=np.arange(1, 14)))
    (table,) = owners.panels()

    assert isinstance(table, ResultTable)
    assert [row[0] for row in table.rows][-2:] == ["10", "3 others"]
    assert table.rows[-1][1:3] == (3, 3 / 13)
    assert table.drawn() == [1.0] * 10 + [0.0]


def test_queues_have_the_headers_names() -> None:
    header = Header((" Queue: 1 express", " Queue: 2  high priority"))
    part = jobs(queue=[1, 2, 7], run=[3, 2, 1])

    assert [row["queue"] for row in panels(Owners(header), part)["queues"]] == [
        "1 express",
        "2 high",
        "7",
    ]


def test_without_users_and_queues_there_is_nothing() -> None:
    assert panels(Owners(Header()), jobs(run=[1])) == {}
