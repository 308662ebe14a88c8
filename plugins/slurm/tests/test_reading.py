"""Jobs and nodes from Slurm's JSON, of four versions."""

from __future__ import annotations

import pytest

from plugins.slurm.tests.clusters import VERSIONS, recorded
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.reading import MOST_TASKS, ProcessorPool, read_jobs, read_pool


@pytest.mark.parametrize("version", VERSIONS)
def test_jobs_are_the_same_in_every_version(version: str) -> None:
    jobs = {job.key: job for job in read_jobs(recorded("queue", version))}

    assert {key for key, job in jobs.items() if job.holds} == {"13", "15_1", "15_2"}
    waits = {key: job.obstacle for key, job in jobs.items() if job.waits}
    tasks = dict.fromkeys(("15_3", "15_4", "15_5", "15_6"), "")
    assert waits == {"4": "held", "12": "held", "14": "", **tasks}
    assert [(key, job.ending) for key, job in jobs.items() if job.over] == [("16", "FAILED")]
    one = jobs["13"]
    assert (one.processors, one.limit, one.start) == (8, 300.0, 1795464393.0)
    assert (jobs["12"].restarts, jobs["15_3"].at_once, jobs["15_1"].number) == (1, 2, 17)


@pytest.mark.parametrize("version", VERSIONS)
def test_idle_processors_of_a_drained_node_do_not_count(version: str) -> None:
    assert read_pool(recorded("nodes", version), "main") == ProcessorPool(processors=16, idle=2)


def test_a_node_in_two_partitions_counts_once() -> None:
    document = recorded("nodes", "24.05")
    document["sinfo"] += [group | {"partition": {"name": "long"}} for group in document["sinfo"]]

    assert read_pool(document) == ProcessorPool(16, 2)


def test_a_partition_has_its_own_jobs() -> None:
    assert read_jobs(recorded("queue"), "long") == []
    with pytest.raises(SlurmError, match="no processors of partition long"):
        read_pool(recorded("nodes"), "long")


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("3-6%2", [3, 4, 5, 6]),
        ("1,4-5", [1, 4, 5]),
        ("0-8:4", [0, 4, 8]),
        ("1-2,5,...", [1, 2, 5]),
        ("0-99999", list(range(MOST_TASKS))),
    ],
)
def test_waiting_tasks_of_an_array_are_jobs(text: str, tasks: list[int]) -> None:
    document = recorded("queue")
    document["jobs"] = [document["jobs"][-1] | {"array_task_string": text}]

    assert [job.key for job in read_jobs(document)] == [f"15_{task}" for task in tasks]
