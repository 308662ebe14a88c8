"""Names of jobs on invoices: as Slurm prints them, runs of a requeued job told apart."""

from __future__ import annotations

import re

from swfx import Workload

_RUN = re.compile(r", run ([0-9]+) of [0-9]+$")
_PART = re.compile(r"\+[0-9]+$")


def job_names(workload: Workload) -> list[str]:
    """Return the name of every job as on invoices.

    ``103_1`` is a task of an array, ``104+0`` a part of a heterogeneous job, ``102 (run 2)`` the
    second run of a job that was requeued.

    Examples
    --------
    >>> from swfx import Header
    >>> header = Header((' Job: 8 "102, run 1 of 2"', ' Job: 9 "102, run 2 of 2"'))
    >>> job_names(Workload.from_columns(job_id=[7, 8, 9], run=[1, 1, 1], header=header))
    ['7', '102 (run 1)', '102 (run 2)']
    """
    return [_RUN.sub(r" (run \1)", name) for name in workload.job_names.of_jobs()]


def whole_job(name: str) -> str:
    """Return the name of the job that a run or a part belongs to.

    >>> whole_job("104+1, run 2 of 2"), whole_job("103_1")
    ('104', '103_1')
    """
    return _PART.sub("", _RUN.sub("", name))
