"""Notes on the preceding jobs (SWF field 17) of a log that comes in parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.columns import Ints
from swfx.workload import Workload

__all__ = ["Links"]


class Links:
    """Jobs that name a preceding job.

    Examples
    --------
    >>> links = Links()
    >>> links.add(Workload.from_columns(job_id=[1, 2, 3], preceding_job=[2, 1, 9]))
    >>> list(links.notes(np.array([1, 2, 3])))[0]
    '1 job names a preceding job that is not in the log (field 17)'
    """

    def __init__(self) -> None:
        self._parts: list[Ints] = []

    def add(self, part: Workload) -> None:
        """Take in the next jobs."""
        named = part.preceding_job > 0
        if named.any():
            self._parts.append(np.stack([part.job_id[named], part.preceding_job[named]]))

    def notes(self, numbers: Ints) -> Iterator[str]:
        """Say how many preceding jobs are missing, and how many jobs wait for themselves.

        Parameters
        ----------
        numbers : ndarray of int64, shape (n,)
            Numbers of all jobs, ascending.
        """
        if not self._parts:
            return
        job, preceding = np.concatenate(self._parts, axis=1)
        at = np.minimum(np.searchsorted(numbers, preceding), len(numbers) - 1)
        if missing := int((numbers[at] != preceding).sum()):
            yield (
                f"{missing:,} {'jobs name' if missing > 1 else 'job names'} a preceding job that is"
                " not in the log (field 17)"
            )
        if cyclic := _in_cycles(job, preceding):
            who = "jobs wait for themselves" if cyclic > 1 else "job waits for itself"
            yield f"{cyclic:,} {who}, directly or through others (field 17)"


def _in_cycles(job: Ints, preceding: Ints) -> int:
    """Count the jobs on cycles: those where ways end that are as long as there are jobs.

    Of jobs with one number the first counts.
    """
    number, first = np.unique(job, return_index=True)
    wanted = preceding[first]
    at = np.minimum(np.searchsorted(number, wanted), len(number) - 1)
    nowhere = len(number)
    following = np.append(np.where(number[at] == wanted, at, nowhere), nowhere)
    for _ in range(nowhere.bit_length()):
        following = following[following]
    return len(np.unique(following[following != nowhere]))
