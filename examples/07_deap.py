"""One decision of the genetic scheduler, searched for by DEAP's own algorithms.

Covers: a toolbox and a first population, DEAP's `algorithms` on them, an operator of one's own.

Scenario: the packaged workload, at the moment at which most jobs wait. The toolbox has DEAP's
signatures, so whatever is written for DEAP runs on it; a snapshot file gives the same moment by
`read_snapshot(path).state()`. Every search places as many plans; fitness in SU.

Run: python examples/07_deap.py
"""

from __future__ import annotations

import math
import random
from itertools import accumulate

from deap import algorithms, tools

from swfx import open_workload
from utilitysched import Decision, QueueState, make_scheduler, simulate
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.genetic import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

SEED = 1
PARENTS, CHILDREN, GENERATIONS = 20, 20, 30
SHARES = 0.6, 0.4  # of the children: crossed, mutated
SHOWN = (0, 5, 15, GENERATIONS)  # generations


class MostQueued:
    """Passes on to the index, and keeps the state with the longest queue."""

    def __init__(self) -> None:
        self.inner, self.states = make_scheduler("index"), list[QueueState]()

    def prepare(self, setting: Setting) -> None:
        """Prepare the scheduler."""
        self.inner.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        self.states = [max([*self.states, state], key=lambda each: len(each.queued))]
        return self.inner.decide(state)


def front_to_back(order: list[int]) -> tuple[list[int]]:
    """Put the first job last: an operator of one's own."""
    order.append(order.pop(0))
    return (order,)


def main() -> None:
    """Search, and print the best fitness after some generations of each search."""
    recorder = MostQueued()
    simulate(open_workload("sample:").workload, recorder)
    [state] = recorder.states
    scheduler = GeneticScheduler(GeneticOptions(generations=GENERATIONS, depth=math.inf))
    print(f"{len(state.queued)} jobs wait for {state.free} free processors\n")
    print(f"{'best fitness in generation':28}" + "".join(f"{number:10}" for number in SHOWN))

    for name in ("eaSimple", "eaMuPlusLambda", "the same, own mutation"):
        random.seed(SEED)
        toolbox, population = scheduler.search_at(state)
        if "own" in name:
            toolbox.register("mutate", front_to_back)
        kept = tools.Statistics(lambda individual: individual.fitness.values[0])
        kept.register("best", max)
        simple = name == "eaSimple"
        search = algorithms.eaSimple if simple else algorithms.eaMuPlusLambda
        sizes = () if simple else (PARENTS, CHILDREN)
        varied = (*sizes, *SHARES, GENERATIONS)
        _, logbook = search(population, toolbox, *varied, stats=kept, verbose=False)
        print_line(name, logbook.select("best"))

    scheduler.decide(state)
    if scheduler.latest is not None:
        print_line("GeneticScheduler", scheduler.latest.evolved.trace[:, 2].tolist())


def print_line(name: str, best: list[float]) -> None:
    """Print the best fitness so far."""
    so_far = list(accumulate(best, max))
    print(f"{name:28}" + "".join(f"{so_far[number]:10,.2f}" for number in SHOWN))


if __name__ == "__main__":
    main()
