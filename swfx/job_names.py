"""Jobs as their users know them: names beside the numbers, in header lines and in commands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.base.options import listing
from swfx.header import Header, named
from swfx.labels import NUMBER, JobLabels, nearest_name

__all__ = ["FIRST_INVENTED", "JOB_KEY", "JobIds", "job_lines", "job_names"]

JOB_KEY = "Job"
"""Key of header lines that give the names of job numbers."""

FIRST_INVENTED = 10**14
"""Least number of a job that has none of its own.

No resource manager gives it out: numbers of Slurm, Grid Engine, LSF and HTCondor have 32 bits,
those of PBS at most 12 digits. Its 15 digits are as many as every spreadsheet keeps.
"""

_OF_SERVER = re.compile(r"([0-9]+(?:\[[0-9]*\])?)\.[A-Za-z].*")
"""A job of PBS, and its server."""

_RUN = re.compile(r" \(run ([0-9]+)\)$")
"""A run of a requeued job, as invoices name it."""

_SEVERAL = re.compile(r"([0-9]{1,15})\s+([^\s\"]*?)([0-9]{1,15})\s+([0-9]{1,7})")
"""A line that names as many jobs as it says."""

_BEFORE_PART = tuple("_+[-.,")
"""Characters between a job number and a task, a part or a run."""


_MOST_DIGITS = 15
"""Digits at the end of a name that can be counted up."""


class JobIds(JobLabels):
    """Job numbers, and the names of the jobs that users know by another name than the number.

    Such names are ``103_1`` (task of an array in Slurm), ``12+1`` (part of a heterogeneous job),
    ``17[3]`` (PBS, LSF), ``5.3`` (Grid Engine), ``12.0`` (HTCondor), ``49, run 2 of 2``.

    Parameters
    ----------
    names : mapping of int to str
        Names by job number.
    numbers : ndarray of int64, shape (n,)
        Job numbers.

    Examples
    --------
    >>> jobs = JobIds({7: "3_1", 8: "3_2"}, np.array([7, 8, 9]))
    >>> jobs.of_jobs(), jobs.number("3_2"), jobs.number("9"), jobs.title(7)
    (['3_1', '3_2', '9'], 8, 9, 'job 3_1')
    """

    def __init__(self, names: Mapping[int, str], numbers: Ints) -> None:
        super().__init__("job", names, numbers)

    @property
    def words(self) -> str:
        """Name of the kind in sentences."""
        return "job"

    def name(self, number: int) -> str:
        """Name of a job number, the digits of a number without one."""
        return super().name(number) if number in self.names else str(number)

    def named(self, numbers: Iterable[int]) -> list[str]:
        """Names of job numbers, empty for a number without one."""
        return [self.name(number) if number in self.names else "" for number in numbers]

    def number(self, text: str) -> int:
        """Return the number of a job from its name or its digits.

        Raises
        ------
        InputError
            No job is called so, or several are: tasks of an array, runs of a requeued job.
        """
        text = _RUN.sub(r", run \1 of ", text.strip().removesuffix("[]"))
        if of_server := _OF_SERVER.fullmatch(text):
            text = of_server[1].removesuffix("[]")
        called = np.isin(self.numbers, self._called(text))
        present: list[int] = [*dict.fromkeys(self.numbers[called].tolist())]
        if not present:
            raise InputError(f"no job has the number {text}", remedy=self._near(text))
        if len(present) > 1:
            names = listing([self.name(each) for each in present], len(present), "; ")
            raise InputError(f"job {text} is {len(present):,} jobs", remedy=f"name one of {names}")
        return present[0]

    def position(self, job: int | str) -> int:
        """Return the position of a job by number or name; the first of a number that comes twice.

        Raises
        ------
        InputError
            As by `number`.
        """
        return int(np.argmax(self.numbers == self.number(str(job))))

    def _called(self, text: str) -> list[int]:
        """Numbers that a text can stand for: its job, else the tasks, parts or runs of the job."""
        if text in self.by_name:
            return [self.by_name[text]]
        if text.endswith(" of "):
            return [number for name, number in self.by_name.items() if name.startswith(text)]
        own = [int(text)] if NUMBER.fullmatch(text) and int(text) in self.numbers else []
        if own and own[0] not in self.names:
            return own
        return [number for name, number in self.by_name.items() if _is_part(name, text)] or own

    def _near(self, text: str) -> str:
        if not self.names:
            numbers = self.numbers.tolist()
            return f"numbers go from {min(numbers, default=0)} to {max(numbers, default=0)}"
        known = self.of_jobs()
        base = re.split("[^0-9]", text)[0]  # other tasks of the array are the nearest
        tasks = [name for name in known if base and name.startswith(base)]
        return nearest_name(text, tasks or known)


def _is_part(name: str, job: str) -> bool:
    return name.startswith(job) and name[len(job) :].startswith(_BEFORE_PART)


def job_lines(numbers: Ints, names: Mapping[int, str]) -> Iterator[str]:
    """Yield header lines of the jobs that users know by another name than the number.

    A line names one job, or as many as it says: their numbers follow each other, and so do the
    numbers at the end of their names. An array of a thousand tasks is one line.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Unique numbers of the jobs.
    names : mapping of int to str
        Names by position; where several are equal, it is said which of them each one is.

    Examples
    --------
    >>> list(job_lines(np.array([7, 8, 9, 5]), {0: "7", 1: "3_1", 2: "3_2", 3: "6_1"}))
    [' Job: 8 3_1 2', ' Job: 5 6_1']
    >>> list(job_lines(np.array([7, 8]), {0: "7", 1: "7"}))
    [' Job: 7 "7, job 1 of 2"', ' Job: 8 "7, job 2 of 2"']
    """
    line, count, following = "", 0, (-1, "")
    for number, name in _renamed(numbers, names):
        if (number, name) == following:
            count += 1
        else:
            if line:
                yield f"{line} {count}" if count > 1 else line
            line, count = named(JOB_KEY, number, name), 1
            stem = name.rstrip("0123456789")
            digits = "" if line.endswith('"') else name[len(stem) :]
            first = int(digits) if 0 < len(digits) <= _MOST_DIGITS else None
        following = (-1, "") if first is None else (number + 1, f"{stem}{first + count}")
    if line:
        yield f"{line} {count}" if count > 1 else line


def _renamed(numbers: Ints, names: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers and unique names of the jobs whose name is not their number."""
    times, before = Counter(names.values()), Counter[str]()
    for place, name in names.items():
        number, unique = int(numbers[place]), name
        if times[name] > 1:
            before[name] += 1
            unique = f"{name}, job {before[name]} of {times[name]}"
        if unique != str(number):
            yield number, unique


def job_names(header: Header) -> dict[int, str]:
    """Names of jobs by number, that header lines such as ``; Job: 8 3_1 2`` give.

    >>> job_names(Header((" Job: 8 3_1 2",)))
    {8: '3_1', 9: '3_2'}
    """
    names = dict(header.names(JOB_KEY))
    for several in filter(None, map(_SEVERAL.fullmatch, header.all(JOB_KEY))):
        number, first, count = int(several[1]), int(several[3]), int(several[4])
        names |= {number + k: f"{several[2]}{first + k}" for k in range(1, count)}
    return names
