"""Jobs and nodes from the listings of squeue and sinfo."""

from __future__ import annotations

import pytest

from plugins.slurm.tests.clusters import recorded
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.reading import MOST_TASKS, ProcessorPool, read_jobs, read_pool


def test_jobs_are_those_of_the_recording() -> None:
    jobs = {job.key: job for job in read_jobs(recorded("queue"))}

    assert {key for key, job in jobs.items() if job.holds} == {"13", "15_1", "15_2"}
    waits = {key: job.obstacle for key, job in jobs.items() if job.waits}
    tasks = dict.fromkeys(("15_3", "15_4", "15_5", "15_6"), "")
    assert waits == {"4": "held", "12": "held", "14": "", **tasks}
    assert [(key, job.ending) for key, job in jobs.items() if job.over] == [("16", "FAILED")]
    one = jobs["13"]
    assert (one.processors, one.limit, one.start) == (8, 300.0, 1795464393.0)
    assert (jobs["12"].restarts, jobs["15_3"].at_once, jobs["15_1"].number) == (1, 2, 17)


def test_idle_processors_of_a_drained_node_do_not_count() -> None:
    assert read_pool(recorded("nodes"), "main") == ProcessorPool(processors=16, idle=2)


def test_a_node_in_two_partitions_counts_once() -> None:
    rows = recorded("nodes")
    rows += [row | {"partitionname": "long"} for row in rows]

    assert read_pool(rows) == ProcessorPool(16, 2)


def test_a_partition_has_its_own_jobs() -> None:
    assert read_jobs(recorded("queue"), "long") == []
    with pytest.raises(SlurmError, match="no processors of partition long"):
        read_pool(recorded("nodes"), "long")


def test_of_the_tasks_of_an_array_that_wait_together_the_first_are_jobs() -> None:
    row = recorded("queue")[-1]
    array = row["arrayjobid"]
    together = [row | {"arraytaskid": str(task)} for task in range(MOST_TASKS + 5)]
    apart = row | {"jobid": "99", "arraytaskid": str(MOST_TASKS + 9)}

    jobs = read_jobs([*together, apart])

    assert [job.key for job in jobs[:-1]] == [f"{array}_{task}" for task in range(MOST_TASKS)]
    assert {job.entry for job in jobs[:-1]} == {array}
    assert (jobs[-1].key, jobs[-1].entry) == (f"{array}_{MOST_TASKS + 9}",) * 2


def test_a_batch_job_that_slurm_launched_twice_is_one() -> None:
    row = next(each for each in recorded("queue") if each["batchflag"] == "1")

    again, interactive = read_jobs([row | {"batchflag": flag} for flag in ("2", "0")])

    assert (again.rerunnable, interactive.rerunnable) == (True, False)
