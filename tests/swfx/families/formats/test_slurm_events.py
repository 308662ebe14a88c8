"""Importer of the Slurm simulator's events: each option, and a week of UB-HPC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import open_workload
from swfx.families.formats.slurm_events import SlurmEvents

EVENT = "-dt 10 -e submit_batch_job | -sim-walltime 60 -J job_5 -N 2 -n 8 -t 10 {} pseudo.job"


@pytest.mark.parametrize(
    ("option", "tasks", "known"),
    [("", 8, 8), ("=user", 8, 8), ("=mcs", 8, 8), ("=topo", 8, 64), (" ", 8, 64)],
)
def test_whole_nodes_count_where_their_size_is_known(option: str, tasks: int, known: int) -> None:
    data = EVENT.format(f"--exclusive{option}" if option else "").encode()

    unknown = SlurmEvents().read(data, "log")

    assert unknown.workload.processors.tolist() == [tasks]
    assert unknown.report.counts().get("whole-nodes", 0) == (known > tasks)
    assert SlurmEvents(cores_per_node=32).read(data, "log").workload.processors.tolist() == [known]


def test_the_week_of_ub_hpc(traces: Path) -> None:
    workload, report = open_workload(f"slurm-events:{traces / 'ubhpc-workload_week.events.gz'}")

    assert (report.lines, report.kept, report.dropped) == (19_579, 19_579, 0)
    assert report.counts()["whole-nodes"] == 177
    assert round((workload.submit[-1] - workload.submit[0]) / 86_400, 1) == 6.9
    assert len(np.unique(workload.user)) == 64
    assert dict(
        zip(workload.header.all("QOS"), np.bincount(workload.queue)[1:].tolist(), strict=True)
    ) == {
        "1 general-compute": 4_832,
        "2 priority": 13_143,
        "3 priority-supporters": 424,
        "4 debug": 69,
        "5 supporters": 1_111,
    }
    assert (workload.wait == -1).all()
    assert (workload.column("tres/gres/gpu") > 0).sum() == 73
    first = workload[:1]
    assert (first.run.item(), first.size.item(), first.request.item()) == (84_805, 32, 259_200)
    assert first.requested_memory.item() == 500 * 1024**2 / 32


@pytest.mark.parametrize(
    ("option", "gpus"),
    [
        ("--gres=gpu", 2),
        ("--gres=gpu:3 --gres=gpu:3", 6),
        ("--gres=gpu:v100", 2),
        ("--gres=gpu:v100:2", 4),
        ("--gres=craynetwork:1,gpu:a100:4", 8),
        ("--gres=gpumem:4", -1),
        ("", -1),
    ],
)
def test_gpus_count_on_every_node(option: str, gpus: int) -> None:
    workload = SlurmEvents().read(EVENT.format(option).encode(), "log").workload

    assert workload.column("tres/gres/gpu").tolist() == [gpus]


def test_another_file_is_refused() -> None:
    assert not SlurmEvents.recognises(["1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1"])
    huge = EVENT.replace("-n 8", "-n 9007199254740992 --cpus-per-task=2").format("")

    report = SlurmEvents().read(f"{EVENT.format('')}\n{huge}\n".encode(), "log").report

    assert report.lines_of("beyond-limit").tolist() == [2]
