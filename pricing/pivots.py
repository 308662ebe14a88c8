"""Cost of the presence of each job to the others, by plans made in one state."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from pricing.reasons import FOR_LATER, first_that_holds
from swfx import Workload
from swfx.base.columns import Bools, Floats, Ints

LOST = "what others lose by its start"
NOT_COUNTED = "the jobs it delayed ran too briefly, or had nothing left to lose"


class Losses(NamedTuple):
    """Who lost how much because of whom: the edges of a directed graph, one row each.

    A cause has several rows for one victim where their plans were compared several times.

    Attributes
    ----------
    cause, victim : ndarray of int64, shape (m,)
        Positions of the two jobs in the workload.
    loss : ndarray of float64, shape (m,)
        Utility (SU) that the victim would have had more without the cause, as far as it is charged;
        negative where it would have had less.
    delay : ndarray of float64, shape (m,)
        How much later (s) the victim starts with the cause than without it; NaN if not known.
    time : ndarray of float64, shape (m,)
        When plans were compared (s); NaN for losses that do not come from plans.
    planned : ndarray of float64, shape (m,)
        The loss by the plans (SU), before any of it was left out.
    had : ndarray of float64, shape (m,)
        Planned utility of the victim if it had started when it was submitted (SU); infinite where
        losses do not come from plans.
    """

    cause: Ints
    victim: Ints
    loss: Floats
    delay: Floats
    time: Floats
    planned: Floats
    had: Floats

    @classmethod
    def whole(cls, cause: Ints, victim: Ints, loss: Floats, delay: Floats) -> Self:
        """Return losses that do not come from plans, of which nothing is left out."""
        unknown, endless = np.full(len(loss), np.nan), np.full(len(loss), np.inf)
        return cls(cause, victim, loss, delay, unknown, loss, endless)

    @classmethod
    def nothing(cls) -> Self:
        """Return no losses."""
        nobody = np.empty(0, dtype=np.int64)
        return cls.whole(nobody, nobody, np.empty(0), np.empty(0))

    def of(self, wanted: Bools | Ints) -> Self:
        """Return some of the rows."""
        columns: list[Any] = [column[wanted] for column in self]
        return self._replace(**dict(zip(self._fields, columns, strict=True)))

    def by_cause(self, jobs: int) -> Floats:
        """Return the exact sum of what is lost because of each job, rounded once (SU).

        Parameters
        ----------
        jobs : int
            In the workload.
        """
        order = np.argsort(self.cause, kind="stable")
        causes, first = np.unique(self.cause[order], return_index=True)
        parts = np.split(self.loss[order], first[1:]) if len(causes) else []
        total = np.zeros(jobs)
        total[causes] = [math.fsum(part) for part in parts]
        return total

    def by_pair(self) -> Self:
        """Return one row for each cause and victim, with the sums of loss, delay and planned loss.

        By cause, then victim; the time is that of the first row.
        """
        order = np.lexsort((self.time, self.victim, self.cause))
        rows = self.of(order)
        new = (np.diff(rows.cause, prepend=-1) != 0) | (np.diff(rows.victim, prepend=-1) != 0)
        first = np.flatnonzero(new)
        if len(first) == len(new):
            return rows
        sums = {name: np.add.reduceat(getattr(rows, name), first) for name in _ADDED}
        return rows.of(first)._replace(**sums)

    def settled(self, pays: Ints, brief: Ints) -> Self:
        """Return the losses with what is charged of each.

        Losses of brief victims are not charged. What is charged for one victim is added up over
        time, at one time by cause, and never comes to more than the victim had: what goes beyond
        that is left out. Gains are credited to their causes and leave no room for later losses.

        Parameters
        ----------
        pays : ndarray of int64
            Positions of the jobs that pay; losses by others are left out and use up nothing.
        brief : ndarray of int64
            Positions of jobs that are no victims.
        """
        counts = np.isin(self.cause, pays) & ~np.isin(self.victim, brief)
        charged = np.where(counts, self.planned, 0.0)
        lost = np.maximum(charged, 0.0)
        # only victims of which more is lost than they had are gone through row by row
        victim, numbered = np.unique(self.victim, return_inverse=True)
        beyond = np.bincount(numbered, lost, len(victim))[numbered] > self.had
        order = np.lexsort((self.cause, self.time, self.victim))
        room: dict[int, float] = {}
        for row in order[beyond[order]].tolist():
            job = self.victim.item(row)
            left = room.setdefault(job, self.had.item(row))
            if lost[row]:
                charged[row] = min(lost.item(row), left)
                room[job] = left - charged[row]
        return self._replace(loss=charged)


_ADDED = ("loss", "delay", "planned")
"""Columns of `Losses` that are added up over the rows of a pair."""


def run_shares(workload: Workload, end: Floats) -> Floats:
    """Return the share of its requested time that each job ran, shape (n,).

    The work of a job counts once, however often it was stopped and started again.

    Parameters
    ----------
    workload : Workload
        n jobs.
    end : ndarray of float64, shape (n,)
        When each ended (s); NaN for a job that has not, whose share is NaN.
    """
    share = np.ones(len(workload))
    np.divide(workload.effective_run, workload.request, out=share, where=workload.request > 0)
    return np.where(np.isfinite(end), share, np.nan)


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
        What others lose by each job, by cause, time, then victim, without rows of no planned loss.
        A charge is the exact sum of its job's losses, rounded once.
    reserved : ndarray of float64, shape (n,)
        What the job's reservation cost the others before it started (SU); 0 where that is not
        charged.
    starts : Starts or None
        Each start of each job, by job, then time, if any started more than once.
    reserve : Reserve or None
        What jobs pay besides, if anything.
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

    def settled(self, pays: Ints, brief: Ints) -> Pivots:
        """Return the pivots with what is charged of each loss; see `Losses.settled`."""
        losses = self.losses.settled(pays, brief)
        charge = np.maximum(losses.by_cause(len(self.charge)), 0.0)
        return replace(self, losses=losses, charge=charge)

    @property
    def why(self) -> npt.NDArray[np.str_]:
        """Why each job is charged, or not, shape (n,)."""
        jobs = len(self.charge)
        lost, reserved = self.charge > 0, np.zeros(jobs, np.bool_)
        planned = self.losses._replace(loss=self.losses.planned).by_cause(jobs)
        if self.reserve is not None:
            reserved = self.reserve.charge > 0
        cases = (
            (lost & reserved, f"{LOST}, {FOR_LATER}"),
            (lost, LOST),
            (reserved, FOR_LATER),
            (self.others == 0, "no other job was queued"),
            (np.isnan(self.with_job), "all other jobs in the queue started with it"),
            (planned > 0, NOT_COUNTED),
        )
        return first_that_holds(cases, "it delayed no other job")
