"""The evolution of a queue order for one decision."""

import math
import time
from typing import Any

import numpy as np
from deap import base, tools

from utilitysched.kernels.breeding import Generation, breed, climb
from utilitysched.kernels.fitness import Problem, Workspace, ceiling
from utilitysched.kernels.operators import draw_generation
from utilitysched.kernels.stream import Words
from utilitysched.model.state import Integers
from utilitysched.schedulers.genetic.deap_adapters import individual
from utilitysched.schedulers.genetic.operators import are_compiled
from utilitysched.schedulers.genetic.options import GeneticOptions


class Evolution:
    """Generational replacement without elitism; the best order ever seen is kept aside.

    What a generation draws does not depend on how many there will be, so more generations never
    give a worse plan. Compiled code goes through them where it can, with the same result.

    Parameters
    ----------
    toolbox : deap.base.Toolbox
        Operators: see `utilitysched.schedulers.genetic.operators`.
    options : GeneticOptions
        Generations, mutation, patience and budget.
    logbook : deap.tools.Logbook, optional
        Gets a record for every generation.
    """

    def __init__(
        self,
        toolbox: base.Toolbox,
        options: GeneticOptions,
        logbook: tools.Logbook | None = None,
    ) -> None:
        self.toolbox, self.options, self.logbook = toolbox, options, logbook
        self._fused = logbook is None and options.budget == math.inf and are_compiled(toolbox)
        self.statistics = tools.Statistics()
        for measure in (np.max, np.mean, np.min):
            self.statistics.register(measure.__name__, measure)

    def run(self, problem: Problem, population: Integers, stream: Words) -> Integers:
        """Return the best order found from the first generation on; `population` is changed."""
        queue, options = problem.queue, self.options
        workspace = Workspace.empty(len(queue.size), len(queue.release_time))
        fitness = self.toolbox.evaluate(population, problem, workspace)
        generation = Generation.first(population, fitness)
        hall = tools.HallOfFame(1, similar=np.array_equal)
        stop = time.perf_counter() + options.budget
        best = self._keep(hall, generation, -np.inf)
        self._record(queue.now, 0, generation)
        enough = ceiling(problem, workspace.start) if self.logbook is None else np.inf
        done = improved = 0
        while done < options.generations and best < enough:
            limit = options.generations - done
            if options.patience:
                limit = min(limit, improved + options.patience - done)
            done += self._breed(generation, problem, workspace, stream, (best, limit))
            reached = self._keep(hall, generation, best)
            if reached > best:
                best, improved = reached, done
            self._record(queue.now, done, generation)
            if done - improved == options.patience > 0 or time.perf_counter() >= stop:
                break
        found = np.array(hall[0])
        if options.climb and best < enough:
            climb(found, best, options.climb, problem, workspace)
        return found

    def _breed(
        self,
        generation: Generation,
        problem: Problem,
        workspace: Workspace,
        stream: Words,
        goal: tuple[float, int],
    ) -> int:
        """Replace the generation by descendants; return how many generations were bred."""
        toolbox, options = self.toolbox, self.options
        if self._fused:
            rules = float(options.mutation), toolbox.select.keywords["signed"]
            return int(breed(generation, problem, workspace, stream, rules, goal))
        draw_generation(stream, options.mutation, generation.draws)
        parents = toolbox.select(generation.fitness, generation.draws)
        children = toolbox.mate(generation.orders, parents, generation.draws)
        generation.orders[:] = toolbox.mutate(children, generation.draws)
        generation.fitness[:] = toolbox.evaluate(generation.orders, problem, workspace)
        return 1

    @staticmethod
    def _keep(hall: tools.HallOfFame, generation: Generation, best: float) -> float:
        """Put the generation's best order into the hall of fame if it beats all before it."""
        fitness = generation.fitness
        top = int(fitness.argmax())
        if fitness[top] > best or not hall:
            hall.update([individual(generation.orders[top], fitness[top])])
            return float(fitness[top])
        return best

    def _record(self, now: float, number: int, generation: Generation) -> None:
        if self.logbook is not None:
            measured: dict[str, Any] = self.statistics.compile(generation.fitness)
            distinct = len(np.unique(generation.orders, axis=0))
            self.logbook.record(now=now, generation=number, distinct=distinct, **measured)
