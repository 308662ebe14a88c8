"""Dependencies of jobs, and consents to a requeue, by the commands that submitted them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from swfx.accounting.quantities import MEMOISED
from swfx.base.columns import Floats, Ints
from swfx.fields import MISSING

__all__ = ["Awaited", "Predecessors", "allows_requeue", "jobs_waited_for"]

_CONDITION = re.compile(
    r"""(?:^|\s)(?:--dependency(?:=|\s+)|-d\s*=?)["']?(?P<condition>[^\s"']+)"""
)
_AFTER = re.compile(r"after(?P<kind>any|ok|notok|corr):(?P<jobs>[\d_:]+)")
_REQUEUE = re.compile(r"(?:^|\s)--(?P<no>no-)?requeue(?=\s|$)")
_NAME = re.compile(r"(?P<number>\d{1,15})(?:_(?P<task>\d{1,15}))?")


class Awaited(NamedTuple):
    """A job that is waited for, and whether each task of an array waits for its namesake there."""

    job: str
    by_task: bool


@lru_cache(maxsize=MEMOISED)
def jobs_waited_for(submit_line: str) -> tuple[Awaited, ...]:
    """Return the numbers of the jobs whose end a job waited for, as they are written.

    Conditions that do not wait for the end of a job (`after`, `singleton`) do not count.

    Examples
    --------
    >>> awaited = jobs_waited_for("sbatch --dependency=afterok:123:124,aftercorr:7 job.sh")
    >>> [job for job, _ in awaited], awaited[2].by_task
    (['123', '124', '7'], True)
    """
    conditions = (match["condition"] for match in _CONDITION.finditer(submit_line))
    lists = (match for condition in conditions for match in _AFTER.finditer(condition))
    return tuple(
        Awaited(job, match["kind"] == "corr")
        for match in lists
        for job in match["jobs"].split(":")
        if job
    )


def allows_requeue(submit_line: str) -> int:
    """Return 1 for ``--requeue``, 0 for ``--no-requeue``, the last of both; -1 without either.

    Examples
    --------
    >>> allows_requeue("sbatch --requeue job.sh"), allows_requeue("sbatch --no-requeue job.sh")
    (1, 0)
    """
    options = _REQUEUE.findall(submit_line) if "requeue" in submit_line else []
    return int(not options[-1]) if options else MISSING


class Predecessors:
    """Jobs of a workload by cluster and number, as dependencies name jobs.

    Parameters
    ----------
    keys : sequence of ndarray of int64, shape (n,)
        Cluster, number, task and part of each job, in the order of the log.
    submit, ended : ndarray of float64, shape (n,)
        Unix times (s).
    """

    def __init__(self, keys: Sequence[Ints], submit: Floats, ended: Floats) -> None:
        self._cluster, self._number, self._task, self._part = keys
        self._submit, self._ended = submit, ended
        self._order = np.lexsort((self._number, self._cluster))
        self._clusters, self._numbers = self._cluster[self._order], self._number[self._order]

    def waited_for(self, position: int, awaited: Iterable[Awaited]) -> int | None:
        """Return the position of the job that ended last of those that a job waited for.

        The number of an array stands for all its tasks, by `aftercorr` for the task of the same
        number where there is one. Only jobs submitted earlier count; of several that ended last the
        first in the log.
        """
        named = np.concatenate([self._named(position, each) for each in awaited])
        earlier = named[(self._submit[named] <= self._submit[position]) & (named != position)]
        if not len(earlier):
            return None
        ended = self._ended[earlier]
        return int(earlier[ended == ended.max()].min())

    def _named(self, position: int, awaited: Awaited) -> Ints:
        """Return the positions of the jobs of the same cluster by a number or number_task."""
        name = _NAME.fullmatch(awaited.job)
        if name is None:
            return np.empty(0, np.int64)
        cluster, number = self._cluster[position], int(name["number"])
        low, high = np.searchsorted(self._clusters, [cluster, cluster + 1])
        first, last = low + np.searchsorted(self._numbers[low:high], [number, number + 1])
        positions: Ints = self._order[first:last]
        task = int(name["task"] or (self._task[position] if awaited.by_task else MISSING))
        if task < 0:
            return positions
        of_task = positions[(self._task[positions] == task) & (self._part[positions] < 0)]
        return positions if name["task"] is None and not len(of_task) else of_task
