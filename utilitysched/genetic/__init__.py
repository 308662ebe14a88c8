"""The genetic scheduler (LEE 3), on DEAP.

`GeneticScheduler` is in `utilitysched.genetic.scheduler`: importing it imports DEAP, which a
simulation of other schedulers does not need.
"""

from utilitysched.genetic.family import genetic_scheduler
from utilitysched.genetic.options import GeneticOptions

__all__ = ["GeneticOptions", "genetic_scheduler"]
