"""Curves of some jobs replaced by others."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["with_curves"]


def with_curves(
    workload: Workload, curves: UtilityTable, which: Ints, scale: Floats, text: str
) -> Workload:
    """Replace the utility functions of some jobs.

    Parameters
    ----------
    workload : Workload
        n jobs.
    curves : UtilityTable
        The curves to choose from.
    which : ndarray of int64, shape (n,)
        Position in `curves` of each job's, or -1 for one that keeps what it has.
    scale : ndarray of float64, shape (n,)
        Factor on the values of curves that are chosen.
    text : str
        Where they come from; becomes one more header line `UtilityModel`.

    Raises
    ------
    InputError
        A value beyond 2^53.
    """
    chosen = which >= 0
    rows = np.where(chosen, len(workload) + which, np.arange(len(workload)))
    table = UtilityTable.stacked([workload.utility, curves]).take(rows)
    values = table.values * np.repeat(np.where(chosen, scale, 1.0), table.points)
    lines = (*workload.header.all("UtilityModel"), text)
    return workload.replace(
        utility=UtilityTable(table.offsets, table.times, values),
        header=workload.header.with_values("UtilityModel", lines),
    )
