"""Order by priority on a real Slurm: fair share places jobs, the market says which come first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.reconcile import PREFERRED
from utilitysched_slurm.worth import worth_by

pytestmark = pytest.mark.slurm

SETTINGS = (
    "PartitionName=main Nodes=n1 Default=YES MaxTime=60 State=UP",
    "PriorityType=priority/multifactor",
    "PriorityWeightFairshare=1000",
    "PriorityWeightAge=1000",
)


@pytest.fixture
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    accounts = ("add account physics", "add user root account=physics")
    with PrivateCluster({"n1": "CPUs=2 RealMemory=1000"}, SETTINGS, (), accounts) as started:
        yield started


def waiting(cluster: PrivateCluster) -> dict[str, tuple[int, int]]:
    """Nice and priority of each job that waits."""
    form = "--Format=JobID:20,Nice:20,PriorityLong:20"
    lines = cluster.run("squeue", "--noheader", "--states=PENDING", form).splitlines()
    return {job: (int(nice), int(priority)) for job, nice, priority in map(str.split, lines)}


def test_slurm_starts_first_what_the_market_puts_first(
    ours: PrivateCluster, tmp_path: Path
) -> None:
    scheduler, terms = make_scheduler("value-density"), DriverTerms(hold=False)
    with Driver(tmp_path, commands, scheduler, worth_by("none", 0), terms) as market:
        first = str(ours.submit("-n2", "-t5", script="sleep 10"))
        ours.wait(lambda: ours.states()[first] == "RUNNING", "for the machine to be full")
        cheap = str(ours.submit("-n2", "-t5", "--comment=0:1,1h:0", script="sleep 5"))
        dear = str(ours.submit("-n2", "-t5", "--comment=0:99,1h:0", script="sleep 20"))

        def started() -> bool:
            market.cycle()
            assert all(priority > 0 for _, priority in waiting(ours).values())
            return ours.states()[dear] == "RUNNING"

        ours.wait(started, "for the job that bids more")
        assert ours.states()[cheap] == "PENDING"
        market.cycle()
        assert waiting(ours)[cheap][0] == PREFERRED
        assert market.release_all() == {}

    assert waiting(ours)[cheap][0] == 0
    assert 0 < waiting(ours)[cheap][1] < -PREFERRED
