"""Records of jobs of sacct, and the runs of each job that they are."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.jobs import COMPLETED
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import (
    EARLIER_RUN,
    NEVER_STARTED,
    REPEATED,
    STILL_RUNNING,
    STILL_WAITING,
)
from swfx.base.columns import Bools, Floats, Ints
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.dependencies import Awaited
from swfx.slurm.states import TO_BE_CONTINUED

__all__ = [
    "KEY",
    "OWN",
    "PENDING_TASKS",
    "WHY_NO_RUN",
    "JobRuns",
    "Records",
    "Requeue",
    "complete",
    "job_runs",
    "restarts_said",
]

PENDING_TASKS = Rule(
    "pending-tasks", "dropped", "tasks of a job array that had not started, in one record"
)

WHY_NO_RUN = (None, PENDING_TASKS, NEVER_STARTED, STILL_WAITING, STILL_RUNNING)
"""Rules of records that are no runs which came to their end."""

NO_RESTARTS = -1
"""Of a record that does not say how often its job was requeued."""

KEY = ("cluster number", "number", "task", "part")
"""Columns that tell a job from others: numbers for its cluster, its own, task and part."""

OWN = (*KEY, "start", "ran", "restarts", "fault", "why")
"""Columns of records that are none of a workload."""


def restarts_said(text: str) -> int:
    """Return the number of requeues of a job; `NO_RESTARTS` for an empty text.

    >>> restarts_said("2"), restarts_said("")
    (2, -1)
    """
    return int(text[:9]) if text.isdecimal() else NO_RESTARTS


class Records:
    """Records of jobs.

    Attributes
    ----------
    jobs : JobColumns
        The job that each record would be if it had run once, with the columns `KEY`; ``start``
        (Unix time, s; infinite without any), ``ran`` (s; NaN unknown), ``restarts``, ``fault``
        (whether the machine failed) and ``why``, a place in `WHY_NO_RUN`.
    awaited : dict of int to tuple of Awaited
        Jobs that a record waited for, by its position; few do.
    """

    def __init__(self, listing: Listing) -> None:
        self.jobs = JobColumns()
        self.awaited: dict[int, tuple[Awaited, ...]] = {}
        self._listing = listing

    def __len__(self) -> int:
        return len(self.jobs)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.jobs[name]

    @property
    def ended(self) -> Floats:
        """Unix time (s) of the end of each run."""
        return np.asarray(self["start"] + self["ran"], np.float64)

    def are_runs(self) -> Bools:
        """Return a mask of the runs that came to their end."""
        return np.asarray(self["why"] == WHY_NO_RUN.index(None), np.bool_)

    def list_no_runs(self, rows: Ints) -> None:
        """List the records among `rows` that are no runs, by rule."""
        why = self["why"][rows]
        for code, rule in enumerate(WHY_NO_RUN):
            if rule is not None:
                self.list_as(rows[why == code], rule)

    def list_as(self, rows: Ints, rule: Rule) -> None:
        """List these records under a rule."""
        self._listing.add_all(self["line"][rows], rule)

    def identity(self) -> list[npt.NDArray[Any]]:
        """Return columns that are equal for records of one number and user."""
        return [self[name] for name in (*KEY, "user")]


Requeue: TypeAlias = Literal["last", "each", "sum"]
"""What a requeued job is: its last run, one job for each run, or the sum of all runs."""

NUMBER_AGAIN = Rule(
    "number-again",
    "noted",
    "an earlier job of this number and user did not complete, and is too old to be this one",
)

MACHINE_FAILED = Rule(
    "machine-failed",
    "dropped",
    "the machine failed in this run (NODE_FAIL, BOOT_FAIL, ...): the sum of runs is without it",
)

REQUEUED_WITHIN = 86_400.0
"""s from the end of a run to the submission that follows when its job is requeued.

