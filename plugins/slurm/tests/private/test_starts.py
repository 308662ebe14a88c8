"""Order of starts on a real Slurm and in a simulation of its own configuration and log.

Limits are whole minutes on Slurm, so jobs are: of one or two minutes, each a second shorter than
its limit. Where orders differ, one of these is why:

- Backfilling plans whole nodes for jobs that wait; here nodes have one processor each.
- It takes jobs that end within 30 s of each other for ones that end together, so that others may
  run until the last of them ends.
- FIFO passes by a job that a reservation bars; in a simulation without backfilling it stops its
  pool.
- Slurm has one queue; a simulation goes through one pool after the other, which matters where a
  limit holds for both, such as that of an account.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from swfx import open_workload
from utilitysched import simulate

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root is several users"),
]

NODES = dict.fromkeys((*(f"m{n}" for n in range(1, 9)), "s1", "s2", "s3", "s4"), "CPUs=1")
"""Of a processor each: backfilling of Slurm plans whole nodes."""

BACKFILL = "bf_interval=1,bf_resolution=1,bf_window_linear=1,bf_continue"
"""Without ``bf_window_linear`` it tells ends apart less and less the later they are."""

SETTINGS = (
    "PartitionName=main Nodes=m[1-8] Default=YES MaxTime=60",
    "PartitionName=side Nodes=s[1-4] MaxTime=60",
    "AccountingStorageEnforce=associations,limits,qos",
    "SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0," + BACKFILL,
)
ACCOUNTS = (
    "add qos narrow MaxTRESPerUser=cpu=3",
    "add account physics GrpTRES=cpu=8",
    "add account chemistry",
    "add user daemon account=physics qos=normal,narrow defaultqos=normal",
    "add user bin account=physics qos=normal,narrow defaultqos=normal",
    "add user games account=chemistry qos=normal,narrow defaultqos=normal MaxJobs=2",
    "add user man account=chemistry qos=normal,narrow defaultqos=normal",
)
WIDTHS = {"main": (1, 1, 1, 2, 2, 3, 4, 6), "side": (1, 1, 2, 3)}
USERS, JOBS, SEED = ("daemon", "bin", "games", "man", "man"), 20, 66

LISTINGS = {
    "assoc.txt": ("sacctmgr", "-P", "show", "assoc"),
    "qos.txt": ("sacctmgr", "-P", "show", "qos"),
    "reservations.txt": ("scontrol", "-o", "show", "reservation"),
}
COLUMNS = "JobID,User,Account,Partition,QOS,Submit,Start,End,State,AllocCPUS,Timelimit"
SCHEDULERS = {
    "builtin": "fcfs:placement=none",
    "backfill": "easy:reservations=all",
}


class PlannedJob(NamedTuple):
    """A job to be: options of sbatch, its length in minutes, and the pause behind it (s)."""

    options: tuple[str, ...]
    minutes: int
    pause: float


class Start(NamedTuple):
    """When a job started (s since the first submission)."""

    partition: str
    job: int
    recorded: float
    simulated: float


def planned() -> Iterator[PlannedJob]:
    """Jobs at random."""
    random = Random(SEED)
    for _ in range(JOBS):
        partition = random.choice([*WIDTHS])
        width = random.choice(WIDTHS[partition])
        qos = random.choice(("normal", "normal", "narrow")) if width <= 3 else "normal"
        minutes = random.choice((1, 1, 1, 2))
        options = (
            f"--uid={random.choice(USERS)}",
            f"--qos={qos}",
            f"--partition={partition}",
            f"--ntasks={width}",
            f"--time={minutes}",
        )
        yield PlannedJob(options, minutes, random.uniform(1, 4))


@pytest.fixture
def clusters(slurm: None) -> Iterator[dict[str, PrivateCluster]]:
    with ExitStack() as opened:
        yield {
            name: opened.enter_context(
                PrivateCluster(NODES, (*SETTINGS, f"SchedulerType=sched/{name}"), (), ACCOUNTS)
            )
            for name in SCHEDULERS
        }


def describe(cluster: PrivateCluster, folder: Path) -> None:
    """Write down what a centre would: slurm.conf, and listings beside it."""
    folder.mkdir()
    conf = cluster.folder / "etc" / "slurm.conf"
    (folder / conf.name).write_text(conf.read_text())
    for name, command in LISTINGS.items():
        (folder / name).write_text(cluster.run(*command))


def run_jobs(clusters: dict[str, PrivateCluster]) -> None:
    """Submit the same jobs to each cluster, and wait until all have ended."""
    for job in planned():
        for cluster in clusters.values():
            cluster.submit(*job.options, script=f"sleep {60 * job.minutes - 1}")
        time.sleep(job.pause)
    for cluster in clusters.values():
        cluster.wait(lambda at=cluster: {*at.states().values()} == {"COMPLETED"}, "for the end")


def starts(folder: Path, scheduler: str) -> Iterator[Start]:
    """Starts in a recorded listing, and in a simulation of the configuration beside it."""
    workload = open_workload(f"slurm:{folder / 'sacct.txt'}").workload
    schedule = simulate(workload, scheduler, machine=folder / "slurm.conf")
    partitions = workload.labels.of("partition").of_jobs()
    recorded = workload.submit + workload.wait
    yield from map(Start, partitions, workload.job_id, recorded, schedule.start)


def in_order(rows: Iterable[Start]) -> int:
    """Largest number of jobs whose starts follow each other in the same order in both."""
    longest: list[float] = []
    for recorded in (
        row.recorded for row in sorted(rows, key=lambda row: (row.simulated, row.recorded))
    ):
        place = bisect_right(longest, recorded)
        longest[place : place + 1] = [recorded]
    return len(longest)


def test_jobs_start_in_the_order_of_slurm(
    clusters: dict[str, PrivateCluster], tmp_path: Path
) -> None:
    begin = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 120))
    for name, cluster in clusters.items():
        cluster.run(
            "scontrol", "create", "reservation", "ReservationName=service", f"StartTime={begin}",
            "Duration=1", "Nodes=s[1-4]", "Flags=MAINT", "Users=root",
        )  # fmt: skip
        describe(cluster, tmp_path / name)
    run_jobs(clusters)
    for name, cluster in clusters.items():
        listed = cluster.run("sacct", "-XaP", f"--format={COLUMNS}")
        (tmp_path / name / "sacct.txt").write_text(listed)
        rows = [*starts(tmp_path / name, SCHEDULERS[name])]
        same = sum(in_order(row for row in rows if row.partition == each) for each in WIDTHS)
        print(f"{name}: {same} of {len(rows)} jobs start in the same order")
        for row in rows:
            print(*row)
        assert same >= 0.7 * len(rows) == 0.7 * JOBS, rows
