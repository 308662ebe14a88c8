"""Correlations of figures."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def correlations(columns: Sequence[Floats]) -> dict[str, Floats]:
    """Return the coefficients of Pearson, Kendall and Spearman of each two columns.

    Parameters
    ----------
    columns : sequence of (n,) float64
        m figures of the same n cases.

    Returns
    -------
    mapping of str to (m, m) float64
        By name; not a number where a figure is always the same.
    """
    from scipy.stats import kendalltau, pearsonr, spearmanr  # noqa: PLC0415  slow to import

    kinds = {"Pearson": pearsonr, "Kendall": kendalltau, "Spearman": spearmanr}
    found = {name: np.full((len(columns), len(columns)), np.nan) for name in kinds}
    varied = [k for k, column in enumerate(columns) if len(column) > 1 and np.ptp(column) > 0]
    for name, coefficient in kinds.items():
        for a in varied:
            for b in varied:
                found[name][a, b] = coefficient(columns[a], columns[b]).statistic
    return found
