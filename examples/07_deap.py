"""One decision of the genetic scheduler, searched for by DEAP's own algorithms.

Covers: a toolbox and a first population from a moment, DEAP's `algorithms` on them, an operator of
one's own, the scheduler's search beside them.

Scenario: the packaged workload, at the moment at which most jobs wait. The toolbox has DEAP's
signatures, so whatever is written for DEAP runs on it. A snapshot file gives the same:
`read_snapshot(path).state()`. Everything gets the same number of plans; values in SU.

Run: python examples/07_deap.py
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from deap import algorithms, tools
from numpy.typing import NDArray

from swfx import open_workload
from utilitysched import Decision, QueueState, make_scheduler, simulate
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.genetic import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

SEED = 1
PARENTS = CHILDREN = 20
GENERATIONS = 30
CROSSED, MUTATED = 0.6, 0.4  # shares of the children


class MostQueued:
    """Passes on to a scheduler, and keeps the state with the longest queue."""

    def __init__(self, name: str) -> None:
        self.inner = make_scheduler(name)
        self.state: QueueState | None = None

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        if self.state is None or len(state.queued) > len(self.state.queued):
            self.state = state
        return self.inner.decide(state)


def front_to_back(order: list[int]) -> tuple[list[int]]:
    """Put the first job last: an operator of one's own."""
    order.append(order.pop(0))
    return (order,)


def statistics() -> tools.Statistics:
    """Return what is kept of each generation."""
    kept = tools.Statistics(lambda individual: individual.fitness.values[0])
    kept.register("best", np.max)
    kept.register("median", np.median)
    return kept


def main() -> None:
    """Search, and print how each search went."""
    state = most_queued("index")
    scheduler = GeneticScheduler(GeneticOptions(generations=GENERATIONS, depth=np.inf))
    print(f"{len(state.queued)} jobs wait for {state.free} free processors\n")

    varied = CROSSED, MUTATED, GENERATIONS
    searches: dict[str, Callable[..., Any]] = {
        "eaSimple": lambda *of, **more: algorithms.eaSimple(*of, *varied, **more),
        "eaMuPlusLambda": lambda *of, **more: algorithms.eaMuPlusLambda(
            *of, PARENTS, CHILDREN, *varied, **more
        ),
        "the same, own mutation": lambda *of, **more: algorithms.eaMuPlusLambda(
            *of, PARENTS, CHILDREN, *varied, **more
        ),
    }
    print(f"{'best fitness in generation':28}{0:>10}{5:>10}{15:>10}{GENERATIONS:>10}")
    for name, search in searches.items():
        random.seed(SEED)
        toolbox, population = scheduler.search_at(state)
        if "own" in name:
            toolbox.register("mutate", front_to_back)
        best = tools.HallOfFame(1)
        kept = {"stats": statistics(), "halloffame": best, "verbose": False}
        _, logbook = search(population, toolbox, **kept)
        print_line(name, np.maximum.accumulate(logbook.select("best")))

    scheduler.decide(state)
    if scheduler.latest is not None:
        print_line("GeneticScheduler", scheduler.latest.evolved.trace[:, 2])


def most_queued(name: str) -> QueueState:
    """Return what a scheduler saw on the packaged workload when most jobs waited."""
    recorder = MostQueued(name)
    simulate(open_workload("sample:").workload, recorder)
    assert recorder.state is not None
    return recorder.state


def print_line(name: str, best: NDArray[np.float64]) -> None:
    """Print the best fitness so far."""
    print(f"{name:28}" + "".join(f"{best[number]:10,.2f}" for number in (0, 5, 15, -1)))


if __name__ == "__main__":
    main()
