"""Orders: orderings of the queue with their numbers."""

import math
from dataclasses import dataclass

import numpy as np

from utilitysched.kernels.policy import Ranking, scores
from utilitysched.kernels.signatures import compiled_score
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, JobTable
from utilitysched.schedulers.orderings import Ordering


@dataclass(frozen=True)
class Order:
    """An ordering with its numbers.

    Attributes
    ----------
    ordering : Ordering
        The rule.
    parameters : tuple of float
        Its numbers, in the order the rule names them.
    """

    ordering: Ordering
    parameters: tuple[float, ...] = ()

    def ranking(self, known: JobTable, *, once: bool) -> Ranking:
        """Return the ordering as the kernels take it.

        Parameters
        ----------
        known : JobTable
            All jobs to be ranked.
        once : bool
            If scores never change, compute them now rather than at every pass.
        """
        score = compiled_score(self.ordering.score)
        fixed = self.fixed_scores(known) if once and not self.ordering.dynamic else np.empty(0)
        return Ranking(fixed, score, np.array(self.parameters, dtype=np.float64))

    def fixed_scores(self, known: JobTable) -> Floats:
        """Return the scores of all jobs under an ordering whose scores never change."""
        jobs = np.arange(len(known.submit))
        ranking = self.ranking(known, once=False)
        fixed: Floats = scores(
            jobs,
            SchedulingPass(0.0, 0, jobs[:0]),
            known,
            ForecastRule().blank(0),
            ranking,
            math.inf,
        )
        return fixed
