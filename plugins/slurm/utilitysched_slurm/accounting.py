"""Accounting of a real cluster: runs and their ends, as sacct lists them."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple, Protocol

from swfx.accounting.record_error import RecordError
from swfx.slurm.states import parse_state

COLUMNS = (
    "JobID", "JobIDRaw", "Cluster", "User", "Account", "Partition", "QOS", "State", "Submit",
    "Eligible", "Start", "End", "ElapsedRaw", "Suspended", "TimelimitRaw", "AllocCPUS", "AllocTRES",
)  # fmt: skip
"""Of sacct that are asked for: none holds what a user may write."""

_USER = COLUMNS.index("User")

TO_BE_CONTINUED = ("REQUEUED", "RESIZING")
"""States of runs that another one follows: the job waits again, or goes on with another size."""

_FORMS = {
    "JobID": r"\d+([_+]\d+|_\[[^|]*\])?",
    "Submit|Eligible|Start|End": r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|None|Unknown|)",
    "ElapsedRaw|AllocCPUS": r"\d{1,9}|",
    "Suspended": r"(\d+-)?\d\d:\d\d:\d\d|",
    "TimelimitRaw": r"\d{1,9}|UNLIMITED|Partition_Limit|",
    "AllocTRES": r"([\w/.:-]+=\d{1,20}(\.\d+)?[KMGTPE]?,?)*",
}
_READ = [(COLUMNS.index(name), re.compile(form)) for names, form in _FORMS.items()
         for name in names.split("|")]  # fmt: skip
"""Places of cells that are read, and what they may hold."""

AT_ONCE = 1000
"""Jobs that accounting is asked about in one command."""


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
    clear : bool
        Whether the figures of the line could be read.
    """

    key: str
    state: str
    submit: float
    start: float
    end: float
    cells: tuple[str, ...]
    clear: bool = True

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
        return self.over and self.state not in TO_BE_CONTINUED

    @property
    def going_on(self) -> bool:
        """Whether the run has begun and no end of it is known."""
        return self.ran and not self.over

    @property
    def ran(self) -> bool:
        """Whether the run began."""
        return self.start > 0


class Accounting(Protocol):
    """Tells of runs: `utilitysched_slurm.commands`, or one of our making."""

    def accounted(self, keys: Sequence[str]) -> str:
        """Return lines of `COLUMNS`, separated by ``|``, of all runs of jobs."""
        ...

    def is_current(self) -> bool:
        """Return whether it has heard of all that the controller has to tell."""
        ...


def read_runs(text: str) -> dict[str, list[AccountedRun]]:
    """Return the lines of each job, by submission and start.

    Lines that cannot be read are not clear; those that name no job belong to the empty one.

    Examples
    --------
    >>> cells = ["7", "7", "lab", "ann", "physics", "main", "normal", "COMPLETED"]
    >>> times = ["1970-01-01T00:00:09"] * 4
    >>> runs = read_runs("|".join([*cells, *times, "0", "", "5", "2", "cpu=2"]))
    >>> runs["7"][0].start
    9.0
    """
    by_job: dict[str, list[AccountedRun]] = {}
    for line in text.splitlines():
        run = _run(tuple(line.split("|")))
        by_job.setdefault(run.key, []).append(run)
    for runs in by_job.values():
        runs.sort(key=lambda run: (run.submit, run.start or float("inf")))
    return by_job


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
    key = cells[0] if _READ[0][1].fullmatch(cells[0]) else ""
    unclear = AccountedRun(key, "", 0.0, 0.0, 0.0, cells, clear=False)
    if len(cells) != len(COLUMNS) or any(not form.fullmatch(cells[at]) for at, form in _READ):
        return unclear
    record = dict(zip(COLUMNS, cells, strict=True))
    try:
        submit, start, end = (seconds_of(record[name]) for name in ("Submit", "Start", "End"))
    except ValueError:
        return unclear
    state = record["State"].partition(" ")[0]
    if start and end and int(record["ElapsedRaw"] or 0) > max(end - start, 0.0) + 1:
        return unclear
    return AccountedRun(key, state, submit, start, end, cells)


@lru_cache(maxsize=100_000)
def seconds_of(text: str) -> float:
    """Return a date of Slurm, in UTC, as Unix time (s); 0 for none.

    Raises
    ------
    ValueError
        It is no date.
    """
    if text in {"", "None", "NONE", "Unknown", "N/A"}:
        return 0.0
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
