"""The market in the shadow of a real Slurm, and comments that Slurm refuses at submission."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import SCRIPTS, PrivateCluster
from plugins.slurm.tests.test_comments import BAD_BIDS, CURVES, NO_BIDS
from utilitysched.runs.stored import read_run
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.comments import MOST, read_bid
from utilitysched_slurm.preconditions import checked
from utilitysched_slurm.watch import Shadow
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

TEXTS = [*(case[0] for case in (*CURVES, *BAD_BIDS)), *NO_BIDS]
READABLE = [text for text in TEXTS if len(text) <= MOST and not text.startswith("{")]
"""Comments that neither Slurm itself refuses, nor the script leaves to the watch."""

ACCOUNTING = ("--allusers", "--duplicates", "--allocations", "--noheader", "--parsable2")


@pytest.fixture(scope="module")
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    nodes = {f"n{number}": "CPUs=2 RealMemory=1000" for number in (1, 2)}
    partition = "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=60 State=UP"
    accounts = ("add account physics", "add user root account=physics")
    with PrivateCluster(
        nodes, (partition, "JobSubmitPlugins=lua"), (), accounts, SCRIPTS
    ) as started:
        yield started


def test_the_watch_lists_what_sacct_lists(ours: PrivateCluster, tmp_path: Path) -> None:
    with Shadow(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0)) as shadow:
        shadow.look(time.time())
        again = ours.submit("-n1", "-t1", script="sleep 5")
        wide = ours.submit("-n4", "-t1", "--comment=deadline=4h,value=40", script="sleep 2")
        ours.submit("-n1", "-t1", "--array=1-3%2", script="sleep 1")
        ours.submit("-n1", "-t1", script="exit 3")
        time.sleep(2)  # at once, a requeue would be a second late in Slurm's own books
        shadow.look(time.time())
        ours.run("scontrol", "requeue", str(again))
        ours.wait(lambda: _looked(ours, shadow), "for the jobs to end")
        runs = shadow.write_runs(lambda _: None)
    rows = (line.split("|") for line in shadow.journal.listing.read_text().splitlines()[1:])
    listed = sorted([row[place] for place in (0, 8, 5, 12, 9)] for row in rows)

    ours.wait(lambda: len(_accounted(ours)) == len(listed), f"for sacct to list {listed}")
    told = _accounted(ours)
    assert [row[:-1] for row in listed] == [row[:-1] for row in told]
    assert [state for _, _, state, _, _ in listed].count("REQUEUED") == 1
    for (*run, end), (*_, theirs) in zip(listed, told, strict=True):
        late = datetime.fromisoformat(end) - datetime.fromisoformat(theirs)
        # of a requeue, a watch knows the submission that follows
        assert timedelta(0) <= late <= timedelta(seconds="REQUEUED" in run), run
    recorded, other = (read_run(path) for path in runs.values())
    assert len(recorded.start) == len(other.start) == 6
    curve = recorded.workload.utility[recorded.workload.job_id.tolist().index(wide)]
    assert curve is not None
    assert curve.values.tolist() == [40.0, 40.0]


def _looked(cluster: PrivateCluster, shadow: Shadow) -> bool:
    over = not set(cluster.states().values()) & {"PENDING", "RUNNING", "COMPLETING"}
    shadow.look(time.time())
    return over


def _accounted(cluster: PrivateCluster) -> list[list[str]]:
    asked = (*ACCOUNTING, "--format=JobID,Start,State,AllocCPUS,End")
    return sorted(line.split("|") for line in cluster.run("sacct", *asked).splitlines())


def test_a_private_cluster_meets_all_preconditions(ours: PrivateCluster) -> None:
    assert ours.started
    found = checked(time.time())

    assert [each.name for each in found if each.problem] == ["operators"] * (os.geteuid() > 0)
    told = {each.name: each.found for each in found}
    assert told["operators"] == "0"
    assert told["job_submit.lua"].endswith("submissions and changes")


@pytest.mark.parametrize("text", READABLE)
def test_slurm_refuses_the_bids_that_cannot_be_read(ours: PrivateCluster, text: str) -> None:
    job = ("-n1", "-t1", "--hold", f"--comment={text}")

    if read_bid(text, time.time(), UTC).problem:
        with pytest.raises(AssertionError, match="comment: "):
            ours.submit(*job)
    else:
        ours.submit(*job)
