"""Nonlinear policies, from trials of orders to a file of an ordering (CARASTAN 3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.atomic import prove_writable
from utilitysched.learning.cells import without_paths
from utilitysched.learning.evolution import Journal
from utilitysched.learning.first_jobs import FirstJobTrials, JobTuple
from utilitysched.learning.forms import FittedForm, Observations, all_fits
from utilitysched.schedulers.orderings.nonlinear import FACTORS, NUMBERS, TERMS
from utilitysched.schedulers.orderings.weights import write_weights
from utilitysched.workers.executor import Executor, TaskRounds

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
        The workload or a file cannot be used, or the journal is of other trials.
    """
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
        raise InputError(f"there are {len(fits)} formulas", field="--write", remedy="give less")
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
