"""Jobs and nodes as squeue and sinfo list them, in text: of 22.05 and later, by one reader."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from swfx import InputError
from swfx.accounting.quantities import duration
from swfx.families.formats.slurm import DEFAULT_LIMIT
from swfx.slurm.states import STATES
from utilitysched_slurm.accounting import seconds_of
from utilitysched_slurm.commands import SlurmError, UnreadableError, excerpt
from utilitysched_slurm.listings import AT_ONCE, NONE, Row
from utilitysched_slurm.node_states import states_of, takes_jobs

MOST_TASKS = 1000
"""Waiting tasks of an array that are jobs here; the others come up as these start."""

_HOLDING = {"RUNNING", "COMPLETING", "CONFIGURING", "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED"}
_WAITING = {
    "EXPEDITING", "PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT",
}  # fmt: skip
_OVER = {state.name for state in STATES if state.over} - _HOLDING - _WAITING
_KNOWN = _HOLDING | _WAITING | _OVER | {"SUSPENDED"}
_MAY_NEVER_RUN = {"CANCELLED", "DEADLINE"}
_RESOURCES = "Nodes required for job are DOWN"
"""Beginning of what is told in the place of the reason Resources where nodes are away."""

_OTHER = (KeyError, ValueError, InputError, OverflowError)
"""Errors of reading what is not as it is known."""

MOST_DIGITS = 10
"""Digits of numbers: none of Slurm's has more."""

UNCLEAR = "UNCLEAR"
"""State of a job whose entry cannot be read; none of Slurm's."""

PLANNABLE = {"", "None", "Priority", "Resources", "JobArrayTaskLimit"}
"""Reasons for which jobs wait that a plan of processors and times can express."""


class SlurmJob(NamedTuple):
    """A job, or a task of an array; times are in s of Unix time, 0 for never.

    Attributes
    ----------
    key : str
        What users call it: 17, or 15_3 for a task.
    number : int
        What Slurm calls it; 0 for a waiting task, which has no number of its own.
    array : int
        Number of its array, 0 if it is of none.
    at_once : int
        How many tasks of the array may run at a time, 0 for any number.
    states : frozenset of str
        What it is in.
    reason : str
        Why it waits.
    submit, eligible, start, end : float
        Last submission, since when it may start, start and end; of one that runs, of one that
        waits, Slurm's estimates.
    limit : float
        Requested time (s).
    processors : int
        CPUs.
    restarts : int
        How often it was requeued.
    rerunnable : bool
        Slurm may requeue it.
    depends : bool
        It waits for other jobs.
    held, parted : bool
        Somebody holds it; it is a part of a heterogeneous job.
    nice : int
        What is taken from its priority.
    user, account, partition, name : str
        Whose it is, and what it is called.
    comment, admin_comment : str
        What it says of itself, and what an operator said of it.
    qos : str
        Its quality of service.
    """

    key: str
    number: int = 0
    array: int = 0
    at_once: int = 0
    states: frozenset[str] = frozenset({"PENDING"})
    reason: str = ""
    submit: float = 0.0
    eligible: float = 0.0
    start: float = 0.0
    end: float = 0.0
    limit: float = 0.0
    processors: int = 1
    restarts: int = 0
    rerunnable: bool = True
    depends: bool = False
    held: bool = False
    parted: bool = False
    nice: int = 0
    user: str = ""
    account: str = ""
    partition: str = ""
    name: str = ""
    comment: str = ""
    admin_comment: str = ""
    qos: str = ""

    @property
    def clear(self) -> bool:
        """Whether the job could be read."""
        return UNCLEAR not in self.states

    @property
    def holds(self) -> bool:
        """Whether the job has processors."""
        return bool(self.states & _HOLDING) and "SUSPENDED" not in self.states

    @property
    def waits(self) -> bool:
        """Whether the job is in the queue."""
        return bool(self.states & _WAITING) and not self.holds

    @property
    def over(self) -> bool:
        """Whether the job has ended for good."""
        return not self.holds and not self.waits and bool(self.states & _OVER)

    @property
    def has_run(self) -> bool:
        """Whether the job, which is over, had processors; Slurm gives one that never ran times."""
        return not (self.states & _MAY_NEVER_RUN and self.start >= self.end)

    @property
    def ending(self) -> str:
        """Final state of the job, empty while it has none."""
        return min(self.states & _OVER, default="")

    @property
    def entry(self) -> str:
        """Job number for scontrol: for a waiting task of an array, the number of the array."""
        return str(self.array) if self.array and not self.number else self.key

    def is_other(self, submit: float) -> bool:
        """Return whether this job has taken the number of a job that was submitted then (s).

        Numbers are used again where a controller has forgotten the last submissions. A requeue
        moves the submission of the same job, and is counted.
        """
        return not self.restarts and self.submit > submit

    @property
    def obstacle(self) -> str:
        """Reason of waiting that no plan can express and Slurm must decide on; empty if none."""
        if self.held:
            return "held"
        if self.parted:
            return "heterogeneous"
        return "" if self.reason in PLANNABLE else self.reason.partition(",")[0]


