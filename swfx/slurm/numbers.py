"""SWF numbers of jobs."""

from __future__ import annotations

from swfx.slurm.job_ids import JobId

__all__ = ["number_jobs"]


def number_jobs(jobs: list[JobId], raw: list[str]) -> tuple[list[int], list[int]]:
    """Give each job a number of its own.

    A job keeps `JobIDRaw`, or `JobID` where that is a plain number. What has neither (a task of an
    array, a part of a heterogeneous job) or a number that another job has already gets one above
    all others.

    Parameters
    ----------
    jobs : list of JobId
        In the order of the log.
    raw : list of str
        `JobIDRaw` of each, empty where there is none.

    Returns
    -------
    tuple of list
        The numbers, and the positions of jobs that could not keep theirs.

    Examples
    --------
    >>> from swfx.slurm.job_ids import parse_job_id
    >>> number_jobs([parse_job_id(text) for text in ("7", "8_1", "7")], ["", "", ""])
    ([7, 8, 9], [1, 2])
    """
    wanted = [_wanted(job, text) for job, text in zip(jobs, raw, strict=True)]
    following = max(wanted, default=0) + 1
    numbers: list[int] = []
    taken: set[int] = set()
    changed: list[int] = []
    for position, number in enumerate(wanted):
        if number < 0 or number in taken:
            changed.append(position)
            number, following = following, following + 1  # noqa: PLW2901  the next free number
        taken.add(number)
        numbers.append(number)
    return numbers, changed


def _wanted(job: JobId, raw: str) -> int:
    if raw.isdecimal() and len(raw) <= 15:
        return int(raw)
    return job.base if job.plain else -1
