"""Orderings with parameters."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.kernels.policy import Ranking, scores
from utilitysched.kernels.signatures import compiled_score
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, JobTable
from utilitysched.schedulers.orderings import Ordering

if TYPE_CHECKING:
    from utilitysched.model.machine import PoolView, ShareTable


@dataclass(frozen=True)
class Order:
    """An ordering with parameters.

    Attributes
    ----------
    ordering : Ordering
        The rule.
    parameters : tuple of float
        Its numbers, in the order the rule names them.
    """

    ordering: Ordering
    parameters: tuple[float, ...] = ()

    @property
    def value_aware(self) -> bool:
        """Whether scores read utility functions."""
        return self.ordering.value_aware

    @property
    def reads_usage(self) -> bool:
        """Whether scores read decayed usage of a machine."""
        return self.ordering.reads_usage

    def ranking(self, known: JobTable, *, once: bool) -> Ranking:
        """Return the ordering in the form of the kernels.

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

    def shares(self, table: "ShareTable") -> "ShareTable":
        """Return the shares of a machine, with weights of the order's own where it has any."""
        return table

    def settle(self, numbers: Floats, shares: "ShareTable") -> None:
        """Write what never changes of a machine into the numbers of a ranking, if it is read."""

    def look(self, numbers: Floats, pool: "PoolView | None") -> None:
        """Write what is to be seen of a pool into the numbers of a ranking, if it is read."""
