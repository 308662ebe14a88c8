"""SWF numbers of jobs: each has its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.report import Rule

__all__ = ["number_of", "numbered", "own_numbers"]

RENUMBERED = Rule(
    "renumbered", "noted", "the job has another number: its own is taken, or no plain number"
)


def number_of(text: str) -> int:
    """Give the job number that a text is; -1 if it is none.

    Examples
    --------
    >>> number_of("17"), number_of("17.server"), number_of("")
    (17, -1, -1)
    """
    return int(text) if text.isdecimal() and len(text) <= 15 else -1


def own_numbers(wanted: Iterable[int]) -> tuple[list[int], list[int]]:
    """Give each job a number of its own.

    The first job that wants a number has it; the others, and those that want none, get numbers
    above all of them.

    Parameters
    ----------
    wanted : iterable of int
        In the order of the log; negative for none.

    Returns
    -------
    tuple of list
        The numbers, and the positions of jobs that have another one than they wanted.

    Examples
    --------
    >>> own_numbers([7, -1, 3, 7])
    ([7, 8, 3, 9], [1, 3])
    """
    numbers = list(wanted)
    following = max((0, *numbers)) + 1
    taken: set[int] = set()
    changed: list[int] = []
    for position, number in enumerate(numbers):
        if number >= 0 and number not in taken:
            taken.add(number)
            continue
        changed.append(position)
        numbers[position] = following
        following += 1
    return numbers, changed


def numbered(jobs: Sequence[LogJob], listing: Listing) -> list[LogJob]:
    """Jobs with numbers of their own, as `own_numbers` gives them; those it changes are listed."""
    numbers, changed = own_numbers(job.job_id for job in jobs)
    for position in changed:
        listing.add(jobs[position].line, RENUMBERED)
    return [job._replace(job_id=n) for job, n in zip(jobs, numbers, strict=True)]
