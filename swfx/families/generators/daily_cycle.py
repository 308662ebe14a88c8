"""The daily cycle of arrivals: how fast weighted time runs at each half hour of the day."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Floats

SLOTS = 48
SLOT_SECONDS = 1800.0
FIRST_SLOT = 11
QUADRATURE_POINTS = 16


def slot_weights(shape: float, scale: float) -> Floats:
    """Weights of the 48 half hours of a day, from 00:00 on, with mean 1.

    Slot (i-1) mod 48 has the probability that Gamma(shape, scale) gives to [i-1/2, i+1/2],
    i = 11 .. 58, so the cycle begins at 05:00. The density is integrated by Gauss-Legendre
    quadrature in each slot.

    Parameters
    ----------
    shape, scale : float
        Parameters of the gamma distribution; scale in half hours.

    Returns
    -------
    ndarray, shape (48,)

    References
    ----------
    U. Lublin, D. G. Feitelson, "The workload on parallel supercomputers: modeling the
    characteristics of rigid jobs", JPDC 63(11), 2003, arrivals.

    Examples
    --------
    >>> round(float(slot_weights(6.1271, 5.2740)[0]), 6)
    0.546159
    """
    nodes, node_weights = np.polynomial.legendre.leggauss(QUADRATURE_POINTS)
    number = np.arange(FIRST_SLOT, FIRST_SLOT + SLOTS)
    x = number[:, None] + nodes[None, :] / 2
    log_density = (shape - 1) * np.log(x / scale) - x / scale - math.lgamma(shape)
    mass = np.exp(log_density - log_density.max()) @ node_weights
    weights = np.empty(SLOTS)
    weights[(number - 1) % SLOTS] = mass
    weights /= weights.mean()
    return weights


@dataclass(frozen=True)
class DailyCycle:
    """The clock that turns weighted time into real time.

    In a slot of weight w, one second of real time is w seconds of weighted time; both clocks
    start at 0 with the start hour. The integral of the weights is piecewise linear, so it is
    inverted exactly.

    Parameters
    ----------
    weights : ndarray, shape (48,)
        Weight of each half hour from 00:00 on, mean 1.
    start_hour : int
        Hour of the day at time 0.
    """

    weights: Floats
    start_hour: int = 0

    def real_time(self, weighted: Floats) -> Floats:
        """Real time in s at which the integral of the weights reaches `weighted` (s)."""
        from_start = np.roll(self.weights, -2 * self.start_hour)
        reached = np.concatenate([[0.0], np.cumsum(from_start * SLOT_SECONDS)])
        edges = np.arange(SLOTS + 1) * SLOT_SECONDS
        day, rest = np.divmod(weighted, reached[-1])
        real: Floats = day * edges[-1] + np.interp(rest, reached, edges)
        return real
