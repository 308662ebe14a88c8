"""Workloads and schedules that the tests of metrics share."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched import Schedule

PROCESSORS = 8


def schedule_of(
    workload: Workload, wait: list[float], backfilled: list[bool] | None = None
) -> Schedule:
    """Schedule in which job i starts wait[i] seconds after its submission."""
    start = workload.submit + np.array(wait, dtype=np.float64)
    return Schedule(
        start=start,
        end=start + workload.effective_run,
        backfilled=np.array(backfilled or [False] * len(workload), dtype=np.bool_),
        machine_size=PROCESSORS,
        scheduler="by-hand",
        passes=len(workload),
    )


def four_jobs() -> Workload:
    """Four jobs of two users: 100 s, 1 s, none, and 400 s killed at its limit of 200 s.

    The first two lose all value over 400 s and 4 s; the third has a curve worth nothing, the last
    no curve.
    """
    return Workload.from_columns(
        utility=UtilityTable.from_functions(
            [
                UtilityFunction([0, 400], [8, 0]),
                UtilityFunction([0, 4], [6, 0]),
                UtilityFunction([0, 4], [0, 0]),
                None,
            ]
        ),
        submit=[0, 100, 100, 200],
        run=[100, 1, 0, 400],
        requested_time=[1000, 100, 10, 200],
        processors=[8, 2, 1, 4],
        user=[1, 1, 2, 2],
    )


def four_scheduled() -> Schedule:
    """Waits 0, 1, 2 and 300 s; the second job was backfilled."""
    return schedule_of(four_jobs(), [0, 1, 2, 300], [False, True, False, False])


@st.composite
def scheduled(draw: st.DrawFn) -> tuple[Workload, Schedule]:
    """Up to 40 jobs with curves, at random and not necessarily feasible times."""
    jobs = draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    worth = rng.uniform(0, 100, jobs)
    workload = Workload.from_columns(
        utility=UtilityTable(
            np.arange(jobs + 1) * 2,
            np.tile([0.0, 5000.0], jobs),
            np.column_stack([worth, np.zeros(jobs)]).ravel(),
        ),
        submit=np.sort(rng.integers(0, 3_000_000, jobs)),
        run=rng.integers(0, 3000, jobs),
        requested_time=rng.integers(1, 6000, jobs),
        processors=rng.integers(1, PROCESSORS + 1, jobs),
        user=rng.integers(-1, 4, jobs),
    )
    return workload, schedule_of(workload, rng.integers(0, 5000, jobs).tolist())
