"""Importer of the Slurm simulator's events: each option, and a week of UB-HPC."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, open_workload
from swfx.families.formats.slurm_events import SlurmEvents
from tests.swfx.families.formats.golden import FOLDER, told

EVENT = (
    "-dt 10 -e submit_batch_job | -sim-walltime 60 --uid=u1 -J jobid_5 -N 2 -n 8 -t 10 pseudo.job"
)


def test_golden() -> None:
    golden = (FOLDER / "slurm_events" / "small.golden").read_text("utf-8")

    assert told(golden.partition("\n")[0], FOLDER / "slurm_events" / "small.txt") == golden


def test_whole_nodes_of_a_known_size() -> None:
    data = EVENT.replace("-t 10", "-t 10 --exclusive").encode()

    unknown = SlurmEvents().read(data, "log")
    known = SlurmEvents(cores_per_node=32).read(data, "log")

    assert unknown.workload.processors.tolist() == [8]
    assert unknown.report.lines_of("whole-nodes").tolist() == [1]
    assert known.workload.processors.tolist() == [64]
    assert "whole-nodes" not in known.report.counts()


@pytest.mark.parametrize(("value", "processors"), [("user", 8), ("mcs", 8), ("topo", 64)])
def test_nodes_that_a_user_has_alone_are_shared_by_her_jobs(value: str, processors: int) -> None:
    data = EVENT.replace("-t 10", f"-t 10 --exclusive={value}").encode()

    log = SlurmEvents(cores_per_node=32).read(data, "log")

    assert log.workload.processors.tolist() == [processors]


def test_the_week_of_ub_hpc(traces: Path) -> None:
    path = traces / "ubhpc-workload_week.events.gz"

    workload, report = open_workload(f"slurm-events:{path}")

    assert (report.lines, report.kept, report.dropped) == (19_579, 19_579, 0)
    assert report.lines_accounted()
    assert (np.diff(workload.submit) >= 0).all()
    assert round((workload.submit[-1] - workload.submit[0]) / 86_400, 1) == 6.9
    assert len(np.unique(workload.user)) == 64
    assert report.counts()["whole-nodes"] == 177
    names = dict(line.split() for line in workload.header.all("QOS"))
    jobs = Counter(names[str(queue)] for queue in workload.queue.tolist())
    assert jobs == {
        "priority": 13_143,
        "general-compute": 4_832,
        "supporters": 1_111,
        "priority-supporters": 424,
        "debug": 69,
    }
    assert workload.header.all("Partition") == ("1 general-compute", "2 debug")
    assert np.bincount(workload.partition).tolist() == [0, 19_579 - 69, 69]
    assert (workload.wait == -1).all()
    first = workload[:1]
    assert (first.run.item(), first.size.item(), first.request.item()) == (84_805, 32, 259_200)
    assert first.requested_memory.item() == 500 * 1024**2 / 32


def test_another_file_is_refused() -> None:
    with pytest.raises(InputError, match="log: holds no submit_batch_job events; give an events"):
        SlurmEvents().read(b"1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n", "log")


@given(
    st.lists(
        st.lists(
            st.sampled_from([*EVENT.split(), "-N=x", "--mem=9Q", "--exclusive", "-c", "", "cancel"])
        ).map(" ".join)
    )
)
def test_every_line_is_a_job_or_listed_once(lines: list[str]) -> None:
    log = SlurmEvents().read("\n".join([EVENT, *lines]).encode(), "log")

    gone = [
        line
        for line, code in zip(log.report.line.tolist(), log.report.rule.tolist(), strict=True)
        if log.report.rules[code].action == "dropped"
    ]
    records = [n for n, line in enumerate(lines, 2) if line.strip()]
    assert sorted([*gone, *log.line.tolist()]) == [1, *records]
    assert log.report.lines_accounted()


def test_a_product_that_no_workload_can_hold_is_listed() -> None:
    huge = EVENT.replace("-n 8", "-n 9007199254740992 --cpus-per-task=2")

    result = SlurmEvents().read(f"{EVENT}\n{huge}\n".encode(), "log")

    assert result.workload.processors.tolist() == [8]
    assert result.report.lines_of("beyond-limit").tolist() == [2]
