"""SWF numbers of jobs: each has its own."""

from __future__ import annotations

import re

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.base.columns import Ints
from swfx.fields import MISSING
from swfx.reading.report import Rule

__all__ = ["RENUMBERED", "job_number", "number_of", "numbered", "own_numbers", "with_numbers"]

RENUMBERED = Rule(
    "renumbered", "noted", "the job has another number: its own is taken, or no plain number"
)


_NAME = re.compile(r"(?:.*!)?([0-9]{1,15})", re.DOTALL)


def number_of(text: str) -> int:
    """Give the job number that a text is; -1 if it is none.

    Examples
    --------
    >>> number_of("17"), number_of("17.server"), number_of("")
    (17, -1, -1)
    """
    return int(text) if text.isdecimal() and len(text) <= 15 else -1


def job_number(name: str) -> int:
    """Read the number of a job that Batsim calls `17` or `workload!17`; -1 for another name.

    >>> job_number("w0!17"), job_number("first")
    (17, -1)
    """
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else MISSING


def own_numbers(wanted: Ints) -> tuple[Ints, Ints]:
    """Give each job a number of its own.

    The first job that wants a number has it; the others, and those that want none, get numbers
    above all of them.

    Parameters
    ----------
    wanted : ndarray of int64, shape (n,)
        In the order of the log; negative for none.

    Returns
    -------
    tuple of ndarray of int64
        The numbers, (n,), and the positions of jobs that have another one than they wanted.

    Examples
    --------
    >>> [found.tolist() for found in own_numbers(np.array([7, -1, 3, 7]))]
    [[7, 8, 3, 9], [1, 3]]
    """
    first = np.zeros(len(wanted), np.bool_)
    first[np.unique(wanted, return_index=True)[1]] = True
    changed = np.flatnonzero(~first | (wanted < 0))
    numbers = wanted.copy()
    numbers[changed] = max(0, int(wanted.max(initial=0))) + 1 + np.arange(len(changed))
    return numbers, changed


def numbered(jobs: JobColumns, listing: Listing) -> JobColumns:
    """Return jobs with unique numbers, by `own_numbers`; changed numbers are listed."""
    numbers, changed = own_numbers(jobs["job_id"])
    listing.add_all(jobs["line"][changed], RENUMBERED)
    jobs.put("job_id", numbers)
    return jobs


def with_numbers(jobs: JobColumns, listing: Listing) -> JobColumns:
    """Jobs of which each has a number, if any has one; those that get one are listed.

    Numbers that come again stay.
    """
    numbers = jobs["job_id"]
    none = np.flatnonzero(numbers < 0)
    if len(none) < len(numbers):
        listing.add_all(jobs["line"][none], RENUMBERED)
        numbers = numbers.copy()
        numbers[none] = numbers.max() + 1 + np.arange(len(none))
        jobs.put("job_id", numbers)
    return jobs
