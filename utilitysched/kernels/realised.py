"""What jobs turned out to be worth."""

import math

from numba import njit

from utilitysched.kernels.curves import curve_value
from utilitysched.state import Floats, Integers, Known


@njit(cache=True)
def realised_values(
    jobs: Integers, start: Floats, run: Floats, known: Known, until: float, value: Floats
) -> None:
    """Write the utility (SU) of each of these jobs into `value`.

    Parameters
    ----------
    jobs : (k,) int64
        Which.
    start, run : (n,) float64
        Starts of all jobs and for how long they run (s); NaN for a job that has not started.
    until : float
        A job that has not started before this time counts as if it started then (s); infinite if
        all have.
    value : (k,) float64
        Filled.
    """
    for i in range(len(jobs)):
        job = jobs[i]
        begin = start[job]
        if math.isnan(begin) or begin > until:
            begin = until
        value[i] = curve_value(known, job, begin + run[job] - known.submit[job])
