"""Jobs that a submitted job waited for, and its consent to a requeue, by its command."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from swfx.accounting.quantities import MEMOISED
from swfx.fields import MISSING

__all__ = ["Awaited", "allows_requeue", "jobs_waited_for"]

_CONDITION = re.compile(
    r"""(?:^|\s)(?:--dependency(?:=|\s+)|-d\s*=?)["']?(?P<condition>[^\s"']+)"""
)
_AFTER = re.compile(r"after(?P<kind>any|ok|notok|corr):(?P<jobs>[\d_:]+)")
_REQUEUE = re.compile(r"(?:^|\s)--(?P<no>no-)?requeue(?=\s|$)")


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
    >>> found = jobs_waited_for("sbatch --dependency=afterok:123:124,aftercorr:7 job.sh")
    >>> [job for job, _ in found], found[2].by_task
    (['123', '124', '7'], True)
    """
    found = (match["condition"] for match in _CONDITION.finditer(submit_line))
    lists = (match for condition in found for match in _AFTER.finditer(condition))
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
    found = _REQUEUE.findall(submit_line) if "requeue" in submit_line else []
    return int(not found[-1]) if found else MISSING
