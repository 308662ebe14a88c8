"""Job numbers as sacct writes them."""

from __future__ import annotations

import re
from typing import NamedTuple

from swfx.accounting.record_error import RecordError
from swfx.reading.report import Rule

__all__ = ["JOB_NUMBER", "JobId", "parse_job_id"]

NOT_A_JOB = Rule("not-a-job-id", "dropped", "the job number cannot be read", malformed=True)

JOB_NUMBER = re.compile(
    r"(?P<base>\d{1,15})(?:_(?:(?P<task>\d{1,15})|\[(?P<tasks>[^\]]*)\]?))?"
    r"(?:\+(?P<component>\d{1,15}))?(?:\.(?P<step>\S+))?"
)
"""What numbers of jobs and steps look like."""


class JobId(NamedTuple):
    """One of Slurm's job numbers, taken apart.

    Attributes
    ----------
    job : str
        All but the step: ``123``, ``123_4`` (task of an array) or ``123+1`` (part of a
        heterogeneous job).
    base : int
        The number in front.
    plain : bool
        Whether there is no more than that number.
    pending_tasks : bool
        Whether it stands for tasks of an array that have not started.
    step : str
        ``batch``, ``extern``, ``0``, ...; empty for the job itself.
    task, component : int
        Task of an array, part of a heterogeneous job; -1 for none.
    """

    job: str
    base: int
    plain: bool
    pending_tasks: bool
    step: str
    task: int = -1
    component: int = -1


def parse_job_id(text: str) -> JobId:
    """Take a job number apart.

    Raises
    ------
    RecordError
        It is none.

    Examples
    --------
    >>> job = parse_job_id("123_4.batch")
    >>> job.job, job.base, job.task, job.step
    ('123_4', 123, 4, 'batch')
    >>> parse_job_id("123_[5-9%2]").pending_tasks
    True
    """
    match = JOB_NUMBER.fullmatch(text.strip())
    if match is None:
        raise RecordError(NOT_A_JOB, text, "JobID")
    job = text.strip().partition(".")[0] if match["tasks"] is None else text.strip()
    plain = match["task"] is None and match["tasks"] is None and match["component"] is None
    return JobId(
        job,
        int(match["base"]),
        plain,
        match["tasks"] is not None,
        match["step"] or "",
        int(match["task"] or -1),
        int(match["component"] or -1),
    )
