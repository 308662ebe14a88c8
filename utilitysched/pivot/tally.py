"""What was compared during a simulation, job by job."""

import math
from dataclasses import dataclass, field

import numpy as np

from pricing.pivots import Losses, Pivots
from utilitysched.pivot.comparison import Comparison
from utilitysched.state import Integers


@dataclass(frozen=True)
class Tally:
    """Comparisons so far, each with the job that was in the way, by index in arrival order.

    Attributes
    ----------
    started : list of (int, Comparison)
        At the start of each job.
    held : list of (int, Comparison)
        At passes in which a job's reservation held others back.
    """

    started: list[tuple[int, Comparison]] = field(default_factory=list)
    held: list[tuple[int, Comparison]] = field(default_factory=list)

    def pivots(self, order: Integers) -> Pivots:
        """Return what was recorded; see `PivotRecorder.pivots`."""
        jobs = len(order)
        others = np.zeros(jobs, dtype=np.int64)
        with_job, without_job, error = np.full((3, jobs), np.nan)
        for index, compared in self.started:
            job = order[index]
            others[job] = len(compared.others)
            with_job[job], without_job[job] = compared.with_job, compared.without_job
            error[job] = compared.error
        reserved = np.zeros(jobs)
        for index, compared in self.held:
            reserved[order[index]] += math.fsum(compared.loss)
        losses = self._losses(order)
        charge = np.maximum(losses.by_cause(jobs), 0.0)
        return Pivots(others, with_job, without_job, charge, error, losses, reserved)

    def _losses(self, order: Integers) -> Losses:
        """Return losses by cause, then victim; several of one victim by one cause are added up."""
        causes = [np.empty(0, dtype=np.int64)]
        victims, losses, delays = [*causes], [np.empty(0)], [np.empty(0)]
        for index, compared in [*self.started, *self.held]:
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
