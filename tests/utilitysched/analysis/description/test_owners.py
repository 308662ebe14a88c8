"""The largest users and queues."""

from __future__ import annotations

import numpy as np

from swfx import Header
from tests.utilitysched.analysis.description.sections import HOUR, captions, jobs, panels
from utilitysched.analysis.description.jobs import Owners
from utilitysched.analysis.documents import ResultTable


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
