"""The operators in DEAP's toolbox: each acts on a whole population.

A population is a (P, n) array of queue orders. The toolbox holds

- ``select(fitness, draws) -> parents``: (P, 2) row numbers, the two of a row distinct;
- ``mate(population, parents, draws) -> children``: (P, n);
- ``mutate(children, draws) -> children``;
- ``evaluate(population, problem, workspace) -> fitness``: (P,).

The module `deap_adapters` makes such functions of DEAP's own, which act on one individual.
"""

import numpy as np
from deap import base

from utilitysched.kernels import fitness as kernel
from utilitysched.kernels import operators as kernels
from utilitysched.kernels.fitness import Problem, Workspace
from utilitysched.kernels.operators import Draws
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic import deap_adapters
from utilitysched.schedulers.genetic.options import GeneticOptions


def make_toolbox(options: GeneticOptions) -> base.Toolbox:
    """Return a toolbox with the operators that the options name."""
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    if options.selection == "roulette":
        toolbox.register("select", roulette, signed=options.signed)
    else:
        toolbox.register("select", deap_adapters.Selection(deap_adapters.named(options.selection)))
    if options.crossover == "zipper":
        toolbox.register("mate", zipper)
    else:
        toolbox.register("mate", deap_adapters.Crossover(deap_adapters.named(options.crossover)))
    if options.mutator == "swap":
        toolbox.register("mutate", swap)
    else:
        toolbox.register("mutate", deap_adapters.Mutation(deap_adapters.named(options.mutator)))
    return toolbox


def are_compiled(toolbox: base.Toolbox) -> bool:
    """Say whether all operators are ours."""
    ours = {"evaluate": evaluate, "select": roulette, "mate": zipper, "mutate": swap}
    return all(getattr(toolbox, alias).func is function for alias, function in ours.items())


def evaluate(population: Integers, problem: Problem, workspace: Workspace) -> Floats:
    """Return the fitness of every order."""
    fitness = np.empty(len(population))
    kernel.evaluate(population, problem, workspace, fitness)
    return fitness


def roulette(fitness: Floats, draws: Draws, *, signed: bool) -> Integers:
    """Choose parents in proportion to fitness, `signed` if that can be negative (LEE 3.2.3)."""
    parents = np.empty((len(fitness), 2), dtype=np.int64)
    kernels.select_roulette(fitness, signed, draws, parents)
    return parents


def zipper(population: Integers, parents: Integers, draws: Draws) -> Integers:
    """Cross parents by popping from one or the other (LEE 3.2.3)."""
    children = np.empty_like(population)
    kernels.mate_zipper(population, parents, draws, children)
    return children


def swap(children: Integers, draws: Draws) -> Integers:
    """Swap two jobs in some of the children (LEE 3.2.2)."""
    kernels.mutate_swap(children, draws)
    return children
