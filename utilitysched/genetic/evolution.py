"""The evolution of a queue order for one decision."""

import time
from typing import Any

import numpy as np
from deap import base, tools

from utilitysched.genetic.individuals import individual
from utilitysched.genetic.options import GeneticOptions
from utilitysched.kernels.fitness import Problem, Workspace
from utilitysched.kernels.operators import Draws, draw_generation
from utilitysched.kernels.stream import Words
from utilitysched.state import Floats, Integers


class Evolution:
    """Generational replacement without elitism; the best order ever seen is kept aside.

    What a generation draws does not depend on how many there will be, so more generations never
    give a worse plan.

    Parameters
    ----------
    toolbox : deap.base.Toolbox
        Operators: see `utilitysched.genetic.operators`.
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
        self.toolbox = toolbox
        self.options = options
        self.logbook = logbook
        self.statistics = tools.Statistics()
        for measure in (np.max, np.mean, np.min):
            self.statistics.register(measure.__name__, measure)

    def run(self, problem: Problem, population: Integers, stream: Words) -> Integers:
        """Return the best order found, starting from the first generation `population`."""
        toolbox, options = self.toolbox, self.options
        queue = problem.queue
        workspace = Workspace.empty(len(queue.job), len(queue.release_time))
        draws = Draws.empty(*population.shape)
        hall = tools.HallOfFame(1)
        stop = time.perf_counter() + options.budget
        fitness = toolbox.evaluate(population, problem, workspace)
        best = self._keep(hall, population, fitness, -np.inf)
        self._record(queue.now, 0, population, fitness)
        idle = 0
        for generation in range(1, options.generations + 1):
            draw_generation(stream, options.mutation, draws)
            parents = toolbox.select(fitness, draws)
            children = toolbox.mate(population, parents, draws)
            population = toolbox.mutate(children, draws)
            fitness = toolbox.evaluate(population, problem, workspace)
            reached = self._keep(hall, population, fitness, best)
            idle = idle + 1 if reached == best else 0
            best = reached
            self._record(queue.now, generation, population, fitness)
            if idle == options.patience > 0 or time.perf_counter() >= stop:
                break
        return np.array(hall[0], dtype=np.int64)

    def _keep(
        self, hall: tools.HallOfFame, population: Integers, fitness: Floats, best: float
    ) -> float:
        """Put the generation's best order into the hall of fame if it beats all before it."""
        top = int(fitness.argmax())
        if fitness[top] > best or not hall:
            hall.update([individual(population[top], fitness[top])])
            return float(fitness[top])
        return best

    def _record(self, now: float, generation: int, population: Integers, fitness: Floats) -> None:
        if self.logbook is None:
            return
        measured: dict[str, Any] = self.statistics.compile(fitness)
        distinct = len(np.unique(population, axis=0))
        self.logbook.record(now=now, generation=generation, distinct=distinct, **measured)
