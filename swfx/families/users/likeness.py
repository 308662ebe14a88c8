"""Jobs put side by side with those that are like them."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Ints
from swfx.workload import Workload


def alike(workload: Workload) -> Ints:
    """Order that puts like jobs side by side: by size class, run time and submit time.

    A size class is a power of two, and every size belongs to the nearest in proportion.

    Returns
    -------
    ndarray of int64, shape (n,)
        Positions of jobs.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 0, 0, 0], run=[9, 5, 7, 6], processors=[4, 1, 3, 1])
    >>> alike(log).tolist()
    [1, 3, 2, 0]
    """
    size_class = np.rint(np.log2(np.maximum(workload.size, 1)))
    return np.lexsort((workload.submit, workload.run, size_class))
