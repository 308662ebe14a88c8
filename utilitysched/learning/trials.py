"""Trials of learned orderings: what each candidate loses on a training cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from utilitysched.analysis.metrics import aggregate_utility, summary
from utilitysched.engine.engine import simulate
from utilitysched.learning.cells import TrainingCell, TrainingPool
from utilitysched.learning.evolution import Losses
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.orders import Order
from utilitysched.schedulers.registry import make_scheduler
from utilitysched.workers.executor import Executor, TaskRounds, Work

BASELINE = "easy"

_LEAST = 1e-9
"""A candidate that has less than this share of what the baseline has is taken to have so much."""


class TrainingObjective(NamedTuple):
    """What candidates are to have most of, or least.

    Attributes
    ----------
    metric : str
        Of `utilitysched.analysis.metrics.summary`.
    least : bool
        The least of it is best.
    """

    metric: str = "aggregate_utility"
    least: bool = False

    def of(self, workload: Workload, scheduler: ListScheduler | str) -> float:
        """Return what the schedule of a scheduler has of it; not a number if it is not defined."""
        schedule = simulate(workload, scheduler)
        if self.metric == "aggregate_utility":
            return aggregate_utility(workload, schedule)
        metric = summary(workload, schedule)[self.metric]
        return math.nan if metric is None else float(metric)

    def loss(self, value: float, baseline: float) -> float:
        """Return the logarithm of the ratio by which a candidate is worse than the baseline."""
        ratio = math.log(max(value / baseline, _LEAST))
        return ratio if self.least else -ratio


class CellTrial(NamedTuple):
    """A cell and the candidates that are simulated on it, (k, n)."""

    cell: TrainingCell
    candidates: Floats


@dataclass(frozen=True)
class Trials:
    """Simulations of candidates for the weights of an ordering; can be pickled.

    Attributes
    ----------
    pool : TrainingPool
        What cells are drawn from.
    scheduler : str
        A list scheduler whose ordering is learned.
    objective : TrainingObjective
        What is compared.
    batch : int
        Cells on which each generation is tried, the same for all of its candidates.
    seed : int
        Of the cells.
    """

    pool: TrainingPool
    scheduler: str
    objective: TrainingObjective
    batch: int
    seed: int

    def __call__(self, trial: CellTrial) -> Floats:
        """Return what each candidate loses against `BASELINE` on a cell, (k,).

        Raises
        ------
        InputError
            `BASELINE` has nothing of the objective there.
        """
        workload = self.pool.workload(trial.cell)
        baseline = self.objective.of(workload, BASELINE)
        if not baseline > 0:
            raise InputError(
                f"{self.objective.metric} of {BASELINE} is not above 0 on some jobs",
                source=trial.cell.log.source,
                remedy="train on more jobs at a time, or at higher loads",
            )
        values = (self.objective.of(workload, self._with(each)) for each in trial.candidates)
        return np.array([self.objective.loss(each, baseline) for each in values])

    @contextmanager
    def losses(self, executor: Executor) -> Iterator[Losses]:
        """Open what tells the mean loss of each candidate of a generation."""
        with closing(TaskRounds(executor, Work("training cell", self._prepared))) as rounds:

            def mean(generation: int, candidates: Floats) -> Floats:
                cells = self.pool.draw(self.batch, [self.seed, generation])
                results = rounds.run([CellTrial(cell, candidates) for cell in cells])
                losses: Floats = np.mean(results, axis=0)
                return losses

            yield mean

    def _prepared(self) -> Callable[[CellTrial], Floats]:
        return self

    @cached_property
    def plain(self) -> ListScheduler:
        """The list scheduler with its own weights."""
        return learned(self.scheduler)

    def _with(self, weights: Floats) -> ListScheduler:
        return replace(self.plain, order=Order(self.plain.order.ordering, tuple(weights.tolist())))


def learned(scheduler: str) -> ListScheduler:
    """Return a list scheduler whose ordering is learned.

    Raises
    ------
    InputError
        It is another.
    """
    made: ListScheduler | None = make_scheduler(scheduler).compiled
    if made is None or not made.order.ordering.start:
        raise InputError(
            f"{scheduler!r} has no weights to learn",
            field="ORDERING",
            remedy="give index, or index with options of list schedulers",
        )
    return made
