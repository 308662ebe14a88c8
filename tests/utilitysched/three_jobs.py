"""A schedule of three jobs whose pictures can be worked out by hand.

On 8 processors: job 1 (4 of them) runs from 0 to 10, job 2 (all) waits from 0 and runs from 10 to
30, job 3 (2) runs from 5, when it is submitted, to 10.
"""

from __future__ import annotations

import numpy as np

from swfx import Header, UtilityFunction, UtilityTable, Workload
from utilitysched import Schedule


def three_jobs() -> Workload:
    """Job 1 is worth 20 SU and loses 1 a second, job 2 8 and 0.2; job 3 has no curve."""
    return Workload.from_columns(
        header=Header((" MaxProcs: 8", " UnixStartTime: 954547200")),
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 20], [20, 0]), UtilityFunction([0, 40], [8, 0]), None]
        ),
        submit=[0, 0, 5],
        run=[10, 20, 5],
        requested_time=[10, 20, 5],
        processors=[4, 8, 2],
        user=[1, 2, 1],
        queue=[0, 1, 1],
    )


def three_scheduled() -> Schedule:
    return Schedule(
        start=np.array([0.0, 10.0, 5.0]),
        end=np.array([10.0, 30.0, 10.0]),
        backfilled=np.array([False, False, True]),
        machine_size=8,
        scheduler="by-hand",
        passes=3,
    )