class ProcessorPool(NamedTuple):
    """Processors of a partition, or of all.

    Attributes
    ----------
    processors : int
        That are configured.
    idle : int
        Of nodes that take jobs, those asleep among them, in use by nobody.
    """

    processors: int
    idle: int


def read_jobs(rows: Iterable[Row], partition: str = "") -> list[SlurmJob]:
    """Return the jobs of what squeue listed, those of a partition if one is named.

    Raises
    ------
    UnreadableError
        A row cannot be read.
    """
    jobs, problems = read_entries(rows)
    if problems:
        raise UnreadableError(problems[0], source="squeue")
    return in_partition(jobs, partition)


def read_entries(rows: Iterable[Row]) -> tuple[list[SlurmJob], list[str]]:
    """Return the jobs of what squeue listed, and why other rows cannot be read."""
    jobs: list[SlurmJob] = []
    problems = []
    tasks: Counter[str] = Counter()
    for row in rows:
        together = row["arraytaskid"] not in NONE and row["jobid"] == row["arrayjobid"]
        tasks[row["jobid"]] += together
        if tasks[row["jobid"]] > MOST_TASKS:
            continue
        try:
            jobs.append(_job(row))
        except _OTHER as error:
            number = row["jobid"]
            problems.append(excerpt(f"lists otherwise than known: job {number}: {error!r}"))
    return jobs, problems


class QueueReader:
    """Reader of the queue from look to look: an entry that it cannot read changes nothing.

    Jobs of the last look that are missing beside such an entry stay as they were: those that ran
    run, and those that waited are unclear, so that nobody starts them.

    Parameters
    ----------
    note : callable
        Takes what cannot be read.

    Attributes
    ----------
    last : sequence of SlurmJob
        Jobs of the last look.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self.last: Sequence[SlurmJob] = ()

    def read(self, rows: Iterable[Row]) -> list[SlurmJob]:
        """Return the jobs of what squeue listed."""
        jobs, problems = read_entries(rows)
        for problem in problems:
            self._note(f"squeue: {problem}")
        if problems:
            there = {job.key for job in jobs}
            missing = [job for job in self.last if job.key not in there and not job.over]
            jobs += [unclear(job) if job.waits else job for job in missing]
        self.last = jobs
        return jobs


def unclear(job: SlurmJob) -> SlurmJob:
    """Return a job of which nobody knows whether it waits or runs."""
    return job._replace(states=frozenset({UNCLEAR}))


def in_partition(jobs: Iterable[SlurmJob], partition: str) -> list[SlurmJob]:
    """Return the jobs that may run in a partition; all if none is named."""
    return [job for job in jobs if partition in {"", *job.partition.split(",")}]


def in_turns(jobs: Iterable[SlurmJob]) -> list[SlurmJob]:
    """Return jobs so that nobody waits for the many of another: each user's first, then seconds."""
    turns: Counter[str] = Counter()
    in_turn = []
    for job in jobs:
        turns[job.user] += 1
        in_turn.append((turns[job.user], job))
    return [job for _, job in sorted(in_turn, key=itemgetter(0))]


