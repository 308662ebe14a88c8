"""A synthetic model of the pairs of a heatmap that nobody has measured.

The log speed of application a beside b is a mean, plus what a gains from room, less what b presses
on its neighbours. Gain and pressure of an application are those of its kernel (what its name has
before the first point) plus differences of its own. The fit is by least squares, with one equation
for each measured pair, and one for each gain, pressure and difference, which should be 0: on ARIS
they are 0.04 to 0.09 large, and pairs are 0.06 off the model.

A completion is one draw of gains and pressures from what the measured pairs leave open (Bayesian
linear regression); the same seed draws the same. By how much single pairs are off the model is not
drawn: that levels out over a load. Report results as a range over completions.

Its error on ARIS, by leaving out measured pairs, over 20 completions (test_completion.py):

- pairs of programs of 1,024 processes with smaller ones (230), as those of 2,025 and 2,048
  processes are missing: RMSE of the speed 0.070 to 0.088 (a constant: 0.184; the mean known speed
  of each program: 0.129), correlation 0.88 to 0.93, 15 to 23% slowed pairs where 21% are;
- all but those with bt.D.256 (754), which alone the thesis prints: RMSE 0.108 to 0.142 (a constant:
  0.189), correlation 0.74 to 0.83, 10 to 42% slowed pairs where 22% are; 0.084 is the error of the
  fit, the rest is drawn.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

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
    log_speed = _drawn(heatmap, stream(seed, "heatmap completion"))
    speed = np.where(missing, np.minimum(np.exp(log_speed), FASTEST), heatmap.speed)
    return replace(heatmap, speed=speed, synthetic=heatmap.synthetic | missing)


def _drawn(heatmap: Heatmap, draws: np.random.Generator) -> Floats:
    """Return a log speed for each pair by gains and pressures that the measured ones allow."""
    # an application is itself and a member of its kernel
    kernels = np.array([name.partition(".")[0] for name in heatmap.names])
    parts = np.hstack((np.eye(len(kernels)), kernels[:, None] == np.unique(kernels)))
    # one equation a measured pair: mean + gain - pressure = log speed; one a part: it is 0
    one, other = np.nonzero(~np.isnan(heatmap.speed))
    pairs = np.hstack((np.ones((len(one), 1)), parts[one], -parts[other]))
    nothing = np.eye(pairs.shape[1])[1:]
    equations = np.vstack((pairs, nothing))
    values = np.concatenate((np.log(heatmap.speed[one, other]), np.zeros(len(nothing))))
    # most likely spread of what is left, as large in all equations
    left = values - equations @ _least_squares(equations, values)
    spread = np.sqrt(np.square(left).sum() / max(len(one), 1))
    mean, gain, pressure = np.split(
        _least_squares(equations, values + draws.normal(0.0, spread, len(values))),
        (1, 1 + parts.shape[1]),
    )
    log_speed: Floats = mean + (parts @ gain)[:, None] - parts @ pressure
    return log_speed


def _least_squares(equations: Floats, values: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(equations, values, rcond=None)[0], np.float64)
