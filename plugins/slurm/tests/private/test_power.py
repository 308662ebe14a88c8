"""Power saving on a real Slurm: nodes that sleep are woken by jobs of the market."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster, script_for
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.driver import HEARTBEAT, Driver
from utilitysched_slurm.reading import read_pool
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

SETTINGS = (
    "JobSubmitPlugins=lua",
    "SuspendProgram=/bin/true",
    "ResumeProgram=/bin/true",
    "SuspendTime=3",
    "SuspendTimeout=2",
    "ResumeTimeout=600",
)
NODES = ("n1", "n2")

BOOTS = 8
"""s that the nodes take at least, twice as long as the job runs: nobody pays for that."""


@pytest.fixture
def cluster(slurm: None, tmp_path: Path) -> Iterator[PrivateCluster]:
    partition = "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=60 State=UP"
    accounts = ("add account physics", "add user root account=physics")
    nodes = dict.fromkeys(NODES, "CPUs=2 RealMemory=1000")
    scripts = script_for(tmp_path / HEARTBEAT, tmp_path / "scripts")
    with PrivateCluster(nodes, (partition, *SETTINGS), (), accounts, scripts) as started:
        yield started


def states(cluster: PrivateCluster) -> set[str]:
    told = cluster.run("sinfo", "--noheader", "--Node", "--Format=StateComplete:60")
    return set(told.split())


def test_where_all_nodes_sleep_the_market_starts_a_job(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    ours.wait(lambda: all("powered_down" in each for each in states(ours)), "for nodes to sleep")
    assert read_pool(commands.nodes()) == (4, 4)

    with Driver(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0)) as market:
        market.beat(tmp_path / HEARTBEAT)
        job = str(ours.submit("-n3", "-t5", "--comment=0:9,1h:0", script="sleep 4"))
        assert "JobHeldUser" in ours.run("squeue", "--format=%r")

        def in_command(over: Callable[[], bool], what: str) -> None:
            def cycled() -> bool:
                market.cycle()
                return over()

            ours.wait(cycled, what)

        in_command(lambda: ours.states()[job] == "CONFIGURING", "for a job that wakes nodes")
        ours.wait(lambda: all("powering_up" in each for each in states(ours)), "for them to boot")
        assert read_pool(commands.nodes()) == (4, 1)
        time.sleep(BOOTS)
        for name in NODES:
            ours.kill(name)
            ours.restart(name, "-b")  # its slurmd says that the node has booted
        in_command(lambda: ours.states()[job] == "RUNNING", "for nodes that woke")
        in_command(lambda: job not in market.store.active, "for its end")
        lines = market.journal.listing.read_text().splitlines()

    runs = [line.split("|") for line in lines if line.startswith(f"{job}|")]
    assert [run[5] for run in runs] == ["COMPLETED"]
    charged = ours.run("sacct", "-XnP", "--format=Start,ElapsedRaw", f"--jobs={job}").split("|")
    assert runs[0][8] == charged[0]
    assert int(charged[1]) < BOOTS
