"""Tables of waits by group."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from swfx import Workload
from swfx.machine import Machine, Pool
from tests.utilitysched.metrics_jobs import schedule_of
from utilitysched.report.groups import MOST, print_groups, use_table, wait_tables


def test_a_table_for_each_kind_with_several_groups() -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[9, 9], processors=[1, 3], queue=[1, 2])
    runs = {"easy": (jobs, schedule_of(jobs, [3, 1])), "saf": (jobs, schedule_of(jobs, [0, 4]))}

    (table,) = wait_tables(runs)

    assert table.caption == "Waits by queue (s)"
    assert table.texts() == [
        ["2", "1", "75.0", "1", "4", "1", "4", "1", "4"],
        ["1", "1", "25.0", "3", "0", "3", "0", "3", "0"],
    ]


def test_only_the_largest_groups_have_rows() -> None:
    count = MOST + 3
    jobs = Workload.from_columns(
        submit=np.zeros(count), run=np.ones(count), processors=np.ones(count), queue=range(count)
    )

    (table,) = wait_tables({"easy": (jobs, schedule_of(jobs, [0] * count))})

    assert [row[0] for row in table.texts()[-2:]] == [str(MOST - 1), "3 others"]


def test_weeks_that_one_run_alone_has() -> None:
    early = Workload.from_columns(submit=[0, 0], run=[9, 9], processors=[1, 1])
    late = early.replace(submit=[0.0, 700_000.0])

    (table,) = wait_tables(
        {"easy": (early, schedule_of(early, [2, 2])), "saf": (late, schedule_of(late, [0, 1]))}
    )

    assert table.texts() == [
        ["0", "2", "100.0", "2", "0", "2", "0", "2", "0"],
        ["1", "1", "50.0", "-", "1", "-", "1", "-", "1"],
    ]


def test_without_a_machine_file_no_resource_is_named() -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[9, 9], processors=[1, 3], queue=[1, 2])
    runs = {"easy": (jobs, schedule_of(jobs, [3, 1]))}

    assert use_table(runs) is None


def test_each_resource_of_a_machine_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine((Pool("all", {"processors": 8, "gpu": 4}),), nodes=2)
    jobs = Workload.from_columns(
        submit=[0, 0], run=[10, 10], processors=[3, 4], **{"tres/gres/gpu": [1, 2]}
    )
    schedule = replace(schedule_of(jobs, [0, 10]), provenance={"machine": machine.to_dict()})

    print_groups({"easy": (jobs, schedule), "saf": (jobs, schedule)})

    assert [line.split() for line in capsys.readouterr().out.splitlines()[6:8]] == [
        ["all", "processors", "8", "50.0", "50.0"],
        ["all", "gpu", "4", "37.5", "37.5"],
    ]
