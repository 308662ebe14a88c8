"""Decay of the value of a job: points of linear, exponential and step curves (LEE 2.6.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.utility_table import UtilityTable


@dataclass(frozen=True)
class DecayDraws:
    """What is drawn for n jobs, all of it for every job, whichever type of decay it gets.

    Parameters
    ----------
    kind : ndarray of int, shape (n,)
        Position in `DECAYS`.
    start, deadline : ndarray, shape (n,)
        Value at submission (SU) and time when all value is gone (s).
    times : ndarray, shape (n, k)
        Unique times between 0 and the deadline (s), ascending.
    values : ndarray, shape (n, k)
        Uniform on [0, 1).
    step_time, step_level : ndarray, shape (n,)
        Uniform on [0, 1).
    """

    kind: Ints
    start: Floats
    deadline: Floats
    times: Floats
    values: Floats
    step_time: Floats
    step_level: Floats

    def of_kind(self, kind: int) -> DecayDraws:
        """Draws of the jobs with this type of decay."""
        rows = self.kind == kind
        return DecayDraws(**{name: column[rows] for name, column in vars(self).items()})


def linear(draws: DecayDraws, epsilon: float) -> tuple[Floats, Floats]:  # noqa: ARG001  no jumps
    """Draw values uniform in [0, start], sorted downwards."""
    return _smooth(draws, np.sort(draws.values, axis=1)[:, ::-1])


def exponential(draws: DecayDraws, epsilon: float) -> tuple[Floats, Floats]:  # noqa: ARG001  no jumps
    """Draw values one after another, each uniform between 0 and the last."""
    shares = np.cumprod(draws.values, axis=1, dtype=np.float64)
    return _smooth(draws, shares)


def step(draws: DecayDraws, epsilon: float) -> tuple[Floats, Floats]:
    """Hold the start value, jump to a lower level, jump to zero at the deadline.

    A jump takes `epsilon` s, or more where float64 cannot tell times that close at the deadline.
    The first jump keeps that width from 0 and from the second jump.
    """
    deadline = draws.deadline
    width = np.maximum(epsilon, 4 * np.spacing(deadline))
    drop = np.clip(draws.step_time * deadline, width, deadline - 3 * width)
    level = draws.step_level * draws.start
    zero = np.zeros_like(deadline)
    times = np.stack([zero, drop, drop + width, deadline - width, deadline], axis=1)
    values = np.stack([draws.start, draws.start, level, level, zero], axis=1)
    return times, values


DECAYS: dict[str, Callable[[DecayDraws, float], tuple[Floats, Floats]]] = {
    "linear": linear,
    "exponential": exponential,
    "step": step,
}
"""Types of decay in the order of `DecayDraws.kind`: points (s, SU), each of shape (n, points)."""

STEP_POINTS = 5


def curve_table(draws: DecayDraws, epsilon: float) -> UtilityTable:
    """Make the utility functions of all jobs; jumps take `epsilon` s."""
    is_step = draws.kind == list(DECAYS).index("step")
    counts = np.where(is_step, STEP_POINTS, draws.times.shape[1] + 2)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    times = np.empty(offsets[-1])
    values = np.empty(offsets[-1])
    for kind, decay in enumerate(DECAYS.values()):
        curve_times, curve_values = decay(draws.of_kind(kind), epsilon)
        first = offsets[:-1][draws.kind == kind]
        places = first[:, None] + np.arange(curve_times.shape[1])
        times[places] = curve_times
        values[places] = curve_values
    return UtilityTable(offsets, times, values)


def _smooth(draws: DecayDraws, shares: Floats) -> tuple[Floats, Floats]:
    """Points from (0, start) through shares of the start value to (deadline, 0)."""
    edge = np.zeros((draws.start.size, 1))
    times = np.hstack([edge, draws.times, draws.deadline[:, None]])
    values = np.hstack([edge + 1, shares, edge]) * draws.start[:, None]
    return times, values
