"""Realised values of jobs."""

from numba import njit

from utilitysched.kernels.curves import curve_value
from utilitysched.model.state import Floats, Integers, JobTable


@njit(cache=True)
def realised_values(jobs: Integers, completion: Floats, known: JobTable, value: Floats) -> None:
    """Write the utility (SU) of each of these jobs into `value`.

    Parameters
    ----------
    jobs : (k,) int64
        Which.
    completion : (k,) float64
        When each of them ends (s).
    value : (k,) float64
        Filled.
    """
    for i in range(len(jobs)):
        job = jobs[i]
        value[i] = curve_value(known, job, completion[i] - known.submit[job])
