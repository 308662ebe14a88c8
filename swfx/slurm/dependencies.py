"""Jobs that a job waited for, from the command that submitted it."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Awaited", "jobs_waited_for"]

_OPTION = re.compile(r"""(?:^|\s)(?:--dependency(?:=|\s+)|-d\s*=?)["']?(?P<condition>[^\s"']+)""")
_AFTER = re.compile(r"after(?P<kind>any|ok|notok|corr):(?P<jobs>[\d_:]+)")


class Awaited(NamedTuple):
    """A job that is waited for, and whether each task of an array waits for its namesake there."""

    job: str
    by_task: bool


def jobs_waited_for(submit_line: str) -> tuple[Awaited, ...]:
    """Numbers of the jobs whose end is waited for, as they are written.

    Conditions that do not wait for the end of a job (`after`, `singleton`) do not count.

    Examples
    --------
    >>> found = jobs_waited_for("sbatch --dependency=afterok:123:124,aftercorr:7 job.sh")
    >>> [job for job, _ in found], found[2].by_task
    (['123', '124', '7'], True)
    """
    found = (match["condition"] for match in _OPTION.finditer(submit_line))
    lists = (match for condition in found for match in _AFTER.finditer(condition))
    return tuple(
        Awaited(job, match["kind"] == "corr")
        for match in lists
        for job in match["jobs"].split(":")
        if job
    )
