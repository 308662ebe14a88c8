"""The weekly protocol of mixed policies: learned in some windows, judged in others (LEGRAND 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import cmaes
import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from swfx.base.atomic import prove_writable
from utilitysched.learning.cells import without_paths
from utilitysched.learning.evolution import Journal
from utilitysched.learning.mixed import (
    DIMENSIONS,
    FEATURES,
    PURE,
    SAF,
    WindowTrial,
    WindowTrials,
    XnesSearch,
    grid,
    grid_inside,
    pure_policies,
)
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.orderings.weights import write_weights
from utilitysched.workers.executor import Executor, TaskRounds

_ROUND = 4
"""Windows of the grid between two writings of the journal."""

_OF_GRID = 0.8
"""Share of the time that the grid is taken to need, for progress."""


class WeeklyProtocol(NamedTuple):
    """Windows to learn from and to judge on, and the sizes of grid and searches.

    Attributes
    ----------
    trials : WindowTrials
        What is simulated.
    learn_on, judge_on : (int, int) or None
        First and last window of either; default: the first half, and all that follow it.
    points : int
        Of the grid, in each of two dimensions.
    generations : int
        Of each search.
    """

    trials: WindowTrials
    learn_on: tuple[int, int] | None
    judge_on: tuple[int, int] | None
    points: int
    generations: int

    def parts(self) -> tuple[Integers, Integers]:
        """Return the numbers of the windows learned from, and of those judged on.

        Raises
        ------
        InputError
            There are none, or one is both.
        """
        numbers = np.array(list(self.trials.windows))
        middle = int(numbers[(len(numbers) - 1) // 2])
        learned = _within(numbers, self.learn_on or (1, middle), "`learn_on`")
        after = int(learned[-1]) + 1
        judged = _within(numbers, self.judge_on or (after, int(numbers[-1])), "`judge_on`")
        if np.intersect1d(learned, judged).size:
            raise InputError(
                "a policy cannot be judged on windows that it was learned on",
                field="`judge_on`",
                remedy="give windows that `learn_on` leaves out",
            )
        return learned, judged

    def settings(self) -> dict[str, object]:
        """Return all that decides the costs but the number of generations, without paths."""
        trials = self.trials
        source = without_paths(trials.log, trials.apply, trials.utilities)
        return asdict(trials) | {
            **source,
            "windows": [part.tolist() for part in self.parts()],
            "points": self.points,
            "cmaes": cmaes.__version__,
        }


def _within(numbers: Integers, ends: tuple[int, int], field: str) -> Integers:
    within: Integers = numbers[(numbers >= ends[0]) & (numbers <= ends[1])]
    if not len(within):
        raise InputError(
            f"no window from {ends[0]} to {ends[1]}",
            field=field,
            remedy=f"there are windows from {numbers[0]} to {numbers[-1]}",
        )
    return within


class MixedPolicies(NamedTuple):
    """Costs of mixed policies by window, and the policy learned from some of the windows.

    Attributes
    ----------
    numbers : (n,) int64
        Of the windows.
    learned, judged : (l,) and (m,) int64
        Places among them of those learned from, and of those judged on.
    candidates : (k, 6) float64
        `PURE`, then the grid.
    costs : (n, k) float64
        Mean cost of a job in each window under each of them.
    searched : dict of int to (n,) float64
        The least that searches have found in each window, by number of features.
    simulations : dict of int to int
        How many simulations of a window these took.
    policy : (6,) float64
        The weights that cost least in the windows learned from, scaled to magnitude 1.
    policy_costs : (n,) float64
        What they cost in each window.
    points : int
        Of the grid, in each of two dimensions.
    """

    numbers: Integers
    learned: Integers
    judged: Integers
    candidates: Floats
    costs: Floats
    searched: dict[int, Floats]
    simulations: dict[int, int]
    policy: Floats
    policy_costs: Floats
    points: int

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which points of a half of the grid there are, by weight of request and of wait."""
        return grid_inside(self.points)

    @property
    def optima(self) -> Integers:
        """The candidate that costs least in each window, w*; the one nearest to SAF of equals."""
        return np.array([_least(row, self.candidates) for row in self.costs])

    @property
    def least(self) -> Floats:
        """What w* costs in each window."""
        lowest: Floats = self.costs.min(axis=1)
        return lowest

    @property
    def greedy(self) -> Floats:
        """What it costs to use in each window the w* of the one before; SAF in the first."""
        before = np.concatenate([[SAF], self.optima[:-1]])
        chosen: Floats = self.costs[np.arange(len(before)), before]
        return chosen


def _least(costs: Floats, candidates: Floats) -> int:
    """Return the candidate that costs least, of equals the one nearest to SAF."""
    equal = np.flatnonzero(costs == costs.min())
    distance = np.linalg.norm(candidates[equal] - candidates[SAF], axis=1)
    return int(equal[np.argmin(distance)])


