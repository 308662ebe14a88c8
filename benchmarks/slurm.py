"""One look of the watch at a large Slurm: reading its JSON, deciding, and recording."""

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest import mock

from benchmarks.row import Row
from benchmarks.timing import timed
from tests.slurm.cluster import PrivateCluster, missing_programs
from tests.utilitysched.slurm.clusters import recorded
from utilitysched.schedulers.registry import make_scheduler
from utilitysched.slurm import commands
from utilitysched.slurm.reading import read_jobs, read_pool
from utilitysched.slurm.watch import Shadow
from utilitysched.slurm.worth import worth_by

SCHEDULERS = ("easy", "value-density", "ga")
QUEUED, RUNNING = 5000, 249
NODES, CORES, WIDE = 1000, 32, 4
"""Nodes, processors of one, and nodes that each running job has: so four are free."""

LOOKS, EVERY, BEGAN = 9, 30, 1_795_464_000
"""Looks, and s from one to the next since when."""

UNREAD = {f"unread_{place}": "of no interest" for place in range(75)}
"""What makes an entry as long as one of a real squeue: 3.1 kB with Slurm 22.05."""

MANY_NODES = (
    "NodeName=x[1-999] NodeHostname={host} NodeAddr=127.0.0.1 Port=[31001-31999] State=DOWN",
    "PartitionName=main Nodes=n1 Default=YES MaxTime=60 State=UP",
    "PartitionName=rest Nodes=x[1-999] MaxTime=60 State=UP",
)
SUBMIT = (
    "for job in $(seq {jobs}); do sbatch -Q -n1 -t5 --chdir=/ --output=/dev/null"
    " --comment=deadline=4h,value=40 --wrap 'sleep 99' || exit; done"
)
ACCOUNTS = ("add account physics", "add user root account=physics")
BATCH = 500
"""Submitted at a time."""


class Centre:
    """A full cluster: at each look a running job has ended, and the next is to start."""

    def __init__(self) -> None:
        row, node = recorded("queue")["jobs"][0] | UNREAD, recorded("nodes")["nodes"][0]
        random = Random(20)
        self._rows = [_submitted(row, number, random) for number in range(QUEUED + RUNNING + LOOKS)]
        self._nodes = json.dumps(
            {
                "nodes": [
                    node
                    | {"name": f"n{number}", "cpus": CORES, "state_flags": []}
                    | {"state": "idle", "idle_cpus": 0 if number >= WIDE else CORES}
                    for number in range(NODES)
                ]
            }
        )
        self.text = ""

    def move_to(self, look: int) -> float:
        """Have all be as it is at a look, and return when that is (s)."""
        now = BEGAN + EVERY * look
        over = self._rows[max(0, look - 1) : look]
        runs = self._rows[look : look + RUNNING]
        waits = self._rows[look + RUNNING :][:QUEUED]
        done = {"job_state": "COMPLETED", "end_time": now - 1}
        self.text = json.dumps(
            {"jobs": [*(_began(row) | done for row in over), *map(_began, runs), *waits]}
        )
        return now

    def queue(self) -> dict[str, Any]:
        """Return what squeue would print, read from text."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    def nodes(self) -> dict[str, Any]:
        """Return what sinfo would print, read from text."""
        found: dict[str, Any] = json.loads(self._nodes)
        return found


def _submitted(row: dict[str, Any], number: int, random: Random) -> dict[str, Any]:
    submit = BEGAN - 10 * (QUEUED + RUNNING + LOOKS - number)
    return row | {
        "job_id": number + 1,
        "job_state": "PENDING",
        "state_reason": "Priority",
        "priority": 4_294_900_000,
        "submit_time": submit,
        "eligible_time": submit,
        "time_limit": random.randint(60, 2880),
        "cpus": CORES * 2 ** random.randint(0, 6),
        "user_name": f"user{random.randrange(300)}",
        "comment": f"deadline={random.randint(24, 72)}h,value=9" if number % 2 else "",
    }


def _began(row: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of a job that runs since the last look, or since before the first."""
    start = BEGAN + EVERY * max(0, row["job_id"] - RUNNING) - 1
    return row | {
        "job_state": "RUNNING",
        "state_reason": "None",
        "start_time": start,
        "end_time": start + 60 * row["time_limit"],
        "cpus": CORES * WIDE,
    }


def measure() -> Iterator[Row]:
    """Let each scheduler look some times; the first look, at which all jobs are new, is apart."""
    centre = Centre()
    centre.move_to(0)
    reading, _ = timed(lambda: (read_jobs(centre.queue()), read_pool(centre.nodes())))
    size = len(centre.text) / 1e6
    for name in SCHEDULERS:
        first, *later = _looks(centre, name)
        note = f"{reading:.2f} s for reading {size:.0f} MB of JSON; the first look {first:.1f} s"
        what = f"a look at {QUEUED:,} queued on {NODES:,} nodes, {name}"
        yield Row(what, median(later), "CPU s", 1, note=note)
    if not missing_programs():
        yield _real()


def _real() -> Row:
    """Let one scheduler look at a Slurm of our own, of whose nodes one is started."""
    host = socket.gethostname().partition(".")[0]
    settings = (line.format(host=host) for line in MANY_NODES)
    with (
        tempfile.TemporaryDirectory() as folder,
        PrivateCluster({"n1": "CPUs=2"}, (*settings, "MaxJobCount=20000"), (), ACCOUNTS) as cluster,
        mock.patch.dict(os.environ, cluster.environment()),
        Shadow(Path(folder), commands, make_scheduler("easy"), worth_by("none", 0)) as watch,
    ):
        for _ in range(QUEUED // BATCH + 1):
            cluster.run("bash", "-c", SUBMIT.format(jobs=BATCH))
        clock, ours = [], []
        for _ in range(LOOKS):
            began = time.perf_counter()
            spent, note = timed(lambda: watch.look(time.time()))
            assert note.queued >= QUEUED
            clock.append(time.perf_counter() - began)
            ours.append(spent)
    said = f"on the clock, {median(ours):.2f} CPU s of it ours, the rest Slurm's"
    return Row("the same from squeue on, a real Slurm, easy", median(clock), "s", 2, note=said)


def _looks(centre: Centre, scheduler: str) -> list[float]:
    """Return the CPU seconds of each look."""
    spent, wanted = [], 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Shadow(Path(folder), centre, make_scheduler(scheduler), worth_by("default", 0)) as watch,
    ):
        for look in range(LOOKS):
            seconds, note = timed(partial(watch.look, centre.move_to(look)))
            assert (note.queued, note.free) == (QUEUED, CORES * WIDE)
            spent.append(seconds)
            wanted += len(note.starts)
        assert len(watch.journal) == LOOKS - 1
    assert wanted
    return spent
