"""Cost of the presence of each job to the others, by replays of the log with and without it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pricing.pivots import Losses
from pricing.reasons import first_that_holds
from swfx.base.columns import Floats, Ints


@dataclass(frozen=True, eq=False)
class Replays:
    """Realised utility of the others with and without each job.

    The others of a job are those in the queue or running when it is submitted, and those submitted
    until the window closes. One that has not started by then counts as if it started then, with the
    job as without it. Rows of jobs that were not asked about are NaN, and -1 where whole numbers
    are.

    Attributes
    ----------
    scheduler : str
        Text of the scheduler that was asked again.
    draws : bool
        Whether it draws: without draws every seed would give the same.
    seeds : tuple of int
        Seeds of its draws, one per pair of replays; the first is that of the schedule.
    begin : ndarray of float64, shape (n,)
        When each job's window opens (s): its submission.
    end : ndarray of float64, shape (n, k)
        When it closes (s), for each seed.
    recoupled : ndarray of bool, shape (n, k)
        Whether it closed because both replays were the same again.
    count : ndarray of int64, shape (n, k)
        Other jobs in the window.
    with_job_by_seed, without_job_by_seed : ndarray of float64, shape (n, k)
        Their aggregate utility with and without the job (SU).
    difference : ndarray of float64, shape (n, k)
        What they have more without the job (SU), negative where they have less.
    losses : Losses
        Who would have had how much more without whom, mean over the seeds; equal ones left out.
    """

    scheduler: str
    draws: bool
    seeds: tuple[int, ...]
    begin: Floats
    end: Floats
    recoupled: npt.NDArray[np.bool_]
    count: Ints
    with_job_by_seed: Floats
    without_job_by_seed: Floats
    difference: Floats
    losses: Losses

    @cached_property
    def mean(self) -> Floats:
        """Mean of the difference over the seeds (SU), shape (n,): the exact sum of the losses."""
        lost = self.losses.by_cause(len(self.begin))
        return np.where(np.isnan(self.begin), np.nan, lost)

    @cached_property
    def charge(self) -> Floats:
        """What each job pays (SU), shape (n,): the mean, or nothing where it is negative."""
        return np.maximum(self.mean, 0.0)

    @cached_property
    def error(self) -> Floats:
        """Standard error of the mean over the seeds (SU), shape (n,).

        NaN where it is not known: with one seed of a scheduler that draws.
        """
        if not self.draws:
            return np.where(np.isnan(self.begin), np.nan, 0.0)
        if len(self.seeds) < 2:
            return np.full(len(self.begin), np.nan)
        spread = self.difference.std(axis=1, ddof=1)
        return np.asarray(spread / math.sqrt(len(self.seeds)))

    @property
    def why(self) -> npt.NDArray[np.str_]:
        """Why each job is charged, or not, shape (n,)."""
        cases = (
            (self.mean > 0, "what others would have more without it"),
            (self.mean < 0, "others would have less without it"),
            (self.others == 0, "no other job was there"),
        )
        return first_that_holds(cases, "it delayed no other job")

    @property
    def others(self) -> Ints:
        """Other jobs in the longest of the windows of each job, shape (n,)."""
        return np.asarray(self.count.max(axis=1))

    @property
    def with_job(self) -> Floats:
        """Their aggregate utility with the job, mean over the seeds (SU), shape (n,)."""
        return np.asarray(self.with_job_by_seed.mean(axis=1))

    @property
    def without_job(self) -> Floats:
        """Their aggregate utility without it, mean over the seeds (SU), shape (n,)."""
        return np.asarray(self.without_job_by_seed.mean(axis=1))