def learn_mixed(
    protocol: WeeklyProtocol,
    output: Path,
    executor: Executor,
    on_progress: Callable[[float], None] = lambda _: None,
) -> MixedPolicies:
    """Learn a mixed policy and write it to a file of the ordering `mixed`.

    Goes on where it was interrupted: with the same options the result is the same, to the byte.

    Parameters
    ----------
    protocol : WeeklyProtocol
        What is learned, and where it is judged.
    output : Path
        File of weights; the journal of the costs has its name and ``.journal`` at the end.
    executor : Executor
        Where windows are simulated.
    on_progress : callable
        Takes the share that is done.

    Raises
    ------
    InputError
        The log, an option or a file cannot be used; or the journal is of another learning.
    """
    prove_writable(output)
    trials = protocol.trials
    parts = protocol.parts()
    numbers = np.sort(np.concatenate(parts))
    learned, judged = (np.flatnonzero(np.isin(numbers, part)) for part in parts)
    journal = Journal.beside(output, protocol.settings())
    candidates = np.concatenate([pure_policies(), grid(protocol.points)])
    with trials.rounds(executor) as rounds:
        work = _JournalledRounds(numbers, journal, rounds)
        costs = work.covered(candidates, lambda share: on_progress(share * _OF_GRID))
        searches = WindowSearches(trials, numbers, costs, learned)
        for generation in range(protocol.generations):
            work.generation(len(numbers) + generation, searches)
            on_progress(_OF_GRID + (1 - _OF_GRID) * (generation + 1) / protocol.generations)
        policy = _trained(candidates, costs[learned], searches.trained)
        alone = work.simulated([policy[np.newaxis]] * len(numbers))
    policies = MixedPolicies(
        numbers,
        learned,
        judged,
        candidates,
        costs,
        {size: np.array([each.least for each in row]) for size, row in searches.each.items()},
        {size: row[0].simulations for size, row in searches.each.items()},
        policy,
        np.concatenate(alone),
        protocol.points,
    )
    named = dict(zip(orderings()["mixed"].parameters, (policy + 0.0).tolist(), strict=True))
    write_weights(output, named, _provenance(protocol, policies))
    return policies


class WindowSearches:
    """Searches by XNES that go on together: in each window, and in all that are learned from.

    Parameters
    ----------
    trials : WindowTrials
        What is simulated.
    numbers : (n,) int64
        Of the windows.
    costs : (n, k) float64
        What `PURE` cost in each, and whoever follows.
    learned : (l,) int64
        Places of the windows whose costs are summed up by the last search, `trained`.
    """

    def __init__(
        self, trials: WindowTrials, numbers: Integers, costs: Floats, learned: Integers
    ) -> None:
        units, seed, pure = (
            trials.units(numbers[learned].tolist()),
            trials.seed,
            costs[:, : len(PURE)],
        )
        self.each = {
            size: [
                XnesSearch(size, pure[i], units, (seed, size, number))
                for i, number in enumerate(numbers.tolist())
            ]
            for size in DIMENSIONS
        }
        self.learned = set(learned.tolist())
        self.trained = XnesSearch(FEATURES, pure[learned].sum(axis=0), units, (seed, FEATURES, 0))

    def ask(self) -> list[Floats]:
        """Return the candidates of a generation in each window."""
        shared = self.trained.ask()
        return [
            np.concatenate(
                [
                    *(row[i].ask() for row in self.each.values()),
                    shared[: len(shared) * (i in self.learned)],
                ]
            )
            for i in range(len(self.each[FEATURES]))
        ]

    def tell(self, windows: list[Floats]) -> None:
        """Update all searches with the costs of a generation's candidates."""
        summed = np.zeros(self.trained.population)
        for i, costs in enumerate(windows):
            first = 0
            for row in self.each.values():
                row[i].tell(costs[first : first + row[i].population])
                first += row[i].population
            if i in self.learned:
                summed += costs[first:]
        self.trained.tell(summed)


class _JournalledRounds(NamedTuple):
    """Simulations of all windows, kept in a journal: the grid by windows, then generations."""

    numbers: Integers
    journal: Journal
    rounds: TaskRounds[WindowTrial, Floats]

    def covered(self, candidates: Floats, on_progress: Callable[[float], None]) -> Floats:
        """Return what candidates cost in each window, (n, k)."""
        kept, windows = self.journal.losses, len(self.numbers)
        while len(kept) < windows:
            part = self.numbers[len(kept) : len(kept) + _ROUND].tolist()
            costs = self.rounds.run([WindowTrial(number, candidates) for number in part])
            self.journal.add(*costs)
            on_progress(len(kept) / windows)
        return np.array(kept[:windows])

    def generation(self, row: int, searches: WindowSearches) -> None:
        """Go on by a generation, which has that row of the journal."""
        candidates = searches.ask()
        if row == len(self.journal.losses):
            self.journal.add(np.concatenate(self.simulated(candidates)))
        ends = np.cumsum([len(each) for each in candidates])
        searches.tell(np.split(np.array(self.journal.losses[row]), ends[:-1]))

    def simulated(self, candidates: list[Floats]) -> list[Floats]:
        """Return the costs of each window's candidates."""
        tasks = zip(self.numbers.tolist(), candidates, strict=True)
        return self.rounds.run([WindowTrial(*task) for task in tasks])


def _trained(candidates: Floats, costs: Floats, search: XnesSearch) -> Floats:
    """Return the weights that cost least in all windows learned from, w_train."""
    summed = costs.sum(axis=0)
    least = _least(summed, candidates)
    best: Floats = candidates[least] if summed[least] <= search.least else search.best
    return best


def _provenance(protocol: WeeklyProtocol, policies: MixedPolicies) -> dict[str, str | float]:
    trials, numbers = protocol.trials, policies.numbers
    first, last = numbers[policies.learned[[0, -1]]].tolist()
    return {
        "scheduler": trials.scheduler,
        "jobs": " ".join((Path(trials.log.source).name, str(trials.log.jobs), *trials.apply)),
        "learned": f"windows {first} to {last}, by {trials.aim}",
        "search": f"{len(policies.candidates)} candidates, and XNES (cmaes {cmaes.__version__}), "
        f"{protocol.generations} generations, seed {trials.seed}",
        "cost": float(policies.policy_costs[policies.learned].mean()),
    }
