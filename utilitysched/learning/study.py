"""Learning the weights of an ordering, from the logs to the file of weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cmaes
import numpy as np

from swfx.base.atomic import prove_writable
from swfx.base.errors import InputError
from swfx.base.numbers import plural
from swfx.base.options import nearest
from swfx.families.transforms import make_transforms
from swfx.families.utilities.registry import make_model
from swfx.reading.sources import check_source
from utilitysched.analysis.metrics.catalogue import known_metrics
from utilitysched.experiments.files import on_any_machine
from utilitysched.experiments.inputs import Log
from utilitysched.learning.cells import TrainingPool
from utilitysched.learning.evolution import Journal, Search, evolved
from utilitysched.learning.request import LearningRequest
from utilitysched.learning.trials import TrainingObjective, Trials, learned
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.orderings import Ordering
from utilitysched.schedulers.orderings.weights import read_weights, write_weights
from utilitysched.workers.executor import Executor

_NO_GENERATION = 2**31
"""Its cells are drawn as a generation's are."""

SPREAD = 0.1
"""Standard deviation of the first candidates: a tenth of the largest weight of the start."""


class Learning(NamedTuple):
    """Request to learn the weights of an ordering by CMA-ES.

    Attributes
    ----------
    trials : Trials
        Scheduler, cells, objective.
    generations : int
        Of the search.
    start : Path or None
        Weights to begin with; default: those of the ordering's `start`.
    fixed : tuple of str
        Weights that stay as they begin, as the first of all does, which sets the scale.
    """

    trials: Trials
    generations: int
    start: Path | None = None
    fixed: tuple[str, ...] = ()

    @property
    def ordering(self) -> Ordering:
        """The rule whose weights are learned."""
        return learned(self.trials.scheduler).order.ordering

    @property
    def first(self) -> Floats:
        """Weights to begin with, (n,)."""
        start = self.ordering.start
        weights = read_weights(self.start, [*start]) if self.start else start
        return np.array(list(weights.values()))

    @property
    def search(self) -> Search:
        """The search for all weights that are not fixed."""
        return Search(self.first[self._free], SPREAD, self.generations, self.trials.seed)

    def whole(self, weights: Floats) -> Floats:
        """Return all weights, (k, n), of what was found of those that are searched for."""
        whole: Floats = np.repeat(self.first[np.newaxis], len(weights), axis=0)
        whole[:, self._free] = weights
        return whole

    @property
    def _free(self) -> Integers:
        """Places of the weights that are searched for."""
        names = list(self.ordering.start)
        return np.array([at for at in range(1, len(names)) if names[at] not in self.fixed])

    def provenance(self) -> dict[str, str]:
        """Return the provenance lines of a file of weights."""
        trials, pool = self.trials, self.trials.pool
        logs = (f"{Path(log.source).name} {log.jobs or 'whole'}" for log in pool.logs)
        return {
            "scheduler": trials.scheduler,
            "objective": str(self.settings()["objective"]),
            "logs": ", ".join(logs),
            "cells": str(self.settings()["cells"]),
            "search": f"CMA-ES (cmaes {cmaes.__version__}), {self.generations} generations of "
            f"{self.search.population}, seed {trials.seed}",
            "start": self.start.name if self.start else "the rule",
            **({"fixed": ", ".join(self.fixed)} if self.fixed else {}),
        }

    def settings(self) -> dict[str, object]:
        """Return all that decides the weights but the number of generations, without paths."""
        trials, pool = self.trials, self.trials.pool
        return {
            "scheduler": trials.scheduler,
            "objective": f"{'least' if trials.objective.least else 'most'} "
            f"{trials.objective.metric}",
            "logs": [_identity(log) for log in pool.logs],
            "cells": f"{trials.batch} of {pool.jobs} jobs at loads {pool.loads[0]} to "
            f"{pool.loads[1]}",
            "apply": [on_any_machine(text) for text in pool.apply],
            "utilities": on_any_machine(pool.utilities),
            "seed": trials.seed,
            "start": self.first.tolist(),
            **({"fixed": sorted(self.fixed)} if self.fixed else {}),
            "cmaes": cmaes.__version__,
        }


