"""Plans of the same jobs, to be compared."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.absence import worth_of_only
from utilitysched.kernels.fitness import Worth
from utilitysched.state import Floats


class Plans(NamedTuple):
    """Planned starts of the same jobs with another job in their way, and without it.

    Attributes
    ----------
    with_job : (c, k) float64
        Planned starts (s) in the order of the jobs' arrival, in each of c plans; the best counts.
    without_job : (k,) float64
        The same in the best plan without it.
    worth : Worth
        What the jobs are worth, as the scheduler takes it.
    """

    with_job: Floats
    without_job: Floats
    worth: Worth

    def of(self, kept: NDArray[np.bool_]) -> "Plans":
        """Return the same plans of some of the k jobs."""
        return Plans(
            self.with_job[:, kept], self.without_job[kept], worth_of_only(self.worth, kept)
        )