def read_pool(rows: Iterable[Row], partition: str = "") -> ProcessorPool:
    """Return the processors of what sinfo listed, each node counted once.

    Raises
    ------
    SlurmError
        A row cannot be read, or no node is in the partition.
    """
    pool, problems = read_nodes(rows, partition)
    if problems:
        raise UnreadableError(problems[0], source="sinfo")
    return pool


def read_nodes(rows: Iterable[Row], partition: str = "") -> tuple[ProcessorPool, list[str]]:
    """Return the processors of what sinfo listed, and why rows cannot be read.

    Nodes that cannot be read have no processors.

    Raises
    ------
    SlurmError
        No node is in the partition.
    """
    seen: set[str] = set()
    processors = idle = 0
    problems = []
    for row in rows:
        try:
            here, name, group = _cpus(row), row["nodelist"], row["partitionname"]
        except _OTHER as error:
            problems.append(excerpt(f"lists otherwise than known: {error!r}"))
            continue
        if name not in seen and partition in {"", group}:
            seen.add(name)
            processors += here.processors
            idle += here.idle
    if not processors and not problems:
        where = f"partition {partition}" if partition else "the cluster"
        raise SlurmError(f"knows no processors of {where}", source="sinfo")
    return ProcessorPool(processors, idle), problems


def _cpus(row: Row) -> ProcessorPool:
    allocated, idle, other, total = map(_whole, row["cpusstate"].split("/"))
    if allocated + idle + other != total:
        raise ValueError(f"{row['cpusstate']} processors")
    return ProcessorPool(total, idle if takes_jobs(states_of(row["statecomplete"])) else 0)


def _job(row: Row) -> SlurmJob:
    number, task = _whole(row["jobid"]), row["arraytaskid"]
    array = 0 if task in NONE else _whole(row["arrayjobid"])
    state, reason = row["state"], row["reason"]
    start, end = _time(row["starttime"]), _time(row["endtime"])
    if state not in _KNOWN:
        raise ValueError(f"state {state}")
    if number < 1 or (state in _OVER and 0 < end < start):
        raise ValueError(f"number {number}, start {start:.0f}, end {end:.0f}")
    together = array == number and state in _WAITING
    return SlurmJob(
        key=f"{array}_{_whole(task)}" if array else str(number),
        number=0 if together else number,
        array=array,
        at_once=_whole(row[AT_ONCE]),
        states=frozenset({state}),
        reason="Resources" if reason.startswith(_RESOURCES) else reason,
        submit=_time(row["submittime"]),
        eligible=_time(row["eligibletime"]),
        start=start,
        end=end,
        limit=_limit(row["timelimit"]),
        processors=max(1, _whole(row["numcpus"])),
        restarts=_whole(row["restartcnt"]),
        rerunnable=_flag(row["requeue"]) and _whole(row["batchflag"]) > 0,  # 2 after a lost launch
        depends=row["dependency"] not in NONE,
        held=_whole(row["prioritylong"]) == 0,
        parted=row["hetjobid"] not in NONE,
        nice=int(row["nice"]),
        user=row["username"],
        account=_text(row["account"]),
        partition=row["partition"],
        name=row["name"],
        comment=_text(row["comment"]),
        admin_comment=_text(row["admin_comment"]),
        qos=_text(row["qos"]),
    )


def _text(cell: str) -> str:
    return "" if cell in NONE else cell


def _flag(cell: str) -> bool:
    return {"0": False, "1": True}[cell]


@lru_cache(maxsize=1000)
def _limit(cell: str) -> float:
    return duration(cell, "timelimit", alone=60.0) or DEFAULT_LIMIT


def _time(cell: str) -> float:
    time = seconds_of(cell)
    if not 0 <= time < 2**32:
        raise ValueError(f"out of range: {cell}")
    return time


def _whole(cell: str) -> int:
    if not cell.isdecimal() or len(cell) > MOST_DIGITS:
        raise ValueError(f"no number: {cell}")
    return int(cell)
