"""Losses of the others in the queue while one job runs."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.model.state import Floats

Twofold = tuple[float, float]

_SPLITTER = 2.0**27 + 1.0


@kernel
def add(a: Twofold, b: Twofold) -> Twofold:
    """Return a + b, whether or not they have one sign."""
    high, high_error = _sum(a[0], b[0])
    low, low_error = _sum(a[1], b[1])
    high, high_error = _sum(high, high_error + low)
    return _sum(high, high_error + low_error)


@kernel
def product(a: float, b: float) -> Twofold:
    """Return a b, exactly unless it is below 1e-290."""
    high = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


@inner
def _sum(a: float, b: float) -> Twofold:
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


@inner
def _halves(a: float) -> Twofold:
    split = _SPLITTER * a
    high = split - (split - a)
    return high, a - high


_SHARE = 2.0**-16  # of a sum of which it may be the difference: 16 of its 106 bits are lost


@kernel
def quotient(a: Twofold, b: float) -> Twofold:
    """Return a / b, but for the last bits of its second part."""
    high = a[0] / b
    back, back_error = product(high, b)
    return _sum(high, ((a[0] - back) - back_error + a[1]) / b)


@kernel
def others_losses(rate: Floats, left: Floats, occupancy: Floats, out: Floats) -> None:
    """Find what the other jobs lose while each job runs, per second of its run.

    Jobs that are worth nothing after o seconds, or earlier, lose all they have in these o; the
    others lose at their rates. By time left, two running sums therefore serve every o. They have
    twice the digits of a float and are rounded once, so that jobs which cost the others alike tie.

    Parameters
    ----------
    rate : (n,) float64
        Present rate of decay (SU/s), at least 0.
    left : (n,) float64
        Time until the job is worth nothing (s).
    occupancy : (n,) float64
        Time for which each would hold the machine (s), above 0.
    out : (n,) float64
        Set to the mean losses (SU/s).
    """
    count = len(rate)
    order = np.argsort(left)
    ends = left[order]
    spent = np.zeros((count + 1, 2))  # what the first k lose until they are worth nothing
    lasting = np.zeros((count + 1, 2))  # the rate of all from the k-th on
    for k in range(count):
        job = order[k]
        spent[k + 1] = add((spent[k, 0], spent[k, 1]), product(rate[job], left[job]))
    for k in range(count - 1, -1, -1):
        lasting[k] = add((lasting[k + 1, 0], lasting[k + 1, 1]), (rate[order[k]], 0.0))
    for i in range(count):
        held = occupancy[i]
        k = np.searchsorted(ends, held, side="left")
        total = add(quotient((spent[k, 0], spent[k, 1]), held), (lasting[k, 0], lasting[k, 1]))
        own = _loss(rate[i], left[i], held)
        others = add(total, (-own[0], -own[1]))
        # few jobs lose almost everything themselves; for them the difference has too few digits
        if others[0] < _SHARE * own[0]:
            others = (0.0, 0.0)
            for k in range(count):
                if k != i:
                    others = add(others, _loss(rate[k], left[k], held))
        out[i] = others[0]


@inner
def _loss(rate: float, left: float, held: float) -> Twofold:
    """Return the mean loss of a job (SU/s) while another one runs for `held`."""
    return (rate, 0.0) if left >= held else quotient(product(rate, left), held)
