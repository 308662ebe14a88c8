"""LEE's measure of how wrong a time is."""

import numpy as np

from swfx.base.columns import Floats


def inaccuracy(expected: Floats, actual: Floats) -> Floats:
    """Error of an expected run time as a share of it, |expected - actual| / expected.

    Parameters
    ----------
    expected : ndarray of float64, shape (n,)
        Requested or estimated run time (s), positive.
    actual : ndarray of float64, shape (n,)
        Run time (s).

    Returns
    -------
    ndarray of float64, shape (n,)
        At most 1 where the job ended in time.

    Examples
    --------
    The user of LEE 5.3.1 who requested two hours and guessed one; the job ran for 50 s:

    >>> inaccuracy(np.array([7200.0, 3600.0]), np.array([50.0, 50.0])).round(2)
    array([0.99, 0.99])

    References
    ----------
    LEE, section 5.3.1, formulas 5.1 and 5.2.
    """
    return np.abs(expected - actual) / expected
