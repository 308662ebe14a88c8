"""Whatever of a real Slurm and its market is killed: all jobs complete, none runs twice at once."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Self

import pytest

from plugins.slurm.tests.private.cluster import (
    ENDS_WITH_US,
    PATIENCE,
    PAUSE,
    PrivateCluster,
    script_for,
)
from utilitysched_centre.accounts import Account, Book, Money, Terms, create
from utilitysched_slurm.driver import HEARTBEAT
from utilitysched_slurm.dues import LISTED
from utilitysched_slurm.money import LISTING
from utilitysched_slurm.open_runs import FILE as MONEY
from utilitysched_slurm.store import FILE

pytestmark = pytest.mark.slurm

SEED = 20
KILLS = {"driver": 4, "slurmctld": 4, "n1": 3, "n2": 3, "n3": 2, "n4": 2}

SCRIPT = """
exec 9>{files}.lock
flock -n 9 || echo $SLURM_JOB_ID {files} >> {folder}/twice
steps=$(cat {files}.saved 2>/dev/null || echo 0)
trap 'echo $steps > {files}.saved' USR1
while [ $steps -lt {steps} ]; do sleep .5 9>&- & wait $!; steps=$((steps + 1)); done
touch {files}.ended"""

EVENT = re.compile(r"(Allocate|Started|_job_complete:|Requeuing) JobId=(\d+)")
"""Begin and end of a run in slurmctld's log."""

UNSTARTABLE = re.compile(r"Killing non-startable batch JobId=(\d+): Job credential revoked")

DRIVER = (
    sys.executable, "-m", "utilitysched", "slurm", "run", "-s", "ga:preempt=true,generations=4",
    "--every", "1s", "--grace", "1s", "--utilities", "none",
)  # fmt: skip
REGISTERING = 10
"""s after which nodes are to register once more, and slurmctld asks slurmdbd twice."""

BOUND = 300.0
"""s that all of this may take: more than four times what it takes on a machine that runs others."""

BOOKS, ENDOWED = "books.db", 100_000


class Market:
    """The market in command as a process, which is started again whenever it has ended."""

    def __init__(self, cluster: PrivateCluster, folder: Path) -> None:
        self._cluster, self._folder = cluster, folder
        self.beats = folder / HEARTBEAT
        self._complaints = 0
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        self.beats.unlink(missing_ok=True)
        with (self._folder / "driver.out").open("ab") as log:
            self._process = subprocess.Popen(
                [*ENDS_WITH_US, *DRIVER, "-o", self._folder, "--ledger", self._folder / BOOKS],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | self._cluster.environment(),
            )

    def commands(self) -> bool:
        """Whether it is in command."""
        if self._process.poll() is not None:
            self._start()
        return self.beats.exists()

    def kill(self) -> None:
        """Kill it on the spot, and start it again."""
        self._process.kill()
        self._process.wait()
        self._start()

    def complains(self) -> bool:
        """Whether it has told people anew of jobs that Slurm does not let change."""
        lines = (self._folder / "driver.out").read_text().count("the DB index is being set")
        before, self._complaints = self._complaints, lines
        return lines > before

    def knows(self) -> int:
        """Return how many jobs it has in hand."""
        with closing(sqlite3.connect(f"file:{self._folder / FILE}?mode=ro", uri=True)) as store:
            asked = "SELECT count(*) FROM AdmittedJob WHERE over IS NULL"
            return int(store.execute(asked).fetchone()[0])

    def owed(self) -> set[str]:
        """Return the runs that are held for or were charged, of jobs that are not over."""
        with closing(sqlite3.connect(f"file:{self._folder / MONEY}?mode=ro", uri=True)) as store:
            return {row[0] for row in store.execute("SELECT reference FROM OpenRun")}

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=PATIENCE)


@pytest.fixture
def cluster(slurm: None, tmp_path: Path) -> Iterator[PrivateCluster]:
    nodes = {f"n{number}": "CPUs=4 RealMemory=1000" for number in range(1, 5)}
    partition = "PartitionName=main Nodes=n[1-4] Default=YES MaxTime=60 State=UP"
    accounts = ("add account physics", "add user root account=physics")
    with PrivateCluster(
        nodes,
        (partition, "JobSubmitPlugins=lua", "BatchStartTimeout=1"),
        (),
        accounts,
        script_for(tmp_path / HEARTBEAT, tmp_path / "scripts"),
    ) as started:
        started.deadline = time.monotonic() + BOUND
        yield started


