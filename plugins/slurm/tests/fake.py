"""A Slurm with a clock of its own, which does what 22.05 was seen to do on private clusters.

Nobody waits for it, and it does the same each time. Times are in s of Unix time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

from plugins.slurm.tests.clusters import Cells, date, node_cells, recorded, span
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.comments import NEW
from utilitysched_slurm.listings import AT_ONCE

BEGAN = 1_795_464_000

CLEANS = 1
"""s from the end of a run until its processors are free; KILLS of one that is told to end."""

KILLS = 3
SAVES = 5
"""s of which a controller that is killed forgets what it was told."""

WRITES = 2
"""s that a checkpoint takes."""

BOOTS = 40
"""s that a node which is asleep takes until the job that woke it runs."""

REQUEUE_DELAY = 6
"""s that a requeued job waits, with cred_expire=5."""

OWN_PRIORITY = 4_294_901_759
"""Of the first job, with priority/basic; of each later one it is less by one."""

ROW = recorded("queue")[0]

NO_JOB = "Invalid job id specified"
FINISHED = "Job has already finished"
HELD = "Job is in held state, pending scheduler release"
PENDING = "Job is pending execution"


class Told(Protocol):
    """What Slurm is told to do with a job: `utilitysched_slurm.commands.Action`."""

    @property
    def verb(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


class FakeRun(NamedTuple):
    """A line of sacct: a run, 0 for times that it has not come to."""

    job: FakeJob
    state: str
    start: int
    end: int


@dataclass
class FakeJob:
    """A job that needs `work` s in all; `after` is the key of another that must end first."""

    number: int
    submit: int
    priority: int
    cpus: int = 1
    work: int = 60
    minutes: int = 60
    user: str = "alice"
    account: str = "physics"
    comment: str = ""
    hold: str = ""
    after: str = ""
    begin: int = 0
    traps: bool = False
    array: int = 0
    task: int | None = None
    at_once: int = 0
    apart: bool = True
    admin_comment: str = ""
    state: str = "PENDING"
    then: str = ""
    reason: str = "None"
    eligible: int = 0
    start: int = 0
    end: int = 0
    free_at: int = 0
    ready_at: int = 0
    restarts: int = 0
    saved: int = 0
    writing: tuple[int, int] = (0, 0)
    born: int = 0
    nice: int = 0
    places: dict[str, int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What users call it."""
        return f"{self.array}_{self.task}" if self.array else str(self.number)


