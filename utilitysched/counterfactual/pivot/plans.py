"""Plans of the same jobs, to be compared."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.absence import worth_of_only
from utilitysched.kernels.fitness import Worth
from utilitysched.model.state import Floats, Integers


class Plans(NamedTuple):
    """Planned starts of the same jobs with another job in their way, and without it.

    A running job that goes on running starts now.

    Attributes
    ----------
    with_job : (c, k) float64
        Planned starts (s) of the jobs, in each of c plans; the best counts.
    without_job : (k,) float64
        The same in the best plan without it.
    worth : Worth
        What the jobs are worth, as the scheduler takes it.
    job : (k,) int64
        The jobs, by index in arrival order: queued ones, then running ones that may be bumped.
    """

    with_job: Floats
    without_job: Floats
    worth: Worth
    job: Integers

    def of(self, kept: NDArray[np.bool_]) -> "Plans":
        """Return the same plans of some of the k jobs."""
        return Plans(
            self.with_job[:, kept],
            self.without_job[kept],
            worth_of_only(self.worth, kept),
            self.job[kept],
        )
