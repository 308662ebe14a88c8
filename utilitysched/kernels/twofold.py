"""Numbers held as the unevaluated sum of two floats, for sums that are rounded once.

The error-free transformations of Dekker (1971) and Knuth: twice the digits of a float. Factors
above 1e300 overflow on the way.
"""

from numba import njit

Twofold = tuple[float, float]

_SPLITTER = 2.0**27 + 1.0


@njit(cache=True)
def add(a: Twofold, b: Twofold) -> Twofold:
    """Return a + b, whether or not they have one sign."""
    high, high_error = _sum(a[0], b[0])
    low, low_error = _sum(a[1], b[1])
    high, high_error = _sum(high, high_error + low)
    return _sum(high, high_error + low_error)


@njit(cache=True)
def product(a: float, b: float) -> Twofold:
    """Return a b, exactly unless it is below 1e-290."""
    high = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


@njit(cache=True)
def _sum(a: float, b: float) -> Twofold:
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


@njit(cache=True)
def _halves(a: float) -> Twofold:
    split = _SPLITTER * a
    high = split - (split - a)
    return high, a - high