class FakeSlurm:
    """Nodes, jobs, and a scheduler that goes by priorities and fills what they leave.

    Parameters
    ----------
    nodes : mapping of str to int
        Processors of each.
    holds_new : bool
        A script gives new jobs to the market, and lets nobody else release them.
    remembers : int
        MinJobAge (s).
    """

    def __init__(
        self, nodes: Mapping[str, int], *, holds_new: bool = False, remembers: int = 300
    ) -> None:
        self.now = BEGAN
        self.jobs: dict[str, FakeJob] = {}
        self.runs: list[FakeRun] = []
        self.forgotten: set[tuple[str, float]] = set()
        self.free = dict(nodes)
        self.broken: set[str] = set()
        self.asleep: set[str] = set()
        self._nodes, self._holds_new, self._remembers = dict(nodes), holds_new, remembers
        self._running: dict[str, FakeJob] = {}
        self._completing: list[FakeJob] = []
        self._released: dict[str, FakeJob] = {}
        self._over: deque[FakeJob] = deque()
        self._undo: deque[tuple[int, Callable[[], None]]] = deque()
        self._back, self._last, self._rest = 0, 0, 0.0
        self._books: list[FakeRun] = []
        self._books_back = self._books_current = 0

    # what users do

    def submit(self, tasks: Iterable[int] = (), **more: Any) -> str:
        """Submit a job, or an array, and return its key; `FakeJob` says what it may have."""
        self._answers()
        first, array = self._last + 1, list(tasks)
        held = {"hold": "JobHeldUser", "admin_comment": NEW} if self._holds_new else {}
        plain: dict[str, Any] = {"submit": self.now, "born": self.now} | held | more
        for task in array or (None,):
            self._last += 1
            own = {} if task is None else {"array": first, "task": task, "apart": False}
            job = FakeJob(self._last, priority=self._own_priority(), **plain | own)
            self.jobs[job.key] = job
            self._set(job, job.hold)
            self._saved(lambda job=job: self._unknown(job))  # type: ignore[misc]
        return str(first)

    def by_user(self, verb: str, key: str, value: str = "") -> bool:
        """Do what a plain user may do with a job, and return whether it was done."""
        job = self.jobs.get(key)
        if job is None or job.state not in {"PENDING", "RUNNING"}:
            return False
        if verb == "cancel":
            self._cancel(job)
        elif verb == "comment":
            job.comment = value
        elif verb == "hold" and job.state == "PENDING" and not job.hold:
            self._set(job, "JobHeldUser")
        elif verb == "release" and job.hold == "JobHeldUser" and not self._is_market(job):
            self._set(job, "", self._own_priority())
        elif verb == "nice" and int(value) >= 0 and job.priority:
            job.priority = max(1, job.priority - int(value))
        else:
            return False
        return True

    # what a driver sees and does

    def queue(self) -> list[Cells]:
        """What squeue lists."""
        self._answers()
        return [self._row(job) for job in self.jobs.values()]

    def nodes(self) -> list[Cells]:
        """What sinfo lists."""
        self._answers()
        return [self._node(name) for name in self._nodes]

    def waits(self, keys: Iterable[str]) -> list[str]:
        """Which of these jobs wait."""
        self._answers()
        return [key for key in keys if key in self.jobs and self.jobs[key].state == "PENDING"]

    def apply(self, actions: Iterable[Told]) -> dict[str, str]:
        """Do what is told, and return what was refused, by key."""
        self._answers()
        refused: dict[str, str] = {}
        for told in actions:
            job = self.jobs.get(told.key)
            tasks = [] if job else self._tasks(told.key)
            together = [each for each in tasks if not each.apart]
            for each in [job] if job else tasks:
                if said := self._obeys(each, told.verb, told.value):
                    refused.setdefault(told.key, said)
            if not job and not tasks:
                refused.setdefault(told.key, NO_JOB)
            for each in together:
                each.apart = False
        return refused

    def accounted(self, keys: Sequence[str]) -> str:
        """What ``sacct -a -X -P -D -n -j`` lists of jobs: their runs, and that they wait or run."""
        if self.now < self._books_back:
            raise SlurmError("Unable to contact slurm database")
        wanted = {key.partition("_")[0] for key in keys}
        runs = self._accounts() if self.is_current() else self._books
        mine = (run for run in runs if run.job.key.partition("_")[0] in wanted)
        return "".join("|".join(_accounted(run)) + "\n" for run in mine)

    def is_current(self) -> bool:
        """Whether accounting has heard of everything."""
        return self.now >= self._books_current

    # what befalls it

    def clock(self) -> float:
        """Unix time (s)."""
        return self.now + self._rest

    def sleep(self, seconds: float) -> None:
        """Let time go by, by parts of seconds."""
        whole, self._rest = divmod(self._rest + seconds, 1.0)
        self.advance(int(whole))

    def advance(self, seconds: int) -> None:
        """Let time go by."""
        until = self.now + seconds
        while self.now < until:
            busy = self._completing or self._released
            due = 0 if busy else min(map(_due, self._running.values()), default=until)
            self.now = min(max(due, self.now + 1), until)
            self._second()

    def crash(self, seconds: int = 0) -> None:
        """Kill the controller, which does not answer for so long, nor knows of the last orders."""
        while self._undo:
            told, undo = self._undo.pop()
            if told > self.now - SAVES:
                undo()
        self.silence(seconds)

    def silence(self, seconds: int) -> None:
        """Answer nobody for so long; jobs go on."""
        self._back = self.now + seconds

    def no_accounting(self, seconds: int, behind: int) -> None:
        """Have accounting answer nobody for so long, and then hear of nothing for so long."""
        if self.is_current():
            self._books = [run._replace(job=replace(run.job)) for run in self._accounts()]
        self._books_back = self.now + seconds
        self._books_current = self._books_back + behind

    def down(self, name: str) -> None:
        """Have Slurm notice that a node is down: what ran there waits again, held by nobody."""
        self.broken.add(name)
        for job in [job for job in self._running.values() if name in job.places]:
            self._end(job, "NODE_FAIL", "PENDING", 0)

    def up(self, name: str) -> None:
        """Bring a node back."""
        self.broken.discard(name)

    def power_down(self, name: str) -> None:
        """Have power saving put an idle node to sleep."""
        self.asleep.add(name)

    # the rest is its own

    def _accounts(self) -> list[FakeRun]:
        """What accounting is told: all runs, and who waits or runs."""
        there = [job for job in self.jobs.values() if job.state in {"PENDING", "RUNNING"}]
        return [
            *self.runs,
            *(FakeRun(job, job.state, job.start * (job.state == "RUNNING"), 0) for job in there),
        ]

    def _tasks(self, key: str) -> list[FakeJob]:
        """The tasks of an array, those that run among them."""
        there = (job for job in self.jobs.values() if str(job.array) == key)
        return [job for job in there if job.state in {"PENDING", "RUNNING"}]

    def _answers(self) -> None:
        if self.now < self._back:
            raise SlurmError("Unable to contact slurm controller (connect failure)")

    def _is_market(self, job: FakeJob) -> bool:
        return self._holds_new and job.admin_comment[:1] in {"{", NEW[0]}

    def _own_priority(self) -> int:
        return OWN_PRIORITY - self._last

    def _saved(self, undo: Callable[[], None]) -> None:
        while self._undo and self._undo[0][0] <= self.now - SAVES:
            self._undo.popleft()
        self._undo.append((self.now, undo))

    def _unknown(self, job: FakeJob) -> None:
        """Forget a submission; its number is used again."""
        if job.state == "PENDING" and not job.restarts:
            del self.jobs[job.key]
            self.forgotten.add((job.key, job.born))
            if self.now - job.born > 1:  # by when accounting has heard of it
                self.runs.append(FakeRun(job, "PENDING", 0, 0))
            self._released.pop(job.key, None)
            self._last = max((each.number for each in self.jobs.values()), default=0)

    def _restored(self, job: FakeJob, before: FakeJob) -> None:
        if (job.state, job.restarts) == (before.state, before.restarts):
            job.begin, job.admin_comment = before.begin, before.admin_comment
            self._set(job, before.hold, before.priority)

    def _set(self, job: FakeJob, hold: str, priority: int | None = None) -> None:
        """Hold a job, or let it go."""
        job.hold = hold
        job.priority = 0 if hold else job.priority if priority is None else priority
        if job.priority and job.state == "PENDING":
            self._released[job.key] = job
        else:
            self._released.pop(job.key, None)

    def _obeys(self, job: FakeJob, verb: str, value: str) -> str:
        """Do as an operator says, and return why not."""
        if verb in {"requeue", "checkpoint"}:
            return self._requeued(job) if verb == "requeue" else self._signalled(job)
        if job.state not in {"PENDING", "RUNNING"} and job.then != "PENDING":
            return FINISHED
        before = replace(job)
        self._saved(lambda: self._restored(job, before))
        job.apart = True
        if verb == "hold":
            self._set(job, "JobHeldAdmin")
        elif verb == "describe":
            job.admin_comment = value
        elif verb == "release":
            self._set(job, "", int(value or self._own_priority() - job.nice))
            if job.state == "RUNNING":
                return "Job is no longer pending execution"
            job.begin = self.now if value else job.begin
        elif verb == "nice":
            own = job.priority + job.nice
            job.nice = int(value)
            self._set(job, job.hold, own - job.nice if job.priority else 0)
        else:
            return f"no such verb: {verb}"
        return ""

    def _requeued(self, job: FakeJob) -> str:
        if job.state == "RUNNING":  # as with Incomplete, which spares what has ended
            self._end(job, "REQUEUED", "PENDING", KILLS)
            self._set(job, "JobHeldUser")
        return PENDING if job.state == "PENDING" else ""

    def _signalled(self, job: FakeJob) -> str:
        if job.state != "RUNNING":
            return NO_JOB
        if job.traps:
            job.writing = (self.now + WRITES, job.saved + self.now - job.start)
        else:
            self._end(job, "FAILED", "FAILED", CLEANS)
        return ""

    def _cancel(self, job: FakeJob) -> None:
        if job.state == "RUNNING":
            self._end(job, "CANCELLED", "CANCELLED", KILLS)
        elif not job.apart and any(
            each is not job and not each.apart for each in self._tasks(str(job.array))
        ):
            self._released.pop(job.key, None)  # the others wait, and nobody tells of this one
            del self.jobs[job.key]
        else:
            self.runs.append(FakeRun(replace(job), "CANCELLED", 0, self.now))
            job.start = job.end = self.now
            self._is_over(job, "CANCELLED")

    def _second(self) -> None:
        for job in self._running.values():
            if job.start < job.ready_at <= self.now:  # as job_config_fini() does
                job.start, job.end = job.ready_at, job.ready_at + 60 * job.minutes
        for job in [job for job in self._running.values() if _due(job) <= self.now]:
            whole = job.saved + job.end - job.start >= job.work
            state = "COMPLETED" if whole else "TIMEOUT"
            self._end(job, state, state, CLEANS)
        if self.now < self._back:
            return
        for job in [job for job in self._completing if job.free_at <= self.now]:
            self._cleaned(job)
        while self._over and self._over[0].end < self.now - self._remembers:
            old = self._over.popleft()
            if self.jobs.get(old.key) is old:
                del self.jobs[old.key]
        self._schedule()

    def _schedule(self) -> None:
        """Start what fits, best first; after the first that does not, what delays it not."""
        idle, until = self._idle(), None
        for job in sorted(self._released.values(), key=lambda job: (-job.priority, job.number)):
            job.reason = self._obstacle(job)
            if job.reason:
                continue
            job.eligible = job.eligible if job.begin < job.eligible <= self.now else self.now
            if job.cpus <= idle and (until is None or self.now + 60 * job.minutes <= until):
                self._start(job)
                idle -= job.cpus
            else:
                job.reason = "Resources" if until is None else "Priority"
                until = self._room_at(job.cpus) if until is None else until

    def _idle(self) -> int:
        return sum(free for name, free in self.free.items() if name not in self.broken)

    def _room_at(self, cpus: int) -> float:
        """When so many processors will be free if all that runs takes as long as it may (s)."""
        idle = self._idle()
        for job in sorted(self._running.values(), key=lambda job: job.end):
            idle += job.cpus
            if idle >= cpus:
                return job.end
        return float("inf")

    def _obstacle(self, job: FakeJob) -> str:
        other = self.jobs.get(job.after)
        if other is not None and other not in self._over:
            return "Dependency"
        if job.begin > self.now:
            return "BeginTime"
        beside = sum(each.array == job.array for each in self._running.values())
        return "JobArrayTaskLimit" if job.at_once and beside >= job.at_once else ""

    def _start(self, job: FakeJob) -> None:
        assert job.state == "PENDING", "started twice at once"
        wanted = job.cpus
        for name, free in self.free.items():
            if name not in self.broken and (taken := min(free, wanted)):
                job.places[name] = taken
                self.free[name] -= taken
                wanted -= taken
        job.state, job.reason, job.start, job.apart = "RUNNING", "None", self.now, True
        job.end, job.writing = self.now + 60 * job.minutes, (0, 0)
        woken = self.asleep & job.places.keys()
        self.asleep -= woken
        job.ready_at = self.now + (BOOTS if woken else 0)
        self._running[job.key] = job
        del self._released[job.key]

    def _end(self, job: FakeJob, said: str, then: str, takes: int) -> None:
        """End a run: its processors are free some seconds later."""
        end = min(self.now, _due(job))
        self.runs.append(FakeRun(replace(job), said, job.start, end))
        if 0 < job.writing[0] <= self.now:
            job.saved = job.writing[1]
        del self._running[job.key]
        job.state, job.then, job.end, job.free_at = "COMPLETING", then, end, self.now + takes
        if then == "PENDING":
            job.restarts, job.start, job.end = job.restarts + 1, self.now, self.now
        self._completing.append(job)
        if not takes:
            self._cleaned(job)

    def _cleaned(self, job: FakeJob) -> None:
        for name, taken in job.places.items():
            self.free[name] += taken
        job.places = {}
        self._completing.remove(job)
        if job.then == "PENDING":
            job.state, job.submit, job.reason = "PENDING", job.start, "BeginTime"
            job.begin = job.eligible = job.submit + REQUEUE_DELAY
            self._set(job, job.hold)
        else:
            self._is_over(job, job.then)

    def _is_over(self, job: FakeJob, state: str) -> None:
        job.state, job.apart = state, True
        self._released.pop(job.key, None)
        self._over.append(job)

    def _row(self, job: FakeJob) -> Cells:
        waits = self._obstacle(job) == "Dependency" and job.state == "PENDING"
        told = {
            "jobid": job.number if job.apart else job.array,
            "arrayjobid": job.array or job.number,
            "arraytaskid": "N/A" if job.task is None else job.task,
            AT_ONCE: job.at_once,
            "state": "CONFIGURING" if self._boots(job) else job.state,
            "reason": job.hold or ("Dependency" if waits else job.reason),
            "submittime": date(job.submit),
            "eligibletime": date(max(job.eligible, job.begin)),
            "starttime": date(job.start if job.state != "PENDING" else job.begin),
            "endtime": date(job.end),
            "timelimit": span(60 * job.minutes),
            "numcpus": job.cpus,
            "restartcnt": job.restarts,
            "prioritylong": job.priority,
            "nice": job.nice,
            "username": job.user,
            "account": job.account,
            "comment": job.comment or "(null)",
            "admin_comment": job.admin_comment or "(null)",
            "dependency": f"afterany:{job.after}(unfulfilled)" if waits else "(null)",
        }
        return ROW | {name: str(value) for name, value in told.items()}

    def _node(self, name: str) -> Cells:
        cpus, idle = self._nodes[name], self.free[name]
        state = "down" if name in self.broken else "idle" if idle == cpus else "mixed"
        boots = any(name in job.places and self._boots(job) for job in self._running.values())
        flags = ["powering_up", "not_responding"] if boots else []
        flags += ["powered_down"] if name in self.asleep else []
        return node_cells(name, "+".join([state, *flags]), cpus - idle, idle, cpus, "main")

    def _boots(self, job: FakeJob) -> bool:
        return job.state == "RUNNING" and job.start < job.ready_at


def _due(job: FakeJob) -> int:
    """When a run ends by itself, or what it runs on is up (s)."""
    if job.start < job.ready_at:
        return job.ready_at
    return min(job.start + job.work - job.saved, job.start + 60 * job.minutes)


def _accounted(run: FakeRun) -> list[str]:
    job = run.job
    who = (job.key, job.number, "lab", job.user, job.account, "main", "normal", run.state)
    times = map(_date, (job.submit, job.eligible, run.start, run.end))
    lasted = run.end - run.start if run.start and run.end else 0
    cells = (*who, *times, lasted, "00:00:00", job.minutes, job.cpus, f"cpu={job.cpus}")
    return [str(cell) for cell in cells]


def _date(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S") if time else "Unknown"
