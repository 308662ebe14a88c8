"""Processors of each job over time."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from swfx.base.ranges import bounds_in
from utilitysched.engine.allocation import allocations
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import spans
from utilitysched.model.state import Floats, Integers


class Rectangles(NamedTuple):
    """A rectangle per span of a job and range of neighbouring processors, in the order of `spans`.

    Attributes
    ----------
    job : (r,) int64
        Position in the workload.
    start, end : (r,) float64
        Seconds on the log's clock.
    low, high : (r,) int64
        Processors low to high - 1, numbered from 0.
    span : (r,) int64
        Position in `spans`.
    """

    job: Integers
    start: Floats
    end: Floats
    low: Integers
    high: Integers
    span: Integers

    def take(self, which: NDArray[np.generic]) -> "Rectangles":
        """Return those at the positions or under the mask."""
        return Rectangles(*(column[which] for column in self))


def rectangles(
    workload: Workload, schedule: Schedule, texts: Sequence[str] | None = None
) -> Rectangles:
    """Rectangles of all spans that took time.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    texts : sequence of str, optional
        Processors of each span as in jobs.csv or segments.csv, for instance ``0-7 9``; without them
        processors are handed out by `utilitysched.allocations`.
    """
    job, start, end = spans(schedule)
    held = allocations(workload, schedule) if texts is None else texts
    ranges = np.array([text.count(" ") + 1 if text else 0 for text in held], np.int64)
    low, high = bounds_in(" ".join(held))
    of = np.repeat(np.arange(len(job)), ranges)
    corners = Rectangles(job[of], start[of], end[of], low, high, of)
    return corners.take(corners.end > corners.start)


def largest(rectangles: Rectangles, count: int) -> Rectangles:
    """Return the `count` rectangles of the most processor-seconds, in their own order.

    The others are seen in `occupancy`.
    """
    area = (rectangles.end - rectangles.start) * (rectangles.high - rectangles.low)
    chosen = np.argsort(-area, kind="stable")[:count]
    return rectangles.take(np.sort(chosen))


def occupancy(
    rectangles: Rectangles,
    machine_size: int,
    shape: tuple[int, int],
    window: tuple[float, float] | None = None,
) -> Floats:
    """Which share of each cell of a picture the rectangles fill: one array, however many jobs.

    Parameters
    ----------
    rectangles : Rectangles
        That do not overlap.
    machine_size : int
        Processors of the machine, over which the rows are spread.
    shape : (int, int)
        Rows and columns of the picture.
    window : (float, float), optional
        First and last second of the picture; without it, of the rectangles.

    Returns
    -------
    (rows, columns) float64
        0 to 1; the first row is of the lowest processors.

    Examples
    --------
    >>> jobs = Rectangles(*(np.array([n]) for n in (0, 0.0, 3.0, 0, 1, 0)))
    >>> occupancy(jobs, 2, (2, 2), (0, 4)).tolist()
    [[1.0, 0.5], [0.0, 0.0]]
    """
    rows, columns = shape
    if len(rectangles.job) == 0:
        return np.zeros(shape)
    begin, end = window or (float(rectangles.start.min()), float(rectangles.end.max()))
    x = (np.stack([rectangles.start, rectangles.end]) - begin) * (columns / (end - begin))
    y = np.stack([rectangles.low, rectangles.high]).astype(np.float64) * (rows / machine_size)
    filled = np.zeros((rows + 2) * (columns + 2))
    for column, across in _corners(x, columns):
        for row, up in _corners(y, rows):
            cell = row * (columns + 2) + column
            filled += np.bincount(cell, weights=across * up, minlength=len(filled))
    picture = filled.reshape(rows + 2, columns + 2).cumsum(axis=0).cumsum(axis=1)
    share: Floats = np.clip(picture[:rows, :columns], 0.0, 1.0)
    return np.where(share < ROUNDING, 0.0, share)


ROUNDING = 1e-9
"""A smaller share of a cell is what is left of sums and differences of millions."""


def _corners(edges: Floats, cells: int) -> list[tuple[Integers, Floats]]:
    """Spread the two ends of intervals over the differences between neighbouring cells.

    An interval that begins at 2.25 fills three quarters of cell 2 and all of cell 3: a step of
    0.75 at cell 2 and one of 0.25 at cell 3; one that ends there takes both back.
    """
    corners = []
    for edge, sign in zip(np.clip(edges, 0, cells), (1.0, -1.0), strict=True):
        cell = edge.astype(np.int64)
        part = edge - cell
        corners += [(cell, sign * (1 - part)), (cell + 1, sign * part)]
    return corners
