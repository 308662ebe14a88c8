"""Jobs that the tests of the output formats write."""

from __future__ import annotations

from swfx import Header, UtilityFunction, UtilityTable, Workload

HEADER = Header((" MaxProcs: 8", " Note: ünïcode"))


def awkward_jobs() -> Workload:
    """A curve, no run time, a number twice, requests that differ from what the job got."""
    return Workload.from_columns(
        job_id=[1, 1, 3],
        submit=[0, 5, 6.25],
        run=[10, 0, 1.5],
        wait=[3, -1, 0],
        processors=[4, -1, 2],
        requested_processors=[4, 8, 4],
        requested_time=[20, -1, 0],
        status=[1, 0, 5],
        user=[1, 2, -1],
        utility=UtilityTable.from_functions([UtilityFunction([0, 60.5], [9, 0]), None, None]),
        checkpoint_interval=[900, -1, -1],
        header=HEADER,
    )
