"""Time of a cycle on a large cluster: a measurement, for ``pytest -s -m slurm``.

All nodes but one sleep, so that they need no daemon; jobs that get them wait for ever.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.driver import Driver
from utilitysched_slurm.watch import rehearse
from utilitysched_slurm.worth import worth_by

pytestmark = [pytest.mark.slurm, pytest.mark.long]

NODES, QUEUED, CYCLES = 1000, 5000, 7
SCHEDULER = "ga"

SETTINGS = (
    f"NodeName=c[1-{NODES}] CPUs=4 RealMemory=4000 State=CLOUD NodeAddr=127.0.0.1 Port=9",
    f"PartitionName=main Nodes=n1,c[1-{NODES}] Default=YES MaxTime=600 State=UP",
    "PrivateData=cloud",
    "SuspendProgram=/bin/true",
    "ResumeProgram=/bin/true",
    "SuspendTime=30000",
    "ResumeTimeout=6000",
    "MaxArraySize=2000",
)

SUBMITS = """
for number in $(seq $1 2 $2); do
    sbatch -Q -n2 -t$((10 + number % 50)) --chdir=/ --output=/dev/null \
        --comment=0:$((1 + number % 97)),$((1 + number % 7))h:0 --wrap=true
done
"""


class Spent(NamedTuple):
    """Time that a cycle took (s): all, our processor time, and that of Slurm's programs."""

    wall: float
    own: float
    programs: float


@pytest.fixture(scope="module")
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    accounts = ("add account physics", "add user root account=physics")
    with PrivateCluster({"n1": "CPUs=4 RealMemory=4000"}, SETTINGS, (), accounts) as started:
        yield started


def test_a_cycle_of_a_large_cluster_takes_less_than_a_second(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    ours.submit("-n4", "-t600", f"--array=1-{NODES + 1}", script="sleep 600")
    ours.wait(lambda: "PENDING" not in ours.states().values(), "for all nodes to have jobs")
    ours.run("scontrol", "update", "PartitionName=main", "State=DOWN")
    users = [
        subprocess.Popen(["sh", "-c", SUBMITS, "-", str(first), str(QUEUED)], stdout=-3)
        for first in (1, 2)
    ]
    assert [user.wait() for user in users] == [0, 0]
    ours.run("scontrol", "update", "PartitionName=main", "State=UP")

    spent: list[Spent] = []
    scheduler = make_scheduler(SCHEDULER)
    rehearse(scheduler)
    with Driver(tmp_path, commands, scheduler, worth_by("none", 0)) as market:
        while len(spent) < CYCLES:
            settled = market.report is not None and market.report.left == 0
            before = _times()
            market.cycle()
            one = Spent(*(after - was for after, was in zip(_times(), before, strict=True)))
            print(f"{market.report} {one}")
            spent += [one] * settled
        assert market.report is not None
        assert market.report.queued == QUEUED

    median = Spent(*map(statistics.median, zip(*spent, strict=True)))
    print(f"{QUEUED} jobs queued on {NODES} nodes, {SCHEDULER}: {median}")
    assert median.own + median.programs < 1.0


def _times() -> Spent:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(time.monotonic(), time.process_time(), used.ru_utime + used.ru_stime)
