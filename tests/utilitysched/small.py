"""The small workload that tests of the command line, run directories and tables share."""

from __future__ import annotations

import numpy as np

import swfx
from swfx import Workload
from swfx.job_names import FIRST_INVENTED, job_lines

JOBS = 60


def plain_workload() -> Workload:
    """Jobs that queue up: every fourth is wide, requests are twice the run times."""
    number = range(JOBS)
    run = [60 * (1 + i * 7 % 11) for i in number]
    size = [6 if i % 4 == 0 else 1 + i % 3 for i in number]
    return Workload.from_columns(
        submit=[30 * i for i in number],
        run=run,
        wait=[10 * (i % 5) for i in number],
        processors=size,
        requested_processors=size,
        requested_time=[2 * seconds for seconds in run],
        user=[1 + i % 5 for i in number],
        group=[1 + i % 2 for i in number],
        queue=[1 + i % 3 for i in number],
        status=[1] * JOBS,
        header=swfx.Header((" MaxProcs: 8", " UnixStartTime: 954547200")),
    )


def named_workload() -> Workload:
    """The same jobs as tasks of arrays, three each, and as two runs of a requeued job."""
    jobs = plain_workload()
    number = FIRST_INVENTED + np.arange(JOBS)
    names = {place: f"{100 + place // 3}_{place % 3}" for place in range(JOBS - 2)}
    names |= {JOBS - 2 + k: f"49, run {k + 1} of 2" for k in range(2)}
    header = swfx.Header((*jobs.header.lines, *job_lines(number, names)))
    return jobs.replace(job_id=number, header=header)
