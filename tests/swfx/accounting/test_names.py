from __future__ import annotations

import numpy as np

from swfx import Header
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.names import Names


def test_numbers_come_in_the_order_of_appearance() -> None:
    names = Names("Queue")

    assert [names.number(name) for name in ("night", "day", " night", "", "0")] == [1, 2, 1, -1, 3]
    assert names.header_lines() == (" Queue: 1 night", " Queue: 2 day", " Queue: 3 0")


def test_a_header_can_hold_any_name() -> None:
    names = Names("User")
    for name in ("a\nb", "tab\there", "\udcff", "é"):
        names.number(name)

    header = Header(names.header_lines())
    assert header.names("User") == {1: "a\nb", 2: "tab\there", 3: "\udcff", 4: "é"}
    assert header.all("User") == ('1 "a\\nb"', '2 "tab\\there"', '3 "\udcff"', "4 é")


def test_labels_that_few_jobs_have_are_columns() -> None:
    jobs = JobColumns()
    for first in range(0, 2000, 500):
        line = np.arange(first, first + 500)
        jobs.extend({"line": line, "account": np.where(np.isin(line, [2, 1500]), 5, -1)})

    account = jobs.known()["account"]
    assert account[[1, 2, 3, 1500]].tolist() == [-1, 5, -1, 5]
    assert int((account > 0).sum()) == 2
    assert jobs.take(np.array([2, 3])).known()["account"].tolist() == [5, -1]