class Learned(NamedTuple):
    """Learned weights, and their objective beside other weights' objectives.

    Attributes
    ----------
    weights : dict of str to float
        By name.
    start, shipped, learned : float
        Geometric means of the objective over that of EASY, on a batch of cells that no generation
        was tried on: of the first weights, of those of the package, and of these.
    """

    weights: dict[str, float]
    start: float
    shipped: float
    learned: float


def learn(
    learning: Learning,
    output: Path,
    executor: Executor,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Learned:
    """Learn weights and write them to a file; beside it what each generation came to.

    Goes on where it was interrupted: with the same options the result is the same, to the byte.

    Parameters
    ----------
    learning : Learning
        What and how.
    output : Path
        File of weights; the journal of the search has its name and ``.journal`` at the end.
    executor : Executor
        Where cells are simulated.
    on_progress : callable
        Takes the share that is done.

    Raises
    ------
    InputError
        A log, an option or a file cannot be used; or the journal is of another learning.
    """
    prove_writable(output)
    journal = Journal.beside(output, learning.settings())
    with learning.trials.losses(executor) as losses:
        outcome = evolved(
            learning.search,
            lambda generation, candidates: losses(generation, learning.whole(candidates)),
            journal,
            on_progress,
        )
        weights = learning.whole(outcome[np.newaxis])[0]
        shipped = np.array(list(learning.ordering.parameters.values()))
        compared = losses(_NO_GENERATION, np.array([learning.first, shipped, weights]))
    named = dict(zip(learning.ordering.start, weights.tolist(), strict=True))
    write_weights(output, named, learning.provenance())
    sign = 1.0 if learning.trials.objective.least else -1.0
    return Learned(named, *np.exp(sign * compared).tolist())


def _identity(log: Log) -> dict[str, object]:
    """Return what a log is known by on any machine."""
    return {
        "source": on_any_machine(log.source),
        "jobs": log.jobs,
        "machine_size": log.machine_size,
    }


def learning_of(request: LearningRequest) -> Learning:
    """Return the learning that a request describes.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    learned(request.scheduler)
    make_transforms(request.apply)
    make_model(request.utilities)
    if request.metric not in known_metrics():
        raise InputError(
            f"no metric is named {request.metric!r}",
            field="`metric`",
            remedy=nearest(request.metric, known_metrics(), "docs/metrics.md"),
        )
    logs, steps, loads = _logs(request), tuple(request.apply), _loads(request.loads)
    pool = TrainingPool(logs, request.cell_jobs, loads, steps, request.utilities)
    objective = TrainingObjective(request.metric, request.least)
    trials = Trials(pool, request.scheduler, objective, request.batch, request.seed)
    return Learning(trials, request.generations, request.start, _fixed(request))


def _logs(request: LearningRequest) -> tuple[Log, ...]:
    """Return the logs with their slices: one for all, or one for each."""
    slices, count = request.jobs or (None,), len(request.logs)
    slices = [*slices] * count if len(slices) == 1 else slices
    if len(slices) != count:
        raise InputError(
            f"{plural(len(slices), 'slice')} for {plural(count, 'log')}",
            field="`jobs`",
            remedy="give one for all logs, or one for each",
        )
    for source in request.logs:
        check_source(source)
    pairs = zip(request.logs, slices, strict=True)
    return tuple(Log(source, text, request.machine_size) for source, text in pairs)


def _fixed(request: LearningRequest) -> tuple[str, ...]:
    """Return the names of the weights that stay as they begin."""
    _, *names = learned(request.scheduler).order.ordering.start
    fixed = tuple(request.fixed.split(",")) if request.fixed else ()
    for name in fixed:
        if name not in names:
            raise InputError(
                f"{name!r} is no weight that is searched for",
                field="`fixed`",
                remedy=nearest(name, names),
            )
    if len(set(fixed)) == len(names):
        raise InputError("nothing is left to learn", field="`fixed`", remedy="name fewer weights")
    return fixed


def _loads(text: str) -> tuple[float, float]:
    """Return the least and the largest load of ``A:B``."""
    low, _, high = text.partition(":")
    try:
        loads = float(low), float(high or low)
    except ValueError:
        loads = 0.0, 0.0
    if not 0 < loads[0] <= loads[1] < 10:
        raise InputError(
            f"{text!r} is not A:B with loads above 0",
            field="`loads`",
            remedy="write it as in 0.8:1, or one load",
        )
    return loads
