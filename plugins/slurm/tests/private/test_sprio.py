"""Multifactor priorities against those that a real Slurm prints of the same state."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from plugins.slurm.tests.private.cluster import PrivateCluster
from swfx import Header, Workload
from swfx.machine import Machine, Pool, PriorityWeights, Share
from tests.scale import many
from utilitysched.kernels.machine.priority import refresh
from utilitysched.kernels.machine.usage import UsageState, begin, end, factors
from utilitysched.kernels.policy import scores
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.machine import ShareTable
from utilitysched.model.machine_table import machine_table
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.registry import make_scheduler

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root is several users"),
]

WEIGHT, MAX_AGE, NODES, OF_NODE = 100_000, 120, 4, 2
COLUMNS = {
    "AGE": "age",
    "FAIRSHARE": "fairshare",
    "JOBSIZE": "size",
    "PARTITION": "partition",
    "QOS": "qos",
}
"""Columns of sprio, and what we call the factors."""

PARENTS = {"physics": "", "chemistry": "", "optics": "physics"}
ACCOUNTS = {
    "daemon": "physics",
    "bin": "physics",
    "sys": "optics",
    "games": "optics",
    "man": "optics",
    "mail": "chemistry",
    "news": "chemistry",
}
"""Account of each user; users of the machine's own."""

QOS = {"normal": 0, "low": 10, "high": 50}
PARTITIONS = {"slow": 10, "fast": 40}

SETTINGS = (
    *(
        f"PartitionName={name} Nodes=ALL MaxTime=60 State=UP PriorityJobFactor={factor}"
        for name, factor in PARTITIONS.items()
    ),
    "AccountingStorageEnforce=associations,limits,qos",  # without, usage of short jobs is lost
    "PriorityType=priority/multifactor",
    "PriorityFlags=NO_FAIR_TREE,ACCRUE_ALWAYS",
    "PriorityDecayHalfLife=1-0",
    f"PriorityMaxAge={MAX_AGE // 60}",
    *(f"PriorityWeight{name}={WEIGHT}" for name in ("Age", "Fairshare", "JobSize", "Partition")),
    f"PriorityWeightQOS={WEIGHT}",
)

BLOCKER = "free"
"""QOS whose usage counts for nothing: the job that holds all nodes while others wait."""


class Ran(NamedTuple):
    """A job of sacct or squeue; one that waits has neither start nor end."""

    job: str
    user: str
    partition: str
    qos: str
    submit: int
    processors: int
    start: int = -1
    end: int = -1


def accounts() -> Iterator[str]:
    """Lines of sacctmgr."""
    for name, priority in QOS.items():
        if priority:
            yield f"add qos {name} priority={priority}"
    yield f"add qos {BLOCKER} usagefactor=0"
    yield f"modify user root set qos+={BLOCKER}"
    for name, parent in PARENTS.items():
        yield f"add account {name} parent={parent or 'root'}"
    for user, account in ACCOUNTS.items():
        yield f"add user {user} account={account} qos={','.join(QOS)} defaultqos=normal"


@pytest.fixture
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    nodes = {f"n{number}": f"CPUs={OF_NODE} RealMemory=1000" for number in range(NODES)}
    with PrivateCluster(nodes, SETTINGS, (), accounts()) as started:
        yield started


def submit(cluster: PrivateCluster, random: Random, seconds: int) -> str:
    """Submit a random job of whole nodes."""
    nodes = random.randint(1, NODES)
    return str(
        cluster.submit(
            f"--uid={random.choice([*ACCOUNTS])}",
            f"--qos={random.choice([*QOS])}",
            f"--partition={random.choice([*PARTITIONS])}",
            f"--nodes={nodes}",
            f"--ntasks={nodes * OF_NODE}",
            "--time=30",
            script=f"sleep {seconds}",
        )
    )


def use_and_queue(cluster: PrivateCluster, random: Random) -> None:
    """Let random jobs run, and then others wait for a job that costs nobody anything."""
    left = [job for job, state in cluster.states().items() if state in ("PENDING", "RUNNING")]
    if left:
        cluster.run("scancel", *left)
    running = [submit(cluster, random, random.randint(1, 3)) for _ in range(8)]

    def ended() -> bool:
        return all(cluster.states()[job] == "COMPLETED" for job in running)

    cluster.wait(ended, "for jobs that use something")
    whole = (f"--nodes={NODES}", f"--ntasks={NODES * OF_NODE}", "--time=30")
    blocker = cluster.submit(f"--qos={BLOCKER}", "--partition=fast", *whole, script="sleep 900")
    cluster.wait(lambda: cluster.states()[str(blocker)] == "RUNNING", "for the machine to be full")
    for _ in range(30):
        submit(cluster, random, 1)
    # what is killed later has saved all this
    cluster.end("slurmctld")
    cluster.restart("slurmctld")
    cluster.wait(cluster.answers, "for slurmctld")


