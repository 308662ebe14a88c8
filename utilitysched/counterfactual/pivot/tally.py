"""Comparisons made during a simulation, job by job."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from pricing.pivots import Losses, Pivots, Starts
from utilitysched.counterfactual.pivot.comparison import PlanComparison
from utilitysched.model.state import Integers


class Started(NamedTuple):
    """A comparison at a start.

    Attributes
    ----------
    job : int
        The job that was in the way, by index in arrival order.
    compared : PlanComparison
        What it cost the others; its part, if others of its player started with it.
    at : float
        When it started (s).
    held : float
        How long it held its processors (s), if it was stopped, else NaN.
    """

    job: int
    compared: PlanComparison
    at: float = math.nan
    held: float = math.nan


@dataclass(frozen=True)
class PivotTally:
    """Comparisons so far, each with the job that was in the way, by index in arrival order.

    Attributes
    ----------
    started : list of Started
        At the starts of jobs.
    held : list of (int, PlanComparison)
        At passes in which a job's reservation held others back.
    """

    started: list[Started] = field(default_factory=list)
    held: list[tuple[int, PlanComparison]] = field(default_factory=list)

    def pivots(self, order: Integers) -> Pivots:
        """Return what was recorded; see `PivotRecorder.pivots`."""
        jobs = int(np.count_nonzero(order >= 0))
        starts = self._starts(order)
        reserved = np.zeros(jobs)
        for index, compared in self.held:
            reserved[order[index]] += math.fsum(compared.loss)
        losses = self._losses(order)
        charge = np.maximum(losses.by_cause(jobs), 0.0)
        others, with_job, without_job, error = starts.by_job(jobs)
        several = len(np.unique(starts.job)) < len(starts.job)
        kept = starts if several else None
        own = np.zeros(jobs)
        for index, compared in [*(start[:2] for start in self.started), *self.held]:
            own[order[index]] += compared.own
        columns = others, with_job, without_job, charge, error, losses, reserved, kept
        return Pivots(*columns, own=own)

    def _starts(self, order: Integers) -> Starts:
        """Return each start, by job, then time."""
        rows = [
            (order[job], at, held, len(compared.others), *compared[1:3], compared.error)
            for job, compared, at, held in self.started
        ]
        table = np.array(rows, dtype=np.float64).reshape(-1, len(Starts._fields))
        columns = table[np.argsort(table[:, 0], kind="stable")].T
        job, others = columns[0].astype(np.int64), columns[3].astype(np.int64)
        return Starts(job, columns[1], columns[2], others, *columns[4:])

    def _losses(self, order: Integers) -> Losses:
        """Return losses by cause, then victim; several of one victim by one cause are added up."""
        causes = [np.empty(0, dtype=np.int64)]
        victims, losses, delays = [*causes], [np.empty(0)], [np.empty(0)]
        for index, compared in [*(start[:2] for start in self.started), *self.held]:
            lost = np.flatnonzero(compared.loss)
            causes.append(np.full(len(lost), order[index]))
            victims.append(order[compared.others[lost]])
            losses.append(compared.loss[lost])
            delays.append(compared.delay[lost])
        pair = np.concatenate(causes) * len(order) + np.concatenate(victims)
        pairs, which = np.unique(pair, return_inverse=True)
        loss, delay = np.zeros((2, len(pairs)))
        np.add.at(loss, which, np.concatenate(losses))
        np.add.at(delay, which, np.concatenate(delays))
        cause, victim = np.divmod(pairs, max(len(order), 1))
        return Losses(cause, victim, loss, delay)
