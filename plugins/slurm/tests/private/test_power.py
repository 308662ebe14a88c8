"""Power saving on a real Slurm: nodes that sleep are woken by jobs of the market."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.driver import Driver
from utilitysched_slurm.reading import read_pool
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

POWER_SAVING = (
    "SuspendProgram=/bin/true",
    "ResumeProgram=/bin/true",
    "SuspendTime=3",
    "SuspendTimeout=2",
    "ResumeTimeout=600",
)
NODES = ("n1", "n2")


@pytest.fixture
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    partition = "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=60 State=UP"
    accounts = ("add account physics", "add user root account=physics")
    nodes = dict.fromkeys(NODES, "CPUs=2 RealMemory=1000")
    with PrivateCluster(nodes, (partition, *POWER_SAVING), (), accounts) as started:
        yield started


def states(cluster: PrivateCluster) -> set[str]:
    told = cluster.run("sinfo", "--noheader", "--Node", "--Format=StateComplete:60")
    return set(told.split())


def test_where_all_nodes_sleep_the_market_starts_a_job(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    ours.wait(lambda: all("powered_down" in each for each in states(ours)), "for nodes to sleep")
    assert read_pool(commands.nodes()) == (4, 4)
    job = str(ours.submit("-n3", "-t5", "--comment=0:9,1h:0", script="sleep 4"))

    with Driver(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0)) as market:

        def in_command(over: Callable[[], bool], what: str) -> None:
            def cycled() -> bool:
                market.cycle()
                return over()

            ours.wait(cycled, what)

        in_command(lambda: ours.states()[job] == "CONFIGURING", "for a job that wakes nodes")
        ours.wait(lambda: all("powering_up" in each for each in states(ours)), "for them to boot")
        assert read_pool(commands.nodes()) == (4, 1)
        for name in NODES:
            ours.kill(name)
            ours.restart(name, "-b")  # its slurmd says that the node has booted
        in_command(lambda: ours.states()[job] == "RUNNING", "for nodes that woke")
        in_command(lambda: job not in market.store.active, "for its end")
        lines = market.journal.listing.read_text().splitlines()

    assert [line.split("|")[5] for line in lines if line.startswith(f"{job}|")] == ["COMPLETED"]
