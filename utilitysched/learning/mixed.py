"""Mixed policies: weights of job features, window by window of a log (LEGRAND 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cmaes
import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.families.transforms.submit_at import simulated
from utilitysched.engine.valued import ensure
from utilitysched.experiments.inputs import Log, Windows, selection_of
from utilitysched.kernels.progress import Progress
from utilitysched.kernels.trials import AIMS, LOST_VALUE, mean_costs
from utilitysched.learning.cells import read_once
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.loop_parts import LoopParts
from utilitysched.schedulers.registry import make_scheduler
from utilitysched.workers.executor import Executor, TaskRounds, Work

PURE = (
    *("sqf", "spf", "lcfs", "srf", "sexp", "saf"),
    *("lqf", "lpf", "fcfs", "lrf", "lexp", "laf"),
)
"""Orderings that have one feature: the least first, then the largest, by feature of `mixed`."""

FEATURES = len(PURE) // 2
SAF = PURE.index("saf")

DIMENSIONS = (3, FEATURES)
"""Features of the searches: size, request and wait alone, as on the grid; and all."""

SPREAD = 0.5
"""Standard deviation of the first candidates of a search, around 0."""

PENALTY = 0.1
"""Lambda of LEGRAND 4, in shares of what the best pure policy costs: it holds magnitudes near 1."""


def pure_policies() -> Floats:
    """Return the weights of `PURE`, (12, 6)."""
    return np.concatenate([-np.eye(FEATURES), np.eye(FEATURES)])


def grid(points: int) -> Floats:
    """Return weights of size, request and wait that cover magnitude 1, (k, 6).

    Those of request and wait are on a grid between -1 and 1; that of the size has what is left of
    the magnitude, first below 0, then above.
    """
    inside = grid_inside(points)
    axis = np.linspace(-1.0, 1.0, points)
    request, wait = (each[inside] for each in np.meshgrid(axis, axis, indexing="ij"))
    weights = np.zeros((2, len(request), FEATURES))
    left = 1.0 - np.abs(request) - np.abs(wait)
    weights[0, :, 0], weights[1, :, 0] = -left, left
    weights[:, :, 1], weights[:, :, 2] = request, wait
    return weights.reshape(-1, FEATURES)


def grid_inside(points: int) -> NDArray[np.bool_]:
    """Return which weights of request and wait have magnitudes up to 1, (points, points)."""
    axis = np.abs(np.linspace(-1.0, 1.0, points))
    inside: NDArray[np.bool_] = axis[:, np.newaxis] + axis <= 1.0
    return inside


class WindowTrial(NamedTuple):
    """A window and the candidates that are simulated in it, (k, 6)."""

    window: int
    candidates: Floats


@dataclass(frozen=True)
class WindowTrials:
    """Simulations of mixed policies in windows of a log; can be pickled.

    Attributes
    ----------
    log : Log
        Whose `jobs` are windows, as `selection_of` reads them.
    scheduler : str
        A list scheduler with the ordering `mixed`.
    aim : str
        What a job costs: one of `utilitysched.kernels.trials.AIMS`.
    apply : tuple of str
        Transformations of the whole log, in order.
    utilities : str
        Specification of utility functions, for what is lost of them.
    seed : int
        Of everything that is drawn.
    """

    log: Log
    scheduler: str
    aim: str = "slowdown"
    apply: tuple[str, ...] = ()
    utilities: str = "default"
    seed: int = 0

    def __call__(self, trial: WindowTrial) -> Floats:
        """Return the mean cost of a job in a window under each candidate, from an empty machine."""
        return mixed_costs(
            self._arrivals[trial.window], self.plain, trial.candidates, self.aim, self.seed
        )

    @contextmanager
    def rounds(self, executor: Executor) -> Iterator[TaskRounds[WindowTrial, Floats]]:
        """Open the task rounds of an executor."""
        with closing(TaskRounds(executor, Work("window", self._prepared))) as rounds:
            yield rounds

    def _prepared(self) -> Callable[[WindowTrial], Floats]:
        return self

    @cached_property
    def plain(self) -> ListScheduler:
        """The mixed list scheduler with its own weights.

        Raises
        ------
        InputError
            Its ordering is another.
        """
        made: ListScheduler | None = make_scheduler(self.scheduler).compiled
        if made is None or made.order.ordering.name != "mixed":
            raise InputError(
                f"{self.scheduler!r} has no mixed ordering",
                field="`scheduler`",
                remedy="give mixed, or mixed with options of list schedulers",
            )
        return made

    @cached_property
    def windows(self) -> dict[int, Workload]:
        """The jobs of each window, by its number.

        Raises
        ------
        InputError
            `log` names no windows, or cannot be read.
        """
        chosen = selection_of(str(self.log.jobs))
        if not isinstance(chosen, Windows):
            raise InputError(
                f"{self.log.jobs!r} are no windows", field="`windows`", remedy="write it as weeks"
            )
        whole = simulated(read_once(replace(self.log, jobs=None)), self.apply, self.seed).workload
        if AIMS[self.aim] == LOST_VALUE:
            whole = ensure(
                whole, self.utilities, self.seed, classes=None, say=lambda _: None
            ).workload
        return chosen.all_of(whole)

    def units(self, windows: Sequence[int]) -> Floats:
        """Return the mean of each feature over the jobs of windows, (6,).

        With a wait as long as a mean request: such waits are what orders are about.
        """
        jobs = [self._arrivals[number].known for number in windows]
        size = np.concatenate([each.size for each in jobs]).astype(np.float64)
        request = np.maximum(np.concatenate([each.request for each in jobs]), 1.0)
        wait = np.full(len(size), request.mean())
        stretch = (wait + request) / request
        columns = size, request, wait, request / size, stretch, request * size
        means: Floats = np.mean(columns, axis=1)
        return means

    @cached_property
    def _arrivals(self) -> dict[int, Arrivals]:
        return {number: Arrivals.of(jobs) for number, jobs in self.windows.items()}


def mixed_costs(
    arrivals: Arrivals, plain: ListScheduler, candidates: Floats, aim: str, seed: int = 0
) -> Floats:
    """Return the mean cost of a job under a mixed scheduler with other weights, (k,).

    Parameters
    ----------
    arrivals : Arrivals
        The jobs; the machine is empty before them.
    plain : ListScheduler
        The scheduler.
    candidates : (k, 6) float64
        Weights.
    aim : str
        What a job costs: one of `utilitysched.kernels.trials.AIMS`.
    seed : int
        Of what the scheduler draws.
    """
    plain.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, seed))
    parts = LoopParts.of(arrivals, plain)
    if not (parts.policy.learns or parts.policy.keeps_reservations):
        return _mean_costs(parts, arrivals, candidates, aim)
    alone = [
        _mean_costs(LoopParts.of(arrivals, plain), arrivals, weights[np.newaxis], aim)
        for weights in candidates
    ]
    return np.concatenate(alone)


def _mean_costs(parts: LoopParts, arrivals: Arrivals, candidates: Floats, aim: str) -> Floats:
    run, known = arrivals.run, arrivals.known
    progress = Progress.blank(len(run), known.machine_size)
    costs: Floats = mean_costs(run, known, *parts, progress, candidates, AIMS[aim])
    return costs


class XnesSearch:
    """A search by XNES (Glasmachers et al. 2010) for the weights that cost least.

    It looks for weights of features in units in which they are alike, from 0 on, where no policy is
    nearer than another. Weights are simulated with their magnitude scaled to 1; what is told to the
    search has besides a penalty on magnitudes far from it (LEGRAND 4).

    Parameters
    ----------
    dimension : int
        Features that have weights, the first ones.
    pure : (12,) float64
        What `PURE` cost: those of these features may be the least.
    units : (6,) float64
        Of the features.
    seed : sequence of int
        Of the candidates.
    """

    def __init__(self, dimension: int, pure: Floats, units: Floats, seed: Sequence[int]) -> None:
        allowed = np.arange(len(PURE)) % FEATURES < dimension
        first = int(np.argmin(np.where(allowed, pure, np.inf)))
        self.best, self.least = pure_policies()[first], float(pure[first])
        self.simulations = int(allowed.sum())
        self._unit = float(pure.min()) or 1.0
        self._units = units[:dimension]
        state = int(np.random.SeedSequence(seed).generate_state(1)[0])
        self._search = cmaes.XNES(np.zeros(dimension), SPREAD, seed=state)
        self.population = int(self._search.population_size)

    def ask(self) -> Floats:
        """Return the next candidates, scaled to magnitude 1, (population, 6)."""
        self._asked = np.array([self._search.ask() for _ in range(self.population)])
        weights = self._asked / self._units
        self._scaled = np.zeros((self.population, FEATURES))
        scale = np.abs(weights).sum(axis=1, keepdims=True)
        self._scaled[:, : len(self._units)] = weights / scale
        return self._scaled

    def tell(self, costs: Floats) -> None:
        """Update the search with the costs of its candidates, (population,)."""
        size = np.abs(self._asked).sum(axis=1)
        losses = costs / self._unit + PENALTY * (size + 1.0 / size)
        self._search.tell(list(zip(self._asked, losses.tolist(), strict=True)))
        self.simulations += len(costs)
        least = int(np.argmin(costs))
        if costs[least] < self.least:
            self.best, self.least = self._scaled[least].copy(), float(costs[least])
