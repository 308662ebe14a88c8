"""Thinned step functions: fewer points for the same picture."""

import numpy as np

from utilitysched.analysis.series.steps import StepFunction
from utilitysched.model.state import Floats, Integers

COLUMNS = 2000
"""Columns of pixels of a wide picture."""


def thinned(steps: StepFunction, columns: int = COLUMNS) -> StepFunction:
    """Keep what columns of pixels can show: the first, least, largest and last value of each.

    A line drawn in steps through what is kept covers the same pixels in every column as one
    through all points: it enters and leaves with the same value and reaches as high and as low.

    Parameters
    ----------
    steps : StepFunction
        Any number of points.
    columns : int, default 2000
        Columns that the whole time is drawn on.

    Returns
    -------
    StepFunction
        At most four points per column, all of them among those given.

    References
    ----------
    Jugel, Jerzak, Hackenbroich, Markl 2014: M4, a visualization-oriented time series data
    aggregation. PVLDB 7(10).
    """
    if len(steps) <= 4 * columns:
        return steps
    column = _columns(steps.time, columns)
    by_value = np.lexsort((steps.value, column))
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], len(column)) - 1
    kept = np.unique(np.concatenate([starts, ends, by_value[starts], by_value[ends]]))
    return StepFunction(steps.time[kept], steps.value[kept])


def _columns(time: Floats, columns: int) -> Integers:
    place: Floats = (time - time[0]) * (columns / (time[-1] - time[0]))
    column: Integers = np.minimum(place.astype(np.int64), columns - 1)
    return column
