"""What jobs waited for on the pools of a machine file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from swfx.machine import Limit, Machine, Pool, Window
from utilitysched.report.waiting import causes, sentence, short
from utilitysched.runs.stored import StoredRun
from utilitysched.runs.waiting import Holder, WaitingRun, WaitReason, queued_job

NAMES = Header((" User: 1 ann", " User: 2 bob", " Account: 1 physics", " Partition: 1 gpu"))
POOL = Pool("gpu", {"processors": 8, "gpu": 2})


def ran(machine: Machine, start: list[float], **columns: Any) -> WaitingRun:
    """Three jobs, submitted at 0 s, of 10 s and 4 processors each, and when they started."""
    workload = Workload.from_columns(
        **{
            "submit": [0, 0, 0],
            "run": [10, 10, 10],
            "requested_time": [20, 20, 20],
            "processors": [4, 4, 4],
            "user": [1, 2, 1],
            "account": [1, 1, 1],
            "partition": [1, 1, 1],
        }
        | columns,
        header=NAMES,
    )
    begin = np.array(start, np.float64)
    record: dict[str, Any] = {"simulation": {"machine": machine.to_dict()}}
    waiting = WaitingRun.of(StoredRun(workload, begin, begin + workload.run, record))
    assert waiting is not None
    return waiting


def test_without_a_machine_file_there_is_nothing_to_explain() -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])

    assert WaitingRun.of(StoredRun(jobs, np.zeros(1), np.ones(1), {"simulation": {}})) is None


def test_a_resource_of_which_too_little_is_free() -> None:
    run = ran(Machine((POOL,)), [0, 0, 10])

    reason = run.at(0).reason(2)

    assert reason == WaitReason(
        "resource", "gpu", "processors", 4, 8, 8, (Holder("user ann", 4), Holder("user bob", 4))
    ) or reason.key == ("resource", "gpu", "processors")
    assert short(reason) == "processors: needs 4, 0 of 8 free"
    assert sentence(run.at(0), 2) == (
        "Job 3 waits for processors in pool gpu: it needs 4, and 0 of 8 are free; in use by user"
        " ann (4), user bob (4)."
    )