Slurm requeues at once, or when somebody asks for it while it still knows the job (MinJobAge, 300 s
by default); a day is more than any site keeps.
"""


_OWN_VALUES = frozenset({"submit", "wait", "run", "default_limit"})
"""Columns that are known of each record by itself."""


def complete(records: Records) -> None:
    """Let records have what they do not tell and other records of the same run do.

    Exports with different columns tell different things of a job; a cluster that only some of them
    name is that of all, if it is the only one.
    """
    cluster = records[KEY[0]]
    if len(clusters := np.unique(cluster[cluster != MISSING])) == 1:
        records.jobs.put(KEY[0], np.full(len(cluster), clusters[0]))
    same_run = [records[name] for name in (*KEY, "submit", "start")]
    order = np.lexsort(same_run[::-1])
    begins = np.insert(~_equal_neighbours([column[order] for column in same_run]), 0, values=True)
    run, begin = np.cumsum(begins) - 1, np.flatnonzero(begins)
    for name, values in records.jobs.known().items():
        if name not in _OWN_VALUES:
            others = np.maximum.reduceat(values[order], begin)[run]
            records.jobs.put(name, np.where(values == MISSING, others[np.argsort(order)], values))
    has_limit = records["requested_time"] > 0
    records.jobs.put("default_limit", np.where(has_limit, MISSING, records["default_limit"]))


class JobRuns(NamedTuple):
    """Runs of the jobs of a workload, which are in the order of their lines.

    Attributes
    ----------
    run : ndarray of int64, shape (r,)
        Records that are runs which came to their end: those of each job together, in order.
    begin : ndarray of int64, shape (n,)
        Place in `run` of the first run of each job.
    before : ndarray of int64, shape (n,)
        Record of the run before, where each run is a job of its own; else -1.
    counts : ndarray of bool, shape (r,)
        Mask of the runs that count; of a job without any the last does.
    origin : ndarray of int64, shape (n,)
        Record of the first run, where each run is a job of its own.
    earlier : ndarray of int64, shape (n,)
        Number of runs before, where each run is a job of its own.
    """

    run: Ints
    begin: Ints
    before: Ints
    counts: Bools
    origin: Ints
    earlier: Ints

    @property
    def length(self) -> Ints:
        """Number of runs of each job, (n,)."""
        return np.diff(np.append(self.begin, len(self.run)))

    @property
    def first(self) -> Ints:
        """Record of the first run of each job, (n,)."""
        return self.run[self.begin]

    @property
    def last(self) -> Ints:
        """Record of the last run of each job that counts, whose line stands for it, (n,)."""
        place = np.arange(len(self.run))
        # the negative index of the same place is below all others
        last = np.where(self.counts, place, place - len(place))
        return np.asarray(self.run[np.maximum.reduceat(last, self.begin)], np.int64)

    def counted(self) -> JobRuns:
        """Return the jobs with the runs that count alone."""
        counts = self.counts | np.isin(self.run, self.last)
        begin = np.searchsorted(np.flatnonzero(counts), self.begin)
        return self._replace(run=self.run[counts], begin=begin, counts=counts[counts])


def job_runs(records: Records, requeue: Requeue) -> JobRuns:
    """Put together the runs of each job; records whose lines stand for no job are listed.

    A number that comes again is the same job requeued if the user is the same, the run before did
    not complete, this one was submitted within a day of its end, and it does not say that it is
    the first (Restarts), unless the run before was resized; else Slurm has begun to count anew, and
    it is another job.
    """
    run = _runs(records)
    same = _equal_neighbours([column[run] for column in records.identity()])
    again = same & (records["status"][run][:-1] != COMPLETED)
    requeued = again & _in_time(records, run)
    records.list_as(run[1:][again & ~requeued], NUMBER_AGAIN)
    begins = np.insert(~requeued, 0, values=True)[: len(run)]
    first = np.maximum.accumulate(np.where(begins, np.arange(len(run)), 0))
    before = np.full(len(run), -1)
    if requeue == "each":
        before[1:] = np.where(begins[1:], -1, run[:-1])
        begins[:] = True
    begin = np.flatnonzero(begins)
    counts = (records["fault"][run] != 1) | (requeue != "sum")
    jobs = JobRuns(run, begin, before[begin], counts, run[first[begin]], begin - first[begin])
    earlier = ~np.isin(run, jobs.last)
    records.list_as(run[earlier & counts], EARLIER_RUN)
    records.list_as(run[earlier & ~counts], MACHINE_FAILED)
    return _in_order(jobs, np.argsort(records["line"][jobs.last]))


def _in_order(jobs: JobRuns, order: Ints) -> JobRuns:
    length = jobs.length[order]
    begin = np.cumsum(length) - length
    place = np.repeat(jobs.begin[order] - begin, length) + np.arange(len(jobs.run))
    return JobRuns(
        jobs.run[place],
        begin,
        jobs.before[order],
        jobs.counts[place],
        jobs.origin[order],
        jobs.earlier[order],
    )


def _in_time(records: Records, run: Ints) -> Bools:
    """Return a mask of the runs, but for the first of all, that may be the one before, requeued."""
    submit, restarts, ended = records["submit"][run], records["restarts"][run], records.ended[run]
    soon = (submit[1:] <= ended[:-1] + REQUEUED_WITHIN) | (submit[1:] == submit[:-1])
    goes_on = records["status"][run][:-1] == TO_BE_CONTINUED  # resized: that is no restart
    return np.asarray(soon & ((restarts[1:] != 0) | goes_on), np.bool_)


def _runs(records: Records) -> Ints:
    """Find the records that are runs, each run once: by job, submission and start."""
    identity = records.identity()
    times = [records["submit"], records["start"]]
    order = np.lexsort((records.are_runs(), *times[::-1], *identity[::-1]))
    repeated = _equal_neighbours([column[order] for column in (*identity, *times)])
    records.list_as(order[:-1][repeated], REPEATED)
    last = order[np.append(~repeated, values=True)[: len(order)]]
    is_run = records.are_runs()[last]
    records.list_no_runs(last[~is_run])
    return np.asarray(last[is_run], np.int64)


def _equal_neighbours(columns: list[npt.NDArray[Any]]) -> Bools:
    """Return a mask of the elements but the first that equal the one before in all columns."""
    equal = np.ones(max(len(columns[0]) - 1, 0), np.bool_)
    for column in columns:
        equal &= column[1:] == column[:-1]
    return equal
