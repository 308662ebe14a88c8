"""Records of one job: its runs, where it was requeued."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.accounting.jobs import COMPLETED
from swfx.base.columns import Bools, Ints
from swfx.reading.report import Rule
from swfx.slurm.records import Records

__all__ = ["Chains", "chains_of"]

REPEATED = Rule("repeated-record", "folded", "the same run of a job is in the log once more")
NUMBER_AGAIN = Rule(
    "number-again",
    "noted",
    "an earlier job of this number and user did not complete, and is too old to be this one",
)

REQUEUED_WITHIN = 86_400.0
"""s from the end of a run to the submission that follows when its job is requeued.

Slurm requeues at once, or when somebody asks for it while it still knows the job (MinJobAge, 300 s
by default); a day is more than any site keeps.
"""


class Chains(NamedTuple):
    """Runs of all jobs.

    Attributes
    ----------
    run : ndarray of int64, shape (r,)
        Records that are runs which came to their end: those of each job together, in order.
    first : ndarray of int64, shape (c,)
        Place in `run` of the first run of each job.
    """

    run: Ints
    first: Ints

    @property
    def last(self) -> Ints:
        """Place in `run` of the last run of each job, (c,)."""
        return np.append(self.first[1:], len(self.run))[: len(self.first)] - 1

    @property
    def length(self) -> Ints:
        """Number of runs of each job, (c,)."""
        return np.diff(np.append(self.first, len(self.run)))


def chains_of(records: Records) -> Chains:
    """Put together the runs of each job; records that are no run are listed.

    A number that comes again is the same job requeued if the user is the same, the run before did
    not complete, this one was submitted within a day of its end, and it does not say that it is
    the first (Restarts); else Slurm has begun to count anew, and it is another job.
    """
    run = _runs(records)
    same = _equal_neighbours([column[run] for column in records.identity()])
    failed = records.jobs["status"][run][:-1] != COMPLETED
    again = same & failed
    requeued = again & _in_time(records, run)
    records.list_as(run[1:][again & ~requeued], NUMBER_AGAIN)
    return Chains(run, np.flatnonzero(np.insert(~requeued, 0, values=True)[: len(run)]))


def _in_time(records: Records, run: Ints) -> Bools:
    """Whether each run but the first of all may be the one before, requeued."""
    submit, restarts = records.jobs["submit"][run], records.restarts[run]
    ended = records.start[run] + records.run[run]
    soon = (submit[1:] <= ended[:-1] + REQUEUED_WITHIN) | (submit[1:] == submit[:-1])
    is_first: Bools = restarts[1:] == 0
    return np.asarray(soon & ~is_first, np.bool_)


def _runs(records: Records) -> Ints:
    """Find the records that are runs, each run once: by job, submission and start."""
    identity = records.identity()
    times = [records.jobs["submit"], records.start]
    order = np.lexsort((records.are_runs(), *times[::-1], *identity[::-1]))
    repeated = _equal_neighbours([column[order] for column in (*identity, *times)])
    records.list_as(order[:-1][repeated], REPEATED)
    last = order[np.append(~repeated, values=True)[: len(order)]]
    is_run = records.are_runs()[last]
    records.list_no_runs(last[~is_run])
    return np.asarray(last[is_run], np.int64)


def _equal_neighbours(columns: list[npt.NDArray[Any]]) -> Bools:
    """Whether each element but the first equals the one before in all columns."""
    equal = np.ones(max(len(columns[0]) - 1, 0), np.bool_)
    for column in columns:
        equal &= column[1:] == column[:-1]
    return equal
