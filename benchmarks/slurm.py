"""A large Slurm watched and in command: one look, one cycle, and what a day leaves in memory."""

import gc
import json
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
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
from tests.utilitysched.slurm.fake import FakeSlurm, Told
from utilitysched.schedulers.registry import make_scheduler
from utilitysched.slurm import commands
from utilitysched.slurm.driver import Driver, DriverTerms
from utilitysched.slurm.journal import LookNote
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
    " --comment=deadline=4h,value=40 --wrap 'sleep {lasting}' || exit; done"
)
DAY, CYCLE = 86_400, 30
COMING = 6
"""s of the day in command and of a cycle of it, at which so many jobs come."""

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
    for name in SCHEDULERS:
        note = "what Slurm takes is not counted"
        what = f"a cycle in command, {QUEUED:,} queued on {NODES:,} nodes, {name}"
        yield Row(what, median(_cycles(name)), "CPU s", 1, note=note)
    yield _day()
    if not missing_programs():
        yield _real(99, _watched)
        yield _real(1, _commanded)


class Printed(FakeSlurm):
    """A Slurm of our making that prints text to be read, and counts its own CPU seconds."""

    spent = 0.0

    def queue(self) -> dict[str, Any]:
        """Return what squeue would print, read from text."""
        text = self._counted(lambda: json.dumps({"jobs": [r | UNREAD for r in self._rows()]}))
        found: dict[str, Any] = json.loads(text)
        return found

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = super().queue()["jobs"]
        return rows

    def nodes(self) -> dict[str, Any]:
        """Return what sinfo would print, read from text."""
        text = self._counted(lambda: json.dumps(super(Printed, self).nodes()))
        found: dict[str, Any] = json.loads(text)
        return found

    def apply(self, actions: Iterable[Told]) -> dict[str, str]:
        """Do what is told."""
        refused: dict[str, str] = self._counted(lambda: super(Printed, self).apply(actions))
        return refused

    def advance(self, seconds: int) -> None:
        """Let time go by."""
        self._counted(lambda: super(Printed, self).advance(seconds))

    def _counted(self, work: Callable[[], Any]) -> Any:
        seconds, found = timed(work)
        self.spent += seconds
        return found


def _in_command(slurm: FakeSlurm, folder: str, scheduler: str) -> Driver:
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    return Driver(Path(folder), slurm, make_scheduler(scheduler), worth_by("none", 0), terms)


def _cycles(scheduler: str) -> list[float]:
    """Return the CPU seconds of cycles at a full queue, once all of it is admitted."""
    slurm, random = (
        Printed({f"n{number}": CORES for number in range(NODES)}, holds_new=True),
        Random(20),
    )
    with tempfile.TemporaryDirectory() as folder, _in_command(slurm, folder, scheduler) as driver:
        spent: list[float] = []
        while len(spent) < LOOKS:
            waiting = sum(job.state == "PENDING" for job in slurm.jobs.values())
            for _ in range(QUEUED - waiting):
                hours = random.randint(1, 48)
                slurm.submit(
                    cpus=CORES * 2 ** random.randint(0, 6),
                    work=random.randint(600, 3600 * hours),
                    minutes=60 * hours,
                    user=f"user{random.randrange(300)}",
                    comment=f"deadline={random.randint(24, 72)}h,value=9",
                )
            slurm.spent = 0.0
            seconds, _ = timed(driver.cycle)
            assert driver.report is not None
            if not driver.report.left:
                spent.append(seconds - slurm.spent)
            slurm.advance(EVERY)
    return spent


def _day() -> Row:
    """Let jobs come and go for a day of cycles, and see what stays in memory."""
    slurm, random = (
        FakeSlurm({f"n{number}": CORES for number in range(40)}, holds_new=True),
        Random(20),
    )
    half = full = 0.0
    with tempfile.TemporaryDirectory() as folder, _in_command(slurm, folder, "easy") as driver:
        for cycle in range(DAY // CYCLE):
            for _ in range(COMING):
                work = random.randint(60, 1200)
                slurm.submit(
                    cpus=2 ** random.randint(0, 5),
                    work=work,
                    minutes=work // 60 + 5,
                    comment=f"deadline={random.randint(1, 9)}h,value=9",
                )
            driver.cycle()
            slurm.advance(CYCLE)
            slurm.runs.clear()
            if cycle % 10 == 0:
                gc.collect()
                now, past_noon = _resident(), cycle >= DAY // CYCLE // 2
                half, full = (half, max(full, now)) if past_noon else (max(half, now), full)
        ended = len(driver.journal)
    note = f"{ended:,} jobs ended in {DAY // CYCLE:,} cycles; {full:.0f} MB at most after noon"
    return Row("a day in command: memory after noon over before", full / half, "x", 1.02, note=note)


def _resident() -> float:
    """Return the memory of the process (MB)."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _real(lasting: int, measured: Callable[[Path], Row]) -> Row:
    """Measure on a Slurm of our own, of whose nodes one is started; jobs last so long (s)."""
    host = socket.gethostname().partition(".")[0]
    settings = (line.format(host=host) for line in MANY_NODES)
    with (
        tempfile.TemporaryDirectory() as folder,
        PrivateCluster({"n1": "CPUs=2"}, (*settings, "MaxJobCount=20000"), (), ACCOUNTS) as cluster,
        mock.patch.dict(os.environ, cluster.environment()),
    ):
        if lasting < EVERY:  # else they would be over before the last is there
            cluster.run("scontrol", "update", "PartitionName=main", "State=DOWN")
        for _ in range(QUEUED // BATCH + 1):
            cluster.run("bash", "-c", SUBMIT.format(jobs=BATCH, lasting=lasting))
        cluster.run("scontrol", "update", "PartitionName=main", "State=UP")
        return measured(Path(folder))


def _watched(folder: Path) -> Row:
    """Let one scheduler look at it."""
    with Shadow(folder, commands, make_scheduler("easy"), worth_by("none", 0)) as watch:
        clock, ours = _timed_on_the_clock(lambda: watch.look(time.time()))
    said = f"on the clock, {ours:.2f} CPU s of it ours, the rest Slurm's"
    return Row("the same from squeue on, a real Slurm, easy", clock, "s", 2, note=said)


def _commanded(folder: Path) -> Row:
    """Let one scheduler command it, two jobs a cycle."""
    with Driver(folder, commands, make_scheduler("easy"), worth_by("none", 0)) as driver:
        while driver.report is None or driver.report.left:
            driver.cycle()
        started: list[str] = []

        def cycle() -> LookNote:
            found = driver.cycle()
            started.extend(found.starts)
            return found

        clock, ours = _timed_on_the_clock(cycle)
        assert started
    said = f"from squeue until jobs run, {ours:.2f} CPU s of it ours, the rest Slurm's"
    return Row("a cycle in command of a real Slurm, easy", clock, "s", 2, note=said)


def _timed_on_the_clock(look: Callable[[], LookNote]) -> tuple[float, float]:
    """Return the medians of seconds on the clock, and of CPU seconds of ours."""
    clock, ours = [], []
    for _ in range(LOOKS):
        began = time.perf_counter()
        spent, note = timed(look)
        assert note.queued >= QUEUED * 0.98
        clock.append(time.perf_counter() - began)
        ours.append(spent)
    return median(clock), median(ours)


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
