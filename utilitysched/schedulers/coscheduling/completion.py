"""A synthetic model of the pairs of a heatmap that nobody has measured.

The log speed of application a beside b is what a gains from being spread, less what b presses on
its neighbours: gain[a] - pressure[b], fitted by least squares to the pairs that are measured. An
application without any takes the mean of its kernel (what its name has before the first point) and
of the spread among those.

Two that both gain from room get in each other's way by more than that. How much is not to be seen
in pairs with one application alone, so it is drawn: kappa, uniform from 0 to 1. At 0 nothing is
added; at 1, an application beside a copy of itself is as fast as a measured one is beside its own:
the copy takes what its own other half took before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from swfx.families.generators.randomness import stream
from swfx.heatmap import FASTEST, Heatmap
from utilitysched.model.state import Floats


def completed(heatmap: Heatmap, seed: int) -> Heatmap:
    """Return a heatmap with every pair, those that were not measured drawn and marked as synthetic.

    Parameters
    ----------
    heatmap : Heatmap
        With measured pairs, which stay as they are.
    seed : int
        Of the draws, at least 0.
    """
    missing = np.isnan(heatmap.speed)
    draws = stream(seed, "heatmap completion")
    kappa = draws.random()
    gain, pressure = _characters(heatmap, draws)
    room = np.maximum(gain - pressure - _beside_itself(heatmap), 0.0)
    log_speed = gain[:, None] - pressure[None, :] - kappa * np.sqrt(np.outer(room, room))
    speed = np.where(missing, np.minimum(np.exp(log_speed), FASTEST), heatmap.speed)
    return replace(heatmap, speed=speed, synthetic=heatmap.synthetic | missing)


def _characters(heatmap: Heatmap, draws: np.random.Generator) -> tuple[Floats, Floats]:
    """Return what each application gains from room, and its pressure on neighbours (log)."""
    known = np.argwhere(~np.isnan(heatmap.speed))
    count = len(heatmap.names)
    # one equation a measured pair: gain[a] - pressure[b] = log speed
    equations = np.zeros((len(known), 2 * count))
    rows = np.arange(len(known))
    equations[rows, known[:, 0]] = 1.0
    equations[rows, count + known[:, 1]] = -1.0
    log_speed = np.log(heatmap.speed[known[:, 0], known[:, 1]])
    solution = np.asarray(np.linalg.lstsq(equations, log_speed, rcond=None)[0], np.float64)
    # applications that some measured pair has, on either side
    met = np.zeros(2 * count, np.bool_)
    met[known[:, 0]] = True
    met[count + known[:, 1]] = True
    kernels = np.array([name.partition(".")[0] for name in heatmap.names])
    halves = (solution[:count], met[:count]), (solution[count:], met[count:])
    gain, pressure = (_like_kernels(half, seen, kernels, draws) for half, seen in halves)
    return gain, pressure


def _like_kernels(
    values: Floats,
    met: NDArray[np.bool_],
    kernels: NDArray[np.str_],
    draws: np.random.Generator,
) -> Floats:
    """Return the values with those not met drawn around the mean of their kernel, else of all."""
    filled = values.copy()
    for i in np.flatnonzero(~met):
        family = met & (kernels == kernels[i])
        known = values[family if family.any() else met]
        if len(known):
            filled[i] = draws.normal(known.mean(), known.std())
    return filled


def _beside_itself(heatmap: Heatmap) -> float:
    """Return the median log speed of applications beside themselves, 0 where none is known."""
    own = np.diag(heatmap.speed)
    own = own[~np.isnan(own)]
    return float(np.median(np.log(own))) if len(own) else 0.0
