"""The genetic scheduler (LEE 3), on DEAP.

`GeneticScheduler` is in the module `scheduler`: importing it imports DEAP, which a simulation
of other schedulers does not need.
"""

from utilitysched.schedulers.genetic.options import GeneticOptions, genetic_scheduler

__all__ = ["GeneticOptions", "genetic_scheduler"]