def random_shares(cluster: PrivateCluster, random: Random) -> Machine:
    """Give every account and user some shares, and return the machine that we would take it for."""
    accounts = {name: random.randint(1, 9) for name in PARENTS}
    users = {name: random.randint(1, 9) for name in ACCOUNTS}
    lines = [f"modify account {name} set fairshare={has}" for name, has in accounts.items()]
    lines += [f"modify user {name} set fairshare={has}" for name, has in users.items()]
    cluster.run("sacctmgr", "-i", stdin="".join(f"{line}\n" for line in lines))
    shares = [Share(1, user="root")]
    shares += [Share(has, account, parent=PARENTS[account]) for account, has in accounts.items()]
    shares += [Share(has, ACCOUNTS[user], user) for user, has in users.items()]
    of_partitions, of_qos = (
        {name: float(priority) for name, priority in each.items()} for each in (PARTITIONS, QOS)
    )
    weights = PriorityWeights(
        max_age=MAX_AGE, half_life=86400.0, partitions=of_partitions, qos_factors=of_qos
    )
    pool = Pool("all", {"processors": NODES * OF_NODE}, ("*",))
    return Machine((pool,), shares=tuple(shares), priority=weights)


def compute(cluster: PrivateCluster) -> int:
    """Have slurmctld compute fair share, as it starts, and then priorities; return when (s)."""
    state = cluster.folder / "state" / "priority_last_decay_ran"
    before = state.read_bytes()
    cluster.kill("slurmctld")
    cluster.restart("slurmctld")
    cluster.wait(lambda: cluster.answers() and state.read_bytes() != before, "for fair share")

    def waiting() -> list[str]:
        jobs = cluster.run("scontrol", "--oneliner", "show", "job").splitlines()
        return [job for job in jobs if "JobState=PENDING" in job]

    # jobs have no age until they have been looked at
    cluster.wait(lambda: not any("AccrueTime=Unknown" in job for job in waiting()), "for ages")
    numbers = ",".join(job.split()[0].removeprefix("JobId=") for job in waiting())
    begun = ended = -1
    while begun < 0 or begun != ended:
        begun = int(time.time())
        cluster.run("scontrol", "update", f"jobid={numbers}", "nice=0")
        ended = int(time.time())
    return begun


def jobs_of(cluster: PrivateCluster) -> list[Ran]:
    """Jobs that count: those that ran, and those that wait."""
    ended = ("--allusers", "--allocations", "--parsable2", "--noheader", "--starttime=now-1days")
    fields = "--format=State,JobID,User,Partition,QOS,Submit,AllocCPUS,Start,End"
    listed = cluster.run("sacct", *ended, fields, SLURM_TIME_FORMAT="%s").splitlines()
    lines = [line.partition("|")[2] for line in listed if line.startswith("COMPLETED|")]
    form = "--format=%i|%u|%P|%q|%V|%C"
    queue = ("squeue", "--noheader", "--states=PENDING", form)
    lines += cluster.run(*queue, SLURM_TIME_FORMAT="%s").splitlines()
    rows = [line.split("|") for line in lines]
    return [Ran(*row[:4], *map(int, row[4:])) for row in rows]  # type: ignore[arg-type]


def workload_of(jobs: list[Ran]) -> Workload:
    """Return the jobs as a log that names users, accounts, partitions and QOS."""
    names = {
        "User": [job.user for job in jobs],
        "Account": [ACCOUNTS[job.user] for job in jobs],
        "Partition": [job.partition for job in jobs],
        "QOS": [job.qos for job in jobs],
    }
    kinds = {kind: sorted(set(each)) for kind, each in names.items()}
    lines = [f" {kind}: {i} {name}" for kind, each in kinds.items() for i, name in enumerate(each)]
    columns = {
        kind.lower(): [kinds[kind].index(name) for name in each] for kind, each in names.items()
    }
    return Workload.from_columns(
        header=Header(tuple(lines)),
        submit=[job.submit for job in jobs],
        run=[1] * len(jobs),
        requested_time=[60] * len(jobs),
        processors=[job.processors for job in jobs],
        **columns,
    )


