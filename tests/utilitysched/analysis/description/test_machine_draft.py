"""First drafts of machine files: valid, as large as the log was full, with examples that work."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swfx import Header, Workload
from swfx.clock import calendar_of
from swfx.machine import Machine, Pool, read_machine
from utilitysched import simulate
from utilitysched.analysis.description.machine import machine_draft
from utilitysched.model.machine_table import machine_table

NAMES = (
    *(" Partition: 1 batch", " Partition: 2 gpu", " Partition: 3 gpu,batch"),
    *(" Account: 1 Größe", " QOS: 1 long"),
)


def log(*header: str, **columns: Any) -> Workload:
    jobs = {"submit": [0, 0, 5, 8], "wait": [0, 5, 5, 2], "run": [10, 10, 10, 1]}
    sizes = {"processors": [4, 2, 3, 2]}
    return Workload.from_columns(header=Header((*NAMES, *header)), **jobs | sizes | columns)


def drafted(workload: Workload, folder: Path, text: str = "") -> Machine:
    file = folder / "machine.toml"
    file.write_text(text or machine_draft(workload, "log.swf"), "utf-8")
    return read_machine(file, calendar_of(workload.header))


def test_pools_are_the_partitions_at_their_fullest(tmp_path: Path) -> None:
    gpus = {"tres/gres/gpu": [-1, 2, 1, -1], "tres/gres/gpu:a100": [-1, 2, 1, -1]}
    workload = log(partition=[1, 2, 2, 1], **gpus)

    assert drafted(workload, tmp_path).pools == (
        Pool("batch", {"processors": 4}),
        # both jobs of it run at 10 s
        Pool("gpu", {"processors": 5, "gpu": 3}),
    )


def test_every_job_of_the_log_has_a_pool_in_which_it_can_run(tmp_path: Path) -> None:
    workload = log(partition=[1, 3, 2, -1], run=[0, 10, 10, 1])
    machine = drafted(workload, tmp_path)

    assert [pool.partitions for pool in machine.pools] == [(), ("gpu", "gpu,batch", "unknown")]
    table = machine_table(machine, workload, np.arange(4))
    assert table.pools.pool.tolist() == [0, 1, 1, 1]
    assert (simulate(workload, "easy", machine=machine).start >= workload.submit).all()


def test_a_log_without_partitions_is_one_pool(tmp_path: Path) -> None:
    assert drafted(log(), tmp_path).pools == (Pool("all", {"processors": 7}),)


def test_without_waits_the_largest_job_counts(tmp_path: Path) -> None:
    workload = log(wait=[-1, -1, -1, -1])

    assert drafted(workload, tmp_path).pools == (Pool("all", {"processors": 4}),)
    assert "The log has no waits" in machine_draft(workload, "log.swf")


def test_memory_is_only_mentioned(tmp_path: Path) -> None:
    workload = log(requested_memory=[1024, 512, -1, -1])

    assert drafted(workload, tmp_path).pools == (Pool("all", {"processors": 7}),)
    assert "# At the fullest: all 5." in machine_draft(workload, "log.swf")


def test_it_says_what_the_header_says_of_several_pools() -> None:
    said = "# The header of the log says 64 processors; here are 9."
    workload = log(" MaxProcs: 64", partition=[1, 2, 2, 1])

    assert said in machine_draft(workload, "log.swf")


def test_the_only_pool_is_as_large_as_the_header_says(tmp_path: Path) -> None:
    assert drafted(log(" MaxProcs: 64"), tmp_path).pools == (Pool("all", {"processors": 64}),)


@pytest.mark.parametrize("start", [(), (" UnixStartTime: 1078605840",)])
def test_examples_can_be_uncommented(start: tuple[str, ...], tmp_path: Path) -> None:
    workload = log(*start, account=[1, 1, -1, -1], qos=[1, 1, 1, 1])
    draft, _, examples = machine_draft(workload, "log.swf").partition("# Examples:")
    uncommented = re.sub("^# ?", "", examples, flags=re.MULTILINE).partition("\n")[2]
    machine = drafted(workload, tmp_path, draft + uncommented)

    assert [limit.name for limit in machine.limits] == [None, "long"]
    assert machine.shares[0].account == "Größe"
    assert machine.windows[0].end - machine.windows[0].begin == 28_800
    assert machine.priority.age == 1000
