"""Priority classes of jobs, from their queues."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.workload import Workload

__all__ = ["NORMAL", "priority_classes"]

NORMAL = 3
"""Class of every queue that is none of SDSC-Blue's first six."""

_OWN_CLASS = range(6)  # interactive, express, high, normal, low, standby


def priority_classes(workload: Workload, classes: Mapping[int, int] | None = None) -> Ints:
    """Priority class of every job, 0 the most urgent.

    Queues 0 to 5 are classes of their own (0 interactive, 1 express, 2 high, 3 normal, 4 low,
    5 standby: SDSC-Blue's), every other queue counts as normal; `classes` overrides single queues.

    Parameters
    ----------
    workload : Workload
        n jobs.
    classes : mapping of int to int, optional
        Queue number to class (>= 0).

    Returns
    -------
    ndarray of int64, shape (n,)
        Class of each job.

    Raises
    ------
    InputError
        If a class is negative or not a whole number.

    Examples
    --------
    >>> w = Workload.from_columns(submit=[0, 1, 2], queue=[1, 22, -1])
    >>> priority_classes(w, {22: 5}).tolist()
    [1, 5, 3]
    """
    table = {queue: queue for queue in _OWN_CLASS} | dict(classes or {})
    for queue, rank in table.items():
        if rank < 0 or rank != int(rank):
            raise InputError(
                f"queue {queue} has class {rank}", field="classes", remedy="classes count from 0"
            )
    ranks: Ints = np.full(len(workload), NORMAL, np.int64)
    for queue, rank in table.items():
        ranks[workload.queue == queue] = rank
    return ranks