def usage_of(jobs: list[Ran], places: Mapping[int, int], shares: ShareTable) -> UsageState:
    """Return the usage of the jobs that ran."""
    changes = [(job.start, begin, number) for number, job in enumerate(jobs) if job.start >= 0]
    changes += [(job.end, end, number) for number, job in enumerate(jobs) if job.start >= 0]
    state = UsageState.blank(len(shares.parent))
    for when, change, number in sorted(changes, key=lambda each: (each[0], each[1] is end)):
        change(state, shares, places[number], float(jobs[number].processors), float(when))
    return state


class UsedSoFar(NamedTuple):
    """Jobs under a scheduler at an instant: what they have used, and who waits."""

    scheduler: ListScheduler
    arrivals: Arrivals
    shares: ShareTable
    usage: UsageState
    queue: NDArray[np.int64]

    @classmethod
    def of(cls, machine: Machine, jobs: list[Ran], text: str) -> Self:
        workload = workload_of(jobs)
        arrivals = Arrivals.of(workload, NODES * OF_NODE)
        scheduler = make_scheduler(text).compiled_on_machine
        shares = scheduler.shares(machine_table(machine, workload, arrivals.order).shares)
        places = {int(job): place for place, job in enumerate(arrivals.order)}
        queue = sorted(places[i] for i, job in enumerate(jobs) if job.start < 0)
        usage = usage_of(jobs, places, shares)
        return cls(scheduler, arrivals, shares, usage, np.array(queue))


def ours(machine: Machine, jobs: list[Ran], text: str, now: int) -> dict[str, float]:
    """Our priority of each job that waits under a scheduler, computed at an instant."""
    scheduler, arrivals, shares, usage, queue = UsedSoFar.of(machine, jobs, text)
    ((order, ranking),) = scheduler.usage_rankings(scheduler.policy(arrivals.known, once=False))
    order.settle(ranking.parameters, shares)
    refresh(usage, shares, float(now), queue, ranking.parameters)
    moment = SchedulingPass(float(now), 0, queue[:0])
    forecast = ForecastRule().blank(len(jobs))
    found = scores(queue, moment, arrivals.known, forecast, ranking, math.inf)
    return {
        jobs[arrivals.order[job]].job: -float(score)
        for job, score in zip(queue, found, strict=True)
    }


def fair_shares(machine: Machine, jobs: list[Ran], now: int) -> dict[str, tuple[float, float]]:
    """Part of all usage, and fair-share factor, of each user with a job that waits."""
    moment = UsedSoFar.of(machine, jobs, "fairshare")
    used, factor = moment.usage.usage, np.empty(len(moment.shares.parent))
    factors(moment.usage, moment.shares, float(now), factor)
    users = {
        jobs[moment.arrivals.order[job]].user: moment.shares.entity[job] for job in moment.queue
    }
    return {user: (used[at] / used[0], factor[at]) for user, at in users.items()}


def told_by_sshare(cluster: PrivateCluster) -> dict[str, tuple[float, float]]:
    """Part of all usage, and fair-share factor, of each user."""
    head, *lines = cluster.run("sshare", "--long", "--all", "--parsable2").splitlines()
    rows = [dict(zip(head.split("|"), line.split("|"), strict=True)) for line in lines]
    return {
        row["User"]: (float(row["NormUsage"]), float(row["FairShare"]))
        for row in rows
        if row["User"]
    }


def test_priorities_are_those_of_sprio(cluster: PrivateCluster) -> None:
    """Within 1%, each factor and the sum, of jobs, usage and shares at random; sshare, too."""
    random = Random(41)
    states = many(4)
    for number in range(states):
        if number % 20 == 0:
            use_and_queue(cluster, random)
        machine = random_shares(cluster, random)
        computed = compute(cluster)
        head, *lines = cluster.run("sprio", "-l").splitlines()
        told = {line.split()[0]: line.split() for line in lines}
        jobs = jobs_of(cluster)
        assert len(told) == sum(job.start < 0 for job in jobs) == 30
        assert sum(job.start >= 0 for job in jobs) % 8 == 0
        fair = told_by_sshare(cluster)
        for user, found in fair_shares(machine, jobs, computed).items():
            assert found == pytest.approx(fair[user], rel=0.01, abs=1e-5), (number, user)
        names = head.split()
        weighted = {name: f"multifactor:{name}={WEIGHT}" for name in COLUMNS.values()}
        together = ",".join(f"{name}={WEIGHT}" for name in COLUMNS.values())
        for column, text in (
            *((names.index(column, 3), weighted[name]) for column, name in COLUMNS.items()),
            (names.index("PRIORITY"), f"multifactor:{together}"),
        ):
            expected = {job: float(row[column]) for job, row in told.items()}
            found = ours(machine, jobs, text, computed)
            assert found == pytest.approx(expected, rel=0.01, abs=2.0), (number, text)
