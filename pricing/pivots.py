"""Cost of the presence of each job to the others, by plans made in one state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pricing.reasons import FOR_LATER, first_that_holds
from swfx.base.columns import Bools, Floats, Ints

LOST = "what others lose by its start"


class Losses(NamedTuple):
    """Who lost how much because of whom: the edges of a directed graph, one row each.

    Attributes
    ----------
    cause, victim : ndarray of int64, shape (m,)
        Positions of the two jobs in the workload.
    loss : ndarray of float64, shape (m,)
        Utility (SU) that the victim would have had more without the cause; negative where it would
        have had less.
    delay : ndarray of float64, shape (m,)
        How much later (s) the victim starts with the cause than without it; NaN if not known.
    """

    cause: Ints
    victim: Ints
    loss: Floats
    delay: Floats

    def by_cause(self, jobs: int) -> Floats:
        """Return the exact sum of what is lost because of each job, rounded once (SU).

        Parameters
        ----------
        jobs : int
            In the workload.
        """
        order = np.argsort(self.cause, kind="stable")
        ends = np.searchsorted(self.cause[order], np.arange(jobs), side="right")
        parts = np.split(self.loss[order], ends)[:jobs]
        return np.array([math.fsum(part) for part in parts], dtype=np.float64)


class Starts(NamedTuple):
    """Comparisons at single starts, of jobs that were stopped and started again: one row each.

    Attributes
    ----------
    job : ndarray of int64, shape (s,)
        Position of the job in the workload.
    at : ndarray of float64, shape (s,)
        When it started (s).
    held : ndarray of float64, shape (s,)
        How long it then held its processors, and is charged for (s), if it was stopped; NaN at its
        last start, which is charged as the mechanism says.
    others, with_job, without_job, error : ndarray, shape (s,)
        See `Pivots`.
    """

    job: Ints
    at: Floats
    held: Floats
    others: Ints
    with_job: Floats
    without_job: Floats
    error: Floats

    def by_job(self, jobs: int) -> tuple[Ints, Floats, Floats, Floats]:
        """Return sums over the starts of each of so many jobs: the last four columns.

        Errors are added up by their squares. What is not known of one start is left out.
        """
        others = np.zeros(jobs, dtype=np.int64)
        np.add.at(others, self.job, self.others)
        with_job, without_job = (
            _added(np.add, self.job, column, jobs) for column in (self.with_job, self.without_job)
        )
        return others, with_job, without_job, _added(np.hypot, self.job, self.error, jobs)

    def of(self, wanted: Bools) -> Starts:
        """Return some of the rows."""
        return Starts._make(column[wanted] for column in self)


def _added(add: np.ufunc, job: Ints, column: Floats, jobs: int) -> Floats:
    """Return a sum over the rows of each job, NaN where none is known."""
    known = ~np.isnan(column)
    total = np.zeros(jobs)
    add.at(total, job[known], column[known])
    total[np.bincount(job[known], minlength=jobs) == 0] = np.nan
    return total


class Reserve(NamedTuple):
    """What jobs pay for those who come later, of whom no plan knows: by the processor-hour.

    Attributes
    ----------
    price : ndarray of float64, shape (n,)
        In force when each job started (SU per processor-hour); NaN for jobs that do not pay.
    charge : ndarray of float64, shape (n,)
        That times its processor-hours (SU), likewise.
    """

    price: Floats
    charge: Floats


@dataclass(frozen=True, eq=False)
class Pivots:
    """Planned utility of the others with and without each job, at the instant it started.

    Of a job that started several times all are sums over its starts.

    Attributes
    ----------
    others : ndarray of int64, shape (n,)
        Other jobs in the queue at that instant, those started at it among them; and, where running
        jobs may be preempted, these, unless the whole queue starts.
    with_job : ndarray of float64, shape (n,)
        Their aggregate utility (SU) in the best plan found in which the job starts, mean over the
        searches; NaN where the whole queue starts, so that no job can stand in another's way.
    without_job : ndarray of float64, shape (n,)
        That in the best plan found without the job (SU). Of several jobs of a player that started
        together it is `with_job`, which is that with all of them, and the job's part of what the
        others would have more without all of them.
    charge : ndarray of float64, shape (n,)
        The difference (SU), never negative, and what is `reserved`.
    error : ndarray of float64, shape (n,)
        The difference's standard error over the searches (SU); NaN with fewer than two.
    losses : Losses
        What is charged, by job; nothing left out but zeros. A charge is the exact sum of its job's
        losses, rounded once.
    reserved : ndarray of float64, shape (n,)
        What the job's reservation cost the others before it started (SU); 0 where that is not
        charged.
    starts : Starts or None
        Each start of each job, by job, then time, if any started more than once.
    reserve : Reserve or None
        What jobs pay besides, if anything.
    own : ndarray of float64, shape (n,), or None
        What other jobs of its player lose by the same plans (SU), which is not charged; below 0
        where they have more. The files of a bill do not have it: None.
    """

    others: Ints
    with_job: Floats
    without_job: Floats
    charge: Floats
    error: Floats
    losses: Losses
    reserved: Floats
    starts: Starts | None = None
    reserve: Reserve | None = None
    own: Floats | None = None

    @property
    def why(self) -> npt.NDArray[np.str_]:
        """Why each job is charged, or not, shape (n,)."""
        lost, reserved = self.charge > 0, np.zeros(len(self.charge), np.bool_)
        if self.reserve is not None:
            reserved = self.reserve.charge > 0
        cases = (
            (lost & reserved, f"{LOST}, {FOR_LATER}"),
            (lost, LOST),
            (reserved, FOR_LATER),
            (self.others == 0, "no other job was queued"),
            (np.isnan(self.with_job), "the whole queue started with it"),
        )
        return first_that_holds(cases, "it delayed no other job")
