"""Nonlinear policies, from trials of orders to a file of an ordering (CARASTAN 3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from swfx.base.atomic import prove_writable
from swfx.families.transforms.submit_at import simulated
from utilitysched.engine.valued import ensure
from utilitysched.experiments.inputs import Log
from utilitysched.kernels.trials import AIMS, LOST_VALUE, cost_by_first
from utilitysched.learning.cells import read_once, without_paths
from utilitysched.learning.evolution import Journal
from utilitysched.learning.forms import FittedForm, Observations, all_fits, scipy_optimize
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats
from utilitysched.schedulers.orderings.nonlinear import FACTORS, NUMBERS, TERMS
from utilitysched.schedulers.orderings.weights import write_weights
from utilitysched.workers.executor import Executor, TaskRounds, Work


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
        score: Floats = sums / total if total > 0 else np.full(self.jobs, 1.0 / self.jobs)
        return score

    def observations(self, drawn: list[JobTuple], scores: Floats) -> Observations:
        """Return the ordered jobs of tuples with their scores, (tuples, jobs)."""
        features = [self._features(each) for each in drawn]
        return Observations(np.concatenate(features), scores.ravel())

    def _features(self, drawn: JobTuple) -> Floats:
        jobs = self._jobs(drawn)
        columns = jobs.run, jobs.known.size.astype(np.float64), jobs.known.arrival
        features: Floats = np.maximum(np.stack(columns, axis=1), 1.0)[self.warm :]
        return features

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
        read = simulated(read_once(self.log), self.apply, self.seed).workload
        jobs = read[np.argsort(read.submit, kind="stable")]
        if len(jobs) < self.warm + self.jobs:
            raise InputError(
                f"{len(jobs)} jobs are fewer than a tuple has ({self.warm} + {self.jobs})",
                source=self.log.source,
                remedy="take a longer log, or smaller tuples",
            )
        if AIMS[self.aim] != LOST_VALUE:
            return jobs
        quiet = ensure(jobs, self.utilities, self.seed, classes=None, say=lambda _: None)
        return quiet.workload


_ROUND = 32
"""Tuples between two writings of the journal."""


class NonlinearPolicies(NamedTuple):
    """Nonlinear policies fitted to the costs of trials.

    Attributes
    ----------
    observations : Observations
        Jobs and their scores.
    fits : list of FittedForm
        The least mean absolute error first.
    """

    observations: Observations
    fits: list[FittedForm]


def learn_nonlinear(
    trials: FirstJobTrials,
    tuples: int,
    output: Path,
    executor: Executor,
    on_progress: Callable[[float], None] = lambda _: None,
    rank: int = 1,
) -> NonlinearPolicies:
    """Learn policies and write one of them to a file of the ordering `nonlinear`.

    Goes on where it was interrupted: with the same options the result is the same, to the byte.

    Parameters
    ----------
    trials : FirstJobTrials
        What is tried.
    tuples : int
        How many tuples of jobs.
    output : Path
        File of numbers; the journal of the trials has its name and ``.journal`` at the end.
    executor : Executor
        Where tuples are tried.
    on_progress : callable
        Takes the share that is done.
    rank : int
        Of the policy to write, 1 for the least error.

    Raises
    ------
    InputError
        The workload or a file cannot be used, the journal is of other trials, or scipy is not
        installed.
    """
    scipy_optimize()  # which the last step needs
    prove_writable(output)
    journal = Journal.beside(output, _settings(trials))
    drawn = trials.draw(tuples)
    scores = _scores(trials, drawn, journal, executor, on_progress)
    observations = trials.observations(drawn, scores)
    fits = all_fits(observations)
    if not fits:
        raise InputError(
            "no form can be fitted to these jobs", source=trials.log.source, remedy="try more"
        )
    if rank > len(fits):
        raise InputError(f"there are {len(fits)} formulas", field="`rank`", remedy="give less")
    chosen = fits[rank - 1]
    write_fit(output, chosen, _provenance(trials, tuples, chosen))
    return NonlinearPolicies(observations, fits)


def write_fit(output: Path, fit: FittedForm, provenance: dict[str, str | float]) -> None:
    """Write a fit as a file of the ordering `nonlinear`."""
    numbers = dict.fromkeys(NUMBERS, 0.0)
    if len(fit.terms) > TERMS:
        raise InputError(f"{len(fit.terms)} terms", remedy=f"give at most {TERMS}")
    for k, (coefficient, term) in enumerate(zip(fit.simplified, fit.terms, strict=True), start=1):
        names = (f"{factor}_{k}" for factor in FACTORS)
        numbers |= zip(names, (coefficient, *term), strict=True)
    write_weights(output, numbers, provenance)


def _scores(
    trials: FirstJobTrials,
    drawn: list[JobTuple],
    journal: Journal,
    executor: Executor,
    on_progress: Callable[[float], None],
) -> np.ndarray:
    """Return the scores of the jobs of each tuple, (tuples, jobs)."""
    tuples = len(drawn)
    with closing(TaskRounds(executor, trials.work())) as rounds:
        while len(journal.losses) < tuples:
            done = len(journal.losses)
            journal.add(*rounds.run(drawn[done : done + _ROUND]))
            on_progress(len(journal.losses) / tuples)
    return np.array(journal.losses[:tuples])


def _settings(trials: FirstJobTrials) -> dict[str, object]:
    """Return all that decides the scores but the number of tuples, without paths."""
    return asdict(trials) | without_paths(trials.log, trials.apply, trials.utilities)


def _provenance(trials: FirstJobTrials, tuples: int, fit: FittedForm) -> dict[str, str | float]:
    jobs = f"{Path(trials.log.source).name} {trials.log.jobs or 'whole'}"
    return {
        "policy": fit.text,
        "jobs": " ".join((jobs, *trials.apply)),
        "trials": f"{trials.each * trials.jobs} orders of {trials.jobs} jobs behind {trials.warm}, "
        f"{tuples} times, by {trials.aim}, seed {trials.seed}",
        "error": fit.error,
    }
