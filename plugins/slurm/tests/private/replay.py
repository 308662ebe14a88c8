"""A log played on a private Slurm cluster, by a clock on which its hours are seconds.

Jobs sleep for as long as they ran. Whoever commands lives on the log's clock: Slurm's times are
whole seconds and its limits whole minutes, both far too coarse for that, and are rewritten on the
way.
"""

from __future__ import annotations

import math
import os
import pwd
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from plugins.slurm.tests.private.cluster import PrivateCluster
from swfx import Workload
from swfx.accounting.annotations import Annotations
from utilitysched.engine.engine import simulate
from utilitysched.engine.valued import require_machine
from utilitysched.model.schedule import Schedule
from utilitysched.model.scheduler import Setting, Wrapper
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.actions import Action
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.journal import LookNote, said_as_comment
from utilitysched_slurm.reading import read_jobs
from utilitysched_slurm.watch import rehearse
from utilitysched_slurm.worth import NONE, worth_by

__all__ = ["MINUTE", "OWN", "Played", "Replay"]

OWN = "slurm"
"""In place of a scheduler: Slurm's own priorities and backfilling."""

OWN_SETTINGS = (
    "PriorityType=priority/multifactor",
    "PriorityWeightAge=1000000",
    "PriorityMaxAge=1-0",
    "PriorityCalcPeriod=1",
)
"""The oldest job first, as in a log all users and accounts are one."""

NODES = 16
SCRIPT = Path(__file__).parents[2] / "contrib" / "job_submit.lua"
LEAD = 3.0
"""s from when all is ready until the first job is submitted."""

PAUSE = 0.1
"""s between two cycles."""

PATIENCE = 60.0
"""s that Slurm may take to start a job: nothing but processors is in the way of one here."""

TOLD = 20
"""Jobs after which is said how far it is."""

MINUTE = 60

STAMP = "date +%s.%N >> {file}"
OVER = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"}


class LogClock(NamedTuple):
    """A clock that began with a log, and goes faster.

    Attributes
    ----------
    began : float
        When the log begins, on both clocks (s of Unix time).
    speed : float
        s of the log in a second.
    """

    began: float
    speed: float

    def now(self) -> float:
        """Return what it shows (s)."""
        return self.at(time.time())

    def at(self, moment: float) -> float:
        """Return what it shows at a moment of Unix time (s)."""
        return self.began + (moment - self.began) * self.speed

    def wait_for(self, moment: float) -> None:
        """Sleep until it shows that."""
        time.sleep(max(0.0, self.began + (moment - self.began) / self.speed - time.time()))


