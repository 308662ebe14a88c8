"""DEAP's classes for one individual, made once: its creator puts them into a global namespace."""

from collections.abc import Sequence

import numpy as np
from deap import base, creator

from utilitysched.model.state import Integers

if not hasattr(creator, "PlanFitness"):
    creator.create("PlanFitness", base.Fitness, weights=(1.0,))
if not hasattr(creator, "QueueOrder"):
    creator.create("QueueOrder", np.ndarray, fitness=creator.PlanFitness)


def individual(order: Integers | Sequence[int], fitness: float) -> "creator.QueueOrder":
    """Return a queue order as DEAP's operators and tools expect it, with its fitness."""
    made = creator.QueueOrder(order)
    made.fitness.values = (float(fitness),)
    return made
