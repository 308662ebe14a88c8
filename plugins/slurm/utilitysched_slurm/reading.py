"""Jobs and nodes as Slurm's JSON has them: of 22.05 to 25.05, by one reader.

From 23.02 on numbers are objects that say whether they are set, and sinfo lists groups of nodes
under another key; from 23.11 on times are such objects, too, and states are lists.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from swfx.base.ranges import bounds_in
from swfx.families.formats.slurm import DEFAULT_LIMIT
from swfx.slurm.states import STATES
from utilitysched_slurm.commands import SlurmError, UnreadableError, excerpt
from utilitysched_slurm.node_states import takes_jobs

MOST_TASKS = 1000
"""Waiting tasks of an array that are jobs here; the others come up as these start."""

_HOLDING = {"RUNNING", "COMPLETING", "CONFIGURING", "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED"}
_WAITING = {
    "EXPEDITING", "PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT",
}  # fmt: skip
_OVER = {state.name for state in STATES if state.over} - _HOLDING - _WAITING
_KNOWN = _HOLDING | _WAITING | _OVER | {"SUSPENDED"}
_MAY_NEVER_RUN = {"CANCELLED", "DEADLINE"}
_UNSET = (2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1)
"""Numbers by which Slurm says that there is none, or no bound."""

_OTHER = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
"""Errors of reading what is not as it is known."""

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
        What it is in: one, or one and what happens to it.
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


def read_jobs(document: Mapping[str, Any], partition: str = "") -> list[SlurmJob]:
    """Return the jobs of what ``squeue --json`` printed, those of a partition if one is named.

    Raises
    ------
    UnreadableError
        It is not that, or an entry cannot be read.
    """
    jobs, problems = read_entries(document)
    if problems:
        raise UnreadableError(problems[0], source="squeue")
    return in_partition(jobs, partition)


def read_entries(document: Mapping[str, Any]) -> tuple[list[SlurmJob], list[str]]:
    """Return the jobs of what ``squeue --json`` printed, and why other entries cannot be read.

    Raises
    ------
    UnreadableError
        It is not that.
    """
    rows = document.get("jobs")
    if not isinstance(rows, list):
        raise UnreadableError("prints other JSON than known: no list of jobs", source="squeue")
    jobs: list[SlurmJob] = []
    problems = []
    for row in rows:
        try:
            jobs += list(_jobs(row))
        except _OTHER as error:
            number = row.get("job_id") if isinstance(row, Mapping) else None
            problems.append(excerpt(f"prints other JSON than known: job {number}: {error!r}"))
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

    def read(self, document: Mapping[str, Any]) -> list[SlurmJob]:
        """Return the jobs of what ``squeue --json`` printed.

        Raises
        ------
        UnreadableError
            It is not that.
        """
        jobs, problems = read_entries(document)
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


def read_pool(document: Mapping[str, Any], partition: str = "") -> ProcessorPool:
    """Return the processors of what ``sinfo --json`` printed, each node counted once.

    Raises
    ------
    SlurmError
        It is not that, or no node is in the partition.
    """
    pool, problems = read_nodes(document, partition)
    if problems:
        raise UnreadableError(problems[0], source="sinfo")
    return pool


def read_nodes(document: Mapping[str, Any], partition: str = "") -> tuple[ProcessorPool, list[str]]:
    """Return the processors of what ``sinfo --json`` printed, and why entries cannot be read.

    Nodes that cannot be read have no processors.

    Raises
    ------
    SlurmError
        It is not that, or no node is in the partition.
    """
    rows = document.get("nodes") or document.get("sinfo") or []
    if not isinstance(rows, list):
        raise UnreadableError("prints other JSON than known: no list of nodes", source="sinfo")
    seen: set[str] = set()
    processors = idle = 0
    problems = []
    for row in rows:
        try:
            names, groups = _place(row)
            here = _cpus(row)
        except _OTHER as error:
            problems.append(excerpt(f"prints other JSON than known: {error!r}"))
            continue
        if not names & seen and partition in {"", *groups}:
            seen |= names
            processors += here.processors
            idle += here.idle
    if not processors and not problems:
        where = f"partition {partition}" if partition else "the cluster"
        raise SlurmError(f"knows no processors of {where}", source="sinfo")
    return ProcessorPool(processors, idle), problems


def _place(row: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """Return the nodes of an entry of sinfo, and the partitions they are in."""
    if "nodes" in row:
        return set(row["nodes"]["nodes"]), {row["partition"]["name"]}
    return {row["name"]}, set(row["partitions"])


def _cpus(row: Mapping[str, Any]) -> ProcessorPool:
    if "nodes" in row:
        total, idle = row["cpus"]["total"], row["cpus"]["idle"]
        states = _words(row["node"]["state"])
    else:
        total, idle = row["cpus"], row["idle_cpus"]
        states = _words(row["state"]) | _words(row.get("state_flags"))
    pool = ProcessorPool(_whole(total), _whole(idle))
    if pool.idle > pool.processors:
        raise ValueError(f"{pool.idle} of {pool.processors} processors idle")
    return pool if takes_jobs(states) else pool._replace(idle=0)


def _jobs(row: Mapping[str, Any]) -> Iterator[SlurmJob]:
    """Yield the job of an entry of squeue, or its tasks if it stands for several that wait."""
    job = _job(row)
    tasks = _text(row.get("array_task_string"))
    if not tasks or not job.waits:
        yield job
        return
    for task in _tasks(tasks):
        yield job._replace(key=f"{job.array}_{task}", number=0)


def _tasks(text: str) -> Iterable[int]:
    """Return the first numbers of ``3-6,9%2``, of ``0-8:4`` every fourth."""
    tasks: list[int] = []
    for part in text.partition("%")[0].split(","):
        if part == "...":  # where a client cut the text off
            break
        ends, _, step = part.partition(":")
        low, high = bounds_in(ends)
        tasks += range(int(low[0]), int(high[0]), int(step or 1))[: MOST_TASKS - len(tasks)]
    return tasks


def _job(row: Mapping[str, Any]) -> SlurmJob:
    number, array = _whole(row["job_id"]), _whole(row.get("array_job_id"))
    task = _number(row.get("array_task_id"))
    states = frozenset(_words(row["job_state"]))
    start, end = _number(row["start_time"]) or 0.0, _number(row["end_time"]) or 0.0
    if not states & _KNOWN:
        raise ValueError(f"states {sorted(states)}")
    if number < 1 or (states & _OVER and 0 < end < start):
        raise ValueError(f"number {number}, start {start:.0f}, end {end:.0f}")
    minutes = _number(row["time_limit"])
    return SlurmJob(
        key=str(number) if not array or task is None else f"{array}_{int(task)}",
        number=number,
        array=array,
        at_once=_whole(row.get("array_max_tasks")),
        states=states,
        reason=_text(row.get("state_reason")),
        submit=_number(row["submit_time"]) or 0.0,
        eligible=_number(row.get("eligible_time")) or 0.0,
        start=start,
        end=end,
        limit=minutes * 60 if minutes else DEFAULT_LIMIT,
        processors=max(1, _whole(row["cpus"])),
        restarts=_whole(row.get("restart_cnt")),
        rerunnable=_flag(row.get("requeue")) and _flag(row.get("batch_flag")),
        depends=bool(_text(row.get("dependency"))),
        held=_number(row.get("priority")) == 0,
        parted=_whole(row.get("het_job_id")) > 0,
        user=_text(row.get("user_name") or row.get("user_id")),
        account=_text(row.get("account")),
        partition=_text(row.get("partition")),
        name=_text(row.get("name")),
        comment=_text(row.get("comment")),
        admin_comment=_text(row.get("admin_comment")),
        qos=_text(row.get("qos")),
    )


def _words(value: Any) -> set[str]:
    """Return states: one text, a list, or nothing."""
    words = [value] if isinstance(value, str) else value or ()
    return {_text(word).upper() for word in words}


def _text(value: Any) -> str:
    """Return a text, or a number as one; without halves of letters, which no file takes."""
    if not isinstance(value, str | int | None):
        raise TypeError(f"no text: {excerpt(repr(value))}")
    return "" if value is None else str(value).encode(errors="replace").decode()


def _flag(value: Any) -> bool:
    if not isinstance(value, int | None):
        raise TypeError(f"neither true nor false: {excerpt(repr(value))}")
    return bool(value)


def _number(value: Any) -> float | None:
    """Return a number; None if it is not set or infinite."""
    if isinstance(value, Mapping):
        value = value["number"] if value["set"] and not value["infinite"] else None
    if value is None or value in _UNSET:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"no number: {excerpt(repr(value))}")
    if not 0 <= value < 2**32:
        raise ValueError(f"out of range: {excerpt(repr(value))}")
    return float(value)


def _whole(value: Any) -> int:
    return int(_number(value) or 0)
