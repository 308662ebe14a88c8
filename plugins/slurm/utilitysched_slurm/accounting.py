"""Accounting of a real cluster: which runs are over, by sacct or a log of completions."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple, Protocol

from swfx.accounting.record_error import RecordError
from swfx.base.errors import failed
from swfx.slurm.states import parse_state

COLUMNS = (
    "JobID", "JobIDRaw", "Cluster", "User", "Account", "Partition", "QOS", "State", "Submit",
    "Eligible", "Start", "End", "ElapsedRaw", "Suspended", "TimelimitRaw", "AllocCPUS", "AllocTRES",
)  # fmt: skip
"""Of sacct that are asked for: none holds what a user may write."""

_USER = COLUMNS.index("User")

TO_BE_CONTINUED = "REQUEUED"
"""State of a run after which its job waits again."""

AT_ONCE = 1000
"""Jobs that accounting is asked about in one command."""

_LOGGED = re.compile(
    r"JobId=(?P<number>\d+) UserId=(?P<user>\S*)\(\d+\) GroupId=\S* Name=.*"
    r" JobState=(?P<state>\S+) Partition=(?P<partition>\S*) TimeLimit=(?P<limit>\S*)"
    r" StartTime=(?P<start>\S*) EndTime=(?P<end>\S*) NodeList=\S* NodeCnt=(?P<nodes>\d+)"
    r" ProcCnt=(?P<processors>\d+) WorkDir=.* ReservationName=\S* Tres=(?P<tres>\S*)"
    r" Account=(?P<account>\S*) QOS=(?P<qos>\S*) WcKey=\S* Cluster=(?P<cluster>\S*)"
    r" SubmitTime=(?P<submit>\S*) EligibleTime=(?P<eligible>\S*)"
    r"(?: ArrayJobId=(?P<array>\d+) ArrayTaskId=(?P<task>\d+))?"
)
"""A line of jobcomp/filetxt. What users write, the name and the folder, may hold anything."""


class AccountedRun(NamedTuple):
    """A line of accounting: a run of a job, or that it waits; times in s of Unix time, 0 for none.

    Attributes
    ----------
    key : str
        What users call the job: 17, or 15_3 for a task.
    state : str
        The first word of it.
    submit, start, end : float
        When this run was submitted, for requeued ones again, started and ended.
    cells : tuple of str
        All `COLUMNS`.
    """

    key: str
    state: str
    submit: float
    start: float
    end: float
    cells: tuple[str, ...]

    @property
    def user(self) -> str:
        """User of the job."""
        return self.cells[_USER]

    @property
    def lasted(self) -> bool:
        """Whether the run held processors for any time."""
        return self.ran and self.end > self.start

    @property
    def over(self) -> bool:
        """Whether the run has ended or will never begin."""
        try:
            return parse_state(self.state).over
        except RecordError:
            return self.end > 0

    @property
    def last(self) -> bool:
        """Whether the job has ended with this run."""
        return self.over and self.state != TO_BE_CONTINUED

    @property
    def going_on(self) -> bool:
        """Whether the run has begun and no end of it is known."""
        return self.ran and not self.over

    @property
    def ran(self) -> bool:
        """Whether the run began."""
        return self.start > 0


class Accounting(Protocol):
    """Tells of runs: `utilitysched_slurm.commands`, or a `CompletionLog`."""

    def accounted(self, keys: Sequence[str]) -> str:
        """Return lines of `COLUMNS`, separated by ``|``, of all runs of jobs."""
        ...

    def is_current(self) -> bool:
        """Return whether it has heard of all that the controller has to tell."""
        ...


class CompletionLog:
    """The log of ``JobCompType=jobcomp/filetxt``, for a cluster without a database.

    It is read as it grows, and anew where it is shorter than before.

    Parameters
    ----------
    path : Path
        ``JobCompLoc``.
    zone : tzinfo
        Of its times: the controller's.
    """

    def __init__(self, path: Path, zone: tzinfo = UTC) -> None:
        self._path, self._zone = path, zone
        self._read = 0
        self._lines: dict[str, list[str]] = {}

    def accounted(self, keys: Sequence[str]) -> str:
        """Return lines of `COLUMNS` of all runs of jobs that the log has.

        Raises
        ------
        InputError
            The log cannot be read.
        """
        try:
            with self._path.open("rb") as file:
                if self._path.stat().st_size < self._read:
                    self._read, self._lines = 0, {}
                file.seek(self._read)
                text = file.read()
        except OSError as error:
            raise failed("cannot be read", error, self._path, "name JobCompLoc") from error
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.decode("utf-8", "replace").splitlines():
            if row := self._row(line):
                self._lines.setdefault(row.partition("|")[0], []).append(row)
        return "".join(f"{row}\n" for key in keys for row in self._lines.get(key, ()))

    @staticmethod
    def is_current() -> bool:
        """Return True: the controller writes the log itself, before it forgets a job."""
        return True

    def _row(self, line: str) -> str:
        """Return a line as sacct would print it, empty for a line without a run."""
        found = _LOGGED.match(line)
        if found is None:
            return ""
        told, task = found.groupdict(), found["task"]
        key = told["number"] if task is None else f"{told['array']}_{task}"
        state = TO_BE_CONTINUED if told["state"] == "PENDING" else told["state"]
        times = {name: self._utc(told[name]) for name in ("submit", "eligible", "start", "end")}
        if told["nodes"] == "0":
            times["start"] = "None"
        begin, end = _seconds(times["start"]), _seconds(times["end"])
        who = (told[name] for name in ("cluster", "user", "account", "partition", "qos"))
        lasted = f"{end - begin if begin else 0:.0f}"
        rest = (lasted, "", told["limit"], told["processors"], told["tres"])
        return "|".join((key, told["number"], *who, state, *times.values(), *rest))

    def _utc(self, text: str) -> str:
        try:
            return (
                datetime.fromisoformat(text)
                .replace(tzinfo=self._zone)
                .astimezone(UTC)
                .strftime("%Y-%m-%dT%H:%M:%S")
            )
        except ValueError:  # unknown
            return "Unknown"


def read_runs(text: str) -> dict[str, list[AccountedRun]]:
    """Return the lines of each job, by submission and start; what is no line of a job is left out.

    Examples
    --------
    >>> cells = ["7", "7", "lab", "ann", "physics", "main", "normal", "COMPLETED"]
    >>> times = ["1970-01-01T00:00:09"] * 4
    >>> runs = read_runs("|".join([*cells, *times, "0", "", "5", "2", "cpu=2"]))
    >>> runs["7"][0].start
    9.0
    """
    found: dict[str, list[AccountedRun]] = {}
    for line in text.splitlines():
        cells = tuple(line.split("|"))
        if len(cells) == len(COLUMNS):
            run = _run(cells)
            found.setdefault(run.key, []).append(run)
    for runs in found.values():
        runs.sort(key=lambda run: (run.submit, run.start or float("inf")))
    return found


def runs_of(key: str, known: Mapping[str, list[AccountedRun]]) -> list[AccountedRun]:
    """Return the lines of a job, of a task that never ran those of all such tasks of its array."""
    array, _, task = key.partition("_")
    if key in known or not task:
        return known.get(key, [])
    return [run for each, runs in known.items() if each.startswith(f"{array}_[") for run in runs]


def of_one_job(submit: float, lines: Sequence[AccountedRun]) -> tuple[list[AccountedRun], bool]:
    """Return the lines of the job that was submitted then, and whether later ones are of another.

    Slurm moves a submission when it requeues a run, to its end. A controller that was killed may
    have forgotten a job that waited, and gives its number out again.

    Examples
    --------
    >>> waits = AccountedRun("7", "PENDING", 9.0, 0.0, 0.0, ())
    >>> runs = AccountedRun("7", "RUNNING", 11.0, 12.0, 0.0, ())
    >>> of_one_job(9.0, [waits, runs]) == ([waits], True)
    True
    """
    later = [line for line in lines if line.submit >= int(submit)]
    mine = later[: bool(later) and later[0].submit == int(submit)]
    for line in later[len(mine) :] if mine else []:
        if not mine[-1].ran or line.submit < mine[-1].end - 1:
            break
        mine.append(line)
    return mine, len(mine) < len(later)


def _run(cells: tuple[str, ...]) -> AccountedRun:
    told = dict(zip(COLUMNS, cells, strict=True))
    submit, start, end = (_seconds(told[name]) for name in ("Submit", "Start", "End"))
    state = told["State"].partition(" ")[0]
    return AccountedRun(told["JobID"], state, submit, start, end, cells)


def _seconds(text: str) -> float:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:  # Unknown, None
        return 0.0