class Jobs:
    """Jobs by their names: numbers are used again where slurmctld has forgotten some."""

    def __init__(self, cluster: PrivateCluster, folder: Path, random: Random) -> None:
        self._cluster, self._folder, self._random = cluster, folder, random
        self.scripts: dict[str, tuple[str, ...]] = {}

    def submit(self) -> None:
        """Submit one more, of any width, which mostly takes checkpoints."""
        worth = self._random.randint(1, 99)
        saves = ', "checkpoint": 1' * (self._random.random() < 0.7)
        self.scripts[f"job{len(self.scripts)}"] = (
            f"-n{self._random.randint(1, 8)}",
            f'--comment={{"utility": [[0, {worth}], [900, 0]]{saves}}}',
            str(self._random.randint(1, 6)),
        )
        self._send(list(self.scripts)[-1])

    def submit_again(self) -> None:
        """Submit what slurmctld has forgotten, once no node runs it any more, unless it ended."""
        for name in self.scripts.keys() - self.states().keys():
            self._cluster.wait(partial(self._is_nowhere, name), f"for {name} to end")
            if not (self._folder / f"{name}.ended").exists():
                self._send(name)

    def _is_nowhere(self, name: str) -> bool:
        with (self._folder / f"{name}.lock").open("a") as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    def _send(self, name: str) -> None:
        *options, steps = self.scripts[name]
        script = SCRIPT.format(folder=self._folder, files=self._folder / name, steps=steps)
        self._cluster.submit("-t5", "-Aphysics", f"--job-name={name}", *options, script=script)

    def states(self) -> dict[str, str]:
        """States of all that slurmctld knows."""
        asked = ("--noheader", "--states=all", "--format=%j|%T")
        return dict(line.split("|") for line in self._cluster.run("squeue", *asked).splitlines())

    def waiting(self) -> int:
        """How many have not completed."""
        return sum(state != "COMPLETED" for state in self.states().values())


def put_right(cluster: PrivateCluster, market: Market, jobs: Jobs) -> None:
    """Do what an operator does after slurmctld or a slurmd was killed.

    - Have nodes register: Slurm learns so of a launch that a slurmd never carried out, and of a
      node that is back.
    - Resume nodes that Slurm drained: they knew a job whose number it has given out again, as it
      does where it had not saved its state.
    - Requeue jobs that it could not start: it had forgotten that they ran, and revoked their
      credentials when a node told it.
    - Do what the market says of jobs that Slurm lets nobody change.
    """
    cluster.register()
    asked = ("--noheader", "--Node", "--states=drained", "--format=%N")
    if drained := cluster.run("sinfo", *asked).split():
        cluster.run("scontrol", "update", f"NodeName={','.join(drained)}", "State=RESUME")
    failed = cluster.run("squeue", "--noheader", "--states=FAILED", "--format=%i").split()
    for job in set(failed) & set(UNSTARTABLE.findall(cluster.log())):
        cluster.run("scontrol", "requeue", job)
    if market.complains():
        cluster.kill("slurmdbd")
        jobs.submit()
        time.sleep(REGISTERING)
        cluster.restart("slurmdbd")


def goes_on(cluster: PrivateCluster, market: Market, jobs: Jobs, waiting: int) -> bool:
    """Return whether fewer jobs wait than did, putting right what keeps them waiting."""
    put_right(cluster, market, jobs)
    until = time.monotonic() + REGISTERING
    while (going := market.commands()) and jobs.waiting() >= waiting:
        if time.monotonic() > until:
            return False
        time.sleep(PAUSE)
    return going


def started_again(log: str) -> set[str]:
    """Return the numbers of jobs that slurmctld started with no end of an earlier start.

    It does so where it was killed before it had saved that start, and no node has told it yet.
    """
    running, again = set[str](), set[str]()
    for event, job in EVENT.findall(log):
        if event in {"Allocate", "Started"}:
            again |= {job} & running
            running.add(job)
        else:
            running.discard(job)
    return again


def balances(folder: Path, owed: set[str]) -> None:
    """Every run is charged once and listed, and nothing is held but for what is to be charged."""
    rows = [line.split("|") for line in (folder / LISTING).read_text().splitlines()[1:]]
    listed = [row[LISTED.index("Reference")] for row in rows]
    with Book(folder / BOOKS) as book:
        charged = [str(line.reference) for line in book.history() if line.kind == "charge"]
        assert all(check.holds for check in book.verify())
        assert {hold.reference for hold in book.holds()} <= owed
    assert len(charged) == len(set(charged))
    assert len(listed) == len(set(listed))
    assert set(charged) <= set(listed)


def test_all_jobs_complete_whatever_is_killed_when(cluster: PrivateCluster, tmp_path: Path) -> None:
    random = Random(SEED)
    jobs, victims = Jobs(cluster, tmp_path, random), list(Counter(KILLS).elements())
    random.shuffle(victims)
    create(tmp_path / BOOKS, Terms(Money("SU", 6), payer="account", credit_limit=0))
    with Book(tmp_path / BOOKS) as book:
        book.endow(Account("account", "physics"), ENDOWED)
    with Market(cluster, tmp_path) as market:
        for victim in victims:
            cluster.wait(cluster.answers, "for slurmctld")
            jobs.submit()
            cluster.wait(market.commands, "for the market")
            time.sleep(random.random())
            if victim == "driver":
                market.kill()
                continue
            if victim == "slurmctld":
                cluster.wait(cluster.has_saved, "for its state")
            cluster.kill(victim)
            cluster.restart(victim)
        cluster.wait(cluster.answers, "for slurmctld")
        jobs.submit_again()
        while jobs.waiting():
            waiting = jobs.waiting()
            cluster.wait(partial(goes_on, cluster, market, jobs, waiting), "for the next job")
        cluster.wait(lambda: market.commands() and not market.knows(), "for the market")

        assert market.stop() == 0
        owed = market.owed()
    balances(tmp_path, owed)
    assert jobs.states().keys() <= jobs.scripts.keys()  # it forgets jobs that ended a while ago
    assert {file.stem for file in tmp_path.glob("*.ended")} == jobs.scripts.keys()
    twice = (tmp_path / "twice").read_text().splitlines() if (tmp_path / "twice").exists() else []
    assert {line.partition(" ")[0] for line in twice} <= started_again(cluster.log()), twice
