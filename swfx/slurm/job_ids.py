"""Job numbers as sacct writes them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from swfx.accounting.names import repeated
from swfx.accounting.record_error import RecordError
from swfx.base.columns import Ints
from swfx.reading.report import Rule
from swfx.slurm.runs import KEY, JobRuns, Records

__all__ = ["JOB_NUMBER", "JobId", "job_names", "parse_job_id"]

NOT_A_JOB = Rule("not-a-job-id", "dropped", "the job number cannot be read", malformed=True)

JOB_NUMBER = re.compile(
    r"(?P<base>\d{1,14})(?:_(?:(?P<task>\d{1,14})|\[(?P<tasks>[^\]]*)\]?))?"
    r"(?:\+(?P<component>\d{1,14}))?(?:\.(?P<step>\S+))?"
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
    pending_tasks : bool
        Whether it stands for tasks of an array that have not started.
    step : str
        ``batch``, ``extern``, ``0``, ...; empty for the job itself.
    task, component : int
        Task of an array, part of a heterogeneous job; -1 for none.
    """

    job: str
    base: int
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
    base, task, tasks, part, step = match.groups()
    job = match[0].partition(".")[0] if tasks is None else match[0]
    return JobId(job, int(base), tasks is not None, step or "", int(task or -1), int(part or -1))


def job_names(records: Records, runs: JobRuns, wanted: Ints) -> dict[int, str]:
    """Return the names of the jobs without a plain number of their own, by position.

    Parameters
    ----------
    records : Records
        Records of jobs.
    runs : JobRuns
        Runs of the n jobs.
    wanted : ndarray of int64, shape (n,)
        Plain number of each job; -1 for none.
    """
    base, task, part = (records[name][runs.last] for name in KEY[1:])
    total = np.bincount(runs.origin)[runs.origin]
    places = np.flatnonzero((task >= 0) | (part >= 0) | (total > 1) | repeated(wanted))
    texts = base[places].astype(str).tolist()
    for mark, numbers in (("_", task[places]), ("+", part[places])):
        pairs = zip(texts, numbers.tolist(), strict=True)
        texts = [f"{text}{mark}{number}" if number >= 0 else text for text, number in pairs]
    names = dict(zip(places.tolist(), texts, strict=True))
    for place in np.flatnonzero(total > 1).tolist():
        names[place] += f", run {runs.earlier[place] + 1} of {total[place]}"
    return names
