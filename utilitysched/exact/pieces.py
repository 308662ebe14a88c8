"""A job's value by delay, as straight pieces of whole numbers."""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.fitness import Worth
from utilitysched.model.state import Floats

_NEARLY = 1e-6
"""Points this close (ticks) to a whole tick get a piece of their own, whatever was rounded."""


ROUNDED = 2
"""Units that a value is above what it stands for, at most."""


class Piece(NamedTuple):
    """Value over delays first..last (ticks, both included): straight from `begin` to `finish`.

    Values are whole multiples of a small unit, such that the whole number below the straight line
    is at no tick below the value that is meant.
    """

    first: int
    last: int
    begin: int
    finish: int


class Grid(NamedTuple):
    """What is counted in whole numbers.

    Attributes
    ----------
    now : float
        The moment from which delays count (s).
    ticks : float
        To a second.
    horizon : int
        Longest delay (ticks).
    unit : float
        Of values (SU).
    """

    now: float
    ticks: float
    horizon: int
    unit: float


def pieces(worth: Worth, job: int, grid: Grid) -> list[Piece]:
    """Return the value of a queued job that starts a delay after now, as long as it has any.

    Parameters
    ----------
    worth : Worth
        What the queued jobs are worth.
    job : int
        Place in the queue.
    grid : Grid
        What delays and values are counted in.
    """
    points = slice(worth.first[job], worth.last[job])
    times, values = worth.times[points], worth.values[points]
    if not len(times):
        return [Piece(0, 0, 0, 0)]
    ages = grid.now - worth.submit[job] + worth.duration[job]
    breaks = (times[:, np.newaxis] - ages).ravel() * grid.ticks
    starts = _starts(breaks, grid.horizon)
    lasts = [*(start - 1 for start in starts[1:]), grid.horizon]
    parts: list[Piece] = []
    for first, last in zip(starts, lasts, strict=True):
        delay = np.array([first, last]) / grid.ticks
        piece = Piece(first, last, *_units(_value(delay, ages, times, values), grid.unit))
        if parts and parts[-1].begin == parts[-1].finish == piece.begin == piece.finish:
            piece = piece._replace(first=parts.pop().first)
        parts.append(piece)
    if len(parts) > 1 and parts[-1].begin == parts[-1].finish == 0:
        parts.pop()
    return parts


def _starts(breaks: Floats, horizon: int) -> list[int]:
    """Return the first tick of every piece between breaks (ticks)."""
    starts = {0}
    for point in breaks.tolist():
        nearest = round(point)
        if abs(point - nearest) <= _NEARLY:
            starts |= {nearest, nearest + 1}
        else:
            starts.add(math.floor(point) + 1)
    return sorted(start for start in starts if 0 <= start <= horizon)


def _value(delay: Floats, ages: Floats, times: Floats, values: Floats) -> Floats:
    """Return the mean value over the samples at each delay (s), in SU."""
    age = delay[:, np.newaxis] + ages
    worth = np.where(age > times[-1], 0.0, np.interp(age, times, values))
    worths: Floats = worth.mean(axis=1)
    return worths


def _units(values: Floats, unit: float) -> tuple[int, int]:
    """Return two values in units: one is for their rounding, one for that of the line between."""
    begin, finish = (math.floor(value / unit) for value in values.tolist())
    return (begin + ROUNDED, finish + ROUNDED) if values[0] > 0 else (0, 0)
