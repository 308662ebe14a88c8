"""Forecasts of run times from a histogram of those that have ended."""

import numpy as np
from numba import njit

from utilitysched.kernels.leaf import leaf
from utilitysched.model.restarts import BINS, CLASSES, SHORTEST_CLASS, RuntimeHistogram
from utilitysched.model.state import Floats

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


@njit(cache=True)
def learn_runtime(histogram: RuntimeHistogram, run: float, request: float) -> None:
    """Remember that a job with this request (s) ran for `run` (s)."""
    at = 0
    while at < BINS - 1 and run >= EDGES[at + 1]:
        at += 1
    counts, total, weight = histogram.counts, histogram.total, histogram.weight
    counts[request_class(request), at] += 1.0
    total[at] += 1.0
    share = _ALL_JOBS / total.sum()
    for row in range(CLASSES):
        for b in range(BINS):
            weight[row, b] = counts[row, b] + share * total[b]


@leaf
def outlook(weight: Floats, request: float, outlasted: float, within: float) -> tuple[float, float]:
    """Return the forecast of a run time p that is over `outlasted`, at most `request` (s).

    Within a bin all run times are as likely; beyond the request they are the request. Where no
    completed job ran for that long, p is the request.

    Parameters
    ----------
    weight : (12, 48) float64
        See `RuntimeHistogram`.
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
    above, short, total = 0.0, 0.0, 0.0
    for b in range(BINS):
        low, high, mass = EDGES[b], EDGES[b + 1], weight[row, b]
        if high <= outlasted or mass == 0.0:
            continue
        if low < outlasted:
            mass *= (high - outlasted) / (high - low)
            low = outlasted
        above += mass
        if high <= most:
            short += mass
            total += mass * (0.5 * (low + high))
        elif low >= most:
            total += mass * most
        else:
            part = (most - low) / (high - low)
            short += mass * part
            total += mass * (part * (0.5 * (low + most)) + (1.0 - part) * most)
    if above == 0.0:
        return (1.0 if within >= request else 0.0), most
    return (1.0 if within >= request else short / above), total / above
