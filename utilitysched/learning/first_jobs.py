"""Trials of orders: what it costs a queue that a certain job goes first (CARASTAN 3.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from swfx.families.transforms import apply_all
from utilitysched.engine.valued import ensure
from utilitysched.experiments.inputs import Log
from utilitysched.kernels.trials import AIMS, LOST_VALUE, cost_by_first
from utilitysched.learning.cells import read_once
from utilitysched.learning.forms import Observations
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats
from utilitysched.workers.executor import Work


class JobTuple(NamedTuple):
    """Consecutive jobs of a workload, in arrival order.

    Attributes
    ----------
    place : float
        Where they begin, from 0 for the first job to 1 for the last place that leaves enough jobs.
    seed : int
        Of the orders that are tried.
    """

    place: float
    seed: int


@dataclass(frozen=True)
class FirstJobTrials:
    """Trials of orders of pieces of a workload; can be pickled.

    Attributes
    ----------
    log : Log
        Where the jobs come from.
    apply : tuple of str
        Transformations of the whole log, in order.
    utilities : str
        Specification of utility functions, for what is lost of them.
    warm, jobs : int
        Jobs of a tuple that warm the machine up, and jobs that are ordered.
    trials : int
        Of each tuple.
    aim : str
        One of `utilitysched.kernels.trials.AIMS`.
    seed : int
        Of everything that is drawn.
    """

    log: Log
    apply: tuple[str, ...]
    utilities: str
    warm: int
    jobs: int
    trials: int
    aim: str
    seed: int

    @property
    def each(self) -> int:
        """Trials for each job that goes first, at least one."""
        return max(1, self.trials // self.jobs)

    def draw(self, count: int) -> list[JobTuple]:
        """Draw tuples; fewer of them are the first of more."""
        random = np.random.default_rng(self.seed)
        draws = random.random((count, 2))
        return [JobTuple(float(a), int(b * 2**53)) for a, b in draws]

    def work(self) -> Work[JobTuple, Floats]:
        """Return what an executor does with tuples."""
        return Work("tuple of jobs", self._prepared)

    def _prepared(self) -> Callable[[JobTuple], Floats]:
        return self.scores

    def scores(self, drawn: JobTuple) -> Floats:
        """Return the score of each ordered job of a tuple (CARASTAN equation 3.3), (jobs,).

        Its share of the cost of all trials is in those that it begins; 1 / jobs each where no
        order costs anything.
        """
        jobs = self._jobs(drawn)
        stream = np.array([drawn.seed], dtype=np.uint64)
        sums = cost_by_first(jobs.known, jobs.run, self.warm, self.each, stream, AIMS[self.aim])
        total = sums.sum()
        found: Floats = sums / total if total > 0 else np.full(self.jobs, 1.0 / self.jobs)
        return found

    def observations(self, drawn: list[JobTuple], scores: Floats) -> Observations:
        """Return the ordered jobs of tuples with their scores, (tuples, jobs)."""
        features = [self._features(each) for each in drawn]
        return Observations(np.concatenate(features), scores.ravel())

    def _features(self, drawn: JobTuple) -> Floats:
        jobs = self._jobs(drawn)
        columns = jobs.run, jobs.known.size.astype(np.float64), jobs.known.arrival
        found: Floats = np.maximum(np.stack(columns, axis=1), 1.0)[self.warm :]
        return found

    def _jobs(self, drawn: JobTuple) -> Arrivals:
        whole, count = self.workload, self.warm + self.jobs
        first = int(drawn.place * (len(whole) - count))
        return Arrivals.of(whole[first : first + count])

    @cached_property
    def workload(self) -> Workload:
        """The jobs that tuples are drawn from, in arrival order.

        Raises
        ------
        InputError
            They are too few, or the log cannot be read.
        """
        read = apply_all(read_once(self.log), self.apply, self.seed).workload
        found = read[np.argsort(read.submit, kind="stable")]
        if len(found) < self.warm + self.jobs:
            raise InputError(
                f"{len(found)} jobs are fewer than a tuple has ({self.warm} + {self.jobs})",
                source=self.log.source,
                remedy="take a longer log, or smaller tuples",
            )
        if AIMS[self.aim] != LOST_VALUE:
            return found
        quiet = ensure(found, self.utilities, self.seed, classes=None, say=lambda _: None)
        return quiet.workload
