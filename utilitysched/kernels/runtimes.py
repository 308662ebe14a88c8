"""Forecasts of run times from a histogram of those that have ended."""

import numpy as np

from utilitysched.kernels.compiling import leaf
from utilitysched.model.restarts import BINS, CLASSES, SHORTEST_CLASS, RuntimeHistogram

EDGES = np.array([0.0, *(2.0 ** (b / 2) for b in range(1, BINS + 1))])
"""Half octaves of run times, the first one from 0 (s)."""

_ALL_JOBS = 10.0
"""Jobs of the whole log that each class is taken to hold beside its own."""


@leaf
def request_class(request: float) -> int:
    """Return the class of a requested time (s)."""
    row = 0
    while row < CLASSES - 1 and request >= 2.0 * SHORTEST_CLASS:
        request /= 2.0
        row += 1
    return row


@leaf
def learn_runtime(past: RuntimeHistogram, run: float, request: float) -> None:
    """Remember that a job with this request (s) ran for `run` (s)."""
    at, row = _bin(run), request_class(request)
    middle = 0.5 * (EDGES[at] + EDGES[at + 1])
    for b in range(at + 1, BINS + 1):
        past.below[row, b] += 1.0
        past.below[CLASSES, b] += 1.0
        past.spent[row, b] += middle
        past.spent[CLASSES, b] += middle


@leaf
def _bin(time: float) -> int:
    """Return the half octave of a time (s)."""
    low, high = 0, BINS
    while high - low > 1:
        middle = (low + high) // 2
        if EDGES[middle] <= time:
            low = middle
        else:
            high = middle
    return low


@leaf
def _up_to(past: RuntimeHistogram, row: int, share: float, time: float) -> tuple[float, float]:
    """Return the weight of the run times of a class below a time, and their sum (s)."""
    b, below, spent = _bin(time), past.below, past.spent
    low, high = EDGES[b], EDGES[b + 1]
    time = min(time, high)
    inside = below[row, b + 1] - below[row, b]
    inside += share * (below[CLASSES, b + 1] - below[CLASSES, b])
    inside *= (time - low) / (high - low)
    weight = below[row, b] + share * below[CLASSES, b]
    total = spent[row, b] + share * spent[CLASSES, b]
    return weight + inside, total + inside * (0.5 * (low + time))


@leaf
def outlook(
    past: RuntimeHistogram, request: float, outlasted: float, within: float
) -> tuple[float, float]:
    """Return the forecast of a run time p that is over `outlasted`, at most `request` (s).

    Within a bin all run times are as likely; beyond the request they are the request. Where no
    completed job ran for that long, p is the request.

    Parameters
    ----------
    past : RuntimeHistogram
        Run times of completed jobs.
    within : float
        A time (s), infinite for the mean of p.

    Returns
    -------
    chance : float
        Of p <= within.
    mean : float
        Of min(p, within) (s).
    """
    row = request_class(request)
    most = min(request, within)
    everybody = past.below[CLASSES, BINS]
    share = _ALL_JOBS / everybody if everybody > 0.0 else 0.0
    over, before = _up_to(past, row, share, outlasted)
    above = past.below[row, BINS] + share * everybody - over
    if above <= 0.0:
        return (1.0 if within >= request else 0.0), most
    short, total = _up_to(past, row, share, max(most, outlasted))
    short -= over
    mean = (total - before + (above - short) * most) / above
    # where `above` is next to nothing, all digits are lost
    mean = min(max(mean, min(outlasted, most)), most)
    return (1.0 if within >= request else short / above), mean