class ScaledCluster:
    """Slurm as it would look if it went by the log's clock; see `CommandedCluster`.

    What it says of jobs, by their names, is rewritten: submissions and requested times are those of
    the log, starts and ends are when they were seen first, within the second that Slurm tells.
    """

    def __init__(self, log: Workload, clock: LogClock) -> None:
        self._submit = clock.began + log.submit - log.submit.min()
        self._request, self._clock = log.request, clock
        self._seen: dict[tuple[str, int, str], float] = {}

    def queue(self) -> dict[str, Any]:
        """Return what ``squeue --json`` prints, on the log's clock."""
        found = commands.queue()
        now = time.time()
        return found | {"jobs": [self._rewritten(row, now) for row in found["jobs"]]}

    def nodes(self) -> dict[str, Any]:
        """Return what ``sinfo --json`` prints."""
        return commands.nodes()

    def waits(self, keys: Sequence[str]) -> list[str]:
        """Return which of these jobs wait, and see the others start."""
        return [job.key for job in read_jobs(self.queue()) if job.waits and job.key in keys]

    def apply(self, actions: Sequence[Action]) -> Mapping[str, str]:
        """Have Slurm do that."""
        return commands.apply(actions)

    def _rewritten(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        place = int(row["name"])
        submit = float(self._submit[place])
        if row["restart_cnt"]:
            submit = self._clock.at(row["submit_time"])
        return row | {
            "submit_time": submit,
            "eligible_time": submit,
            "start_time": self._time(row, "start_time", now),
            "end_time": self._time(row, "end_time", now),
            "time_limit": float(self._request[place]) / MINUTE,
        }

    def _time(self, row: dict[str, Any], name: str, now: float) -> float:
        """Return when a run was first seen to have started or ended; 0 if it was not."""
        second = row[name]
        if not 0 < second <= now:
            return 0.0
        seen = self._seen.setdefault((row["name"], second, name), now)
        return self._clock.at(min(seen, second + 1.0))


class Doubled(Wrapper):
    """A scheduler, and another of its kind that is told and asked the same.

    Attributes
    ----------
    asked, alike : int
        Decisions; those that were the same.
    """

    def __init__(self, name: str) -> None:
        super().__init__(make_scheduler(name))
        self._other = make_scheduler(name)
        self.asked = self.alike = 0

    def prepare(self, setting: Setting) -> None:
        """Prepare both."""
        super().prepare(setting)
        self._other.prepare(setting)

    def withdraw(self, jobs: Integers, known: JobTable) -> None:
        """Have both forget these jobs."""
        super().withdraw(jobs, known)
        self._other.withdraw(jobs, known)

    def decide(self, state: QueueState) -> Decision:
        """Ask both, and return what the first says."""
        decision, other = super().decide(state), self._other.decide(state)
        self.asked += 1
        self.alike += all(
            np.array_equal(getattr(decision, each), getattr(other, each))
            for each in ("starts", "preempts")
        )
        return decision


@dataclass
class Played:
    """What became of a log on Slurm.

    Attributes
    ----------
    start, end : (n,) float64
        When its jobs first started and at last ended, on its own clock (s).
    preemptions : int
        Runs that were ended to make room.
    asked, alike : int
        Decisions that were taken; those that another scheduler of that kind took, too.
    releases, followed : int
        Decisions to start something; those after which Slurm started that and nothing else.
    """

    start: Floats
    end: Floats
    preemptions: int = 0
    asked: int = 0
    alike: int = 0
    releases: int = 0
    followed: int = 0

    def schedule(self, log: Workload) -> Schedule:
        """Return all that happened to the log as if it had been recorded."""
        wait = np.maximum(self.start - log.submit, 0.0)
        return simulate(log.replace(wait=wait, run=self.end - self.start), "recorded")


@dataclass
class Replay:
    """A log, and how fast it is played.

    Parameters
    ----------
    log : Workload
        Whose machine's processors are those of `NODES` nodes.
    speed : float
        s of the log in a second.
    folder : Path
        For what is written on the way; any job must be able to write there.
    echo : callable
        Told, in lines, how far it is.
    """

    log: Workload
    speed: float
    folder: Path
    echo: Callable[[str], None] = field(default=lambda _: None)

    def play(self, policy: str) -> Played:
        """Play it under a scheduler, or under `OWN`."""
        own = policy == OWN
        (self.folder / "stamps").mkdir()
        with self._cluster(own) as cluster, mock.patch.dict(os.environ, cluster.environment()):
            return self._under_slurm(cluster) if own else self._under_market(cluster, policy)

    @contextmanager
    def _cluster(self, own: bool) -> Iterator[PrivateCluster]:
        size = require_machine(self.log)
        count = min(NODES, size)
        nodes = {f"n{place + 1}": f"CPUs={(size + place) // count}" for place in range(count)}
        settings = (
            f"PartitionName=main Nodes={','.join(nodes)} Default=YES MaxTime=INFINITE State=UP",
            "OverTimeLimit=1",
            *(OWN_SETTINGS if own else ("JobSubmitPlugins=lua",)),
        )
        scripts = [] if own else [self._script()]
        user = pwd.getpwuid(os.geteuid()).pw_name
        accounts = ("add account physics", f"add user {user} account=physics")
        with PrivateCluster(nodes, settings, (), accounts, scripts) as cluster:
            yield cluster

    @property
    def _heartbeat(self) -> Path:
        return self.folder / "heartbeat"

    def _script(self) -> Path:
        """Write the script that holds new jobs, for this market."""
        text = SCRIPT.read_text("utf-8")
        for name, value in (
            ("HEARTBEAT", f'"{self._heartbeat}"'),
            ("OPERATORS", f"{{ [{os.geteuid()}] = true }}"),
        ):
            line = re.compile(rf"^local {name} = .*$", re.MULTILINE)
            text, count = line.subn(f"local {name} = {value}", text)
            assert count == 1
        path = self.folder / SCRIPT.name
        path.write_text(text, "utf-8")
        return path

    def _under_slurm(self, cluster: PrivateCluster) -> Played:
        clock = LogClock(time.time() + LEAD, self.speed)
        self._submit(cluster, clock)
        while not set(cluster.states().values()) <= OVER:
            time.sleep(1)
        return self._played(clock)

    def _under_market(self, cluster: PrivateCluster, policy: str) -> Played:
        rehearse(make_scheduler(policy))
        clock = LogClock(time.time() + LEAD, self.speed)
        scheduler = Doubled(policy)
        terms = DriverTerms(patience=PATIENCE * self.speed, clock=clock.now)
        seen = ScaledCluster(self.log, clock)
        notes: list[LookNote] = []
        submitting = threading.Thread(target=self._submit, args=(cluster, clock))
        with Driver(self.folder, seen, scheduler, worth_by(NONE, 0), terms) as driver:
            self._beat()
            submitting.start()
            while True:
                last = not submitting.is_alive()
                self._beat()
                notes.append(driver.cycle())
                if last and not driver.store.active:
                    break
                time.sleep(PAUSE)
        found = self._played(clock)
        found.asked, found.alike = scheduler.asked, scheduler.alike
        pairs = [(set(note.starts), set(after.began)) for note, after in pairwise(notes)]
        found.releases = sum(bool(wanted) for wanted, _ in pairs)
        found.followed = sum(bool(wanted) and wanted == began for wanted, began in pairs)
        return found

    def _beat(self) -> None:
        self._heartbeat.write_text(f"{time.time():.0f}\n", "ascii")

    def _submit(self, cluster: PrivateCluster, clock: LogClock) -> None:
        """Submit each job when the log has it."""
        log = self.log
        first = log.submit.min()
        for count, job in enumerate(np.argsort(log.submit, kind="stable").tolist(), 1):
            clock.wait_for(clock.began + float(log.submit[job] - first))
            curve = log.utility[job]
            minutes = math.ceil(float(log.request[job]) / self.speed / MINUTE)
            stamp = STAMP.format(file=self.folder / "stamps" / str(job))
            cluster.submit(
                f"--ntasks={log.size[job]}",
                f"--time={minutes}",
                f"--job-name={job}",
                f"--comment={said_as_comment(Annotations(utility=curve))}",
                script=f"{stamp}\nsleep {log.effective_run[job] / self.speed:.3f}\n{stamp}",
            )
            if count % TOLD == 0:
                self.echo(f"{count} of {len(log)} jobs submitted")

    def _played(self, clock: LogClock) -> Played:
        """Read when jobs say they ran."""
        times = [self._stamps(job) for job in range(len(self.log))]
        start, end = (
            self.log.submit.min() + (np.array(column) - clock.began) * self.speed
            for column in zip(*((each[0], each[-1]) for each in times), strict=True)
        )
        return Played(start, end, sum(len(each) // 2 - 1 for each in times))

    def _stamps(self, job: int) -> list[float]:
        return [float(line) for line in (self.folder / "stamps" / str(job)).read_text().split()]
