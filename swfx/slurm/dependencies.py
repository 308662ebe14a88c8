"""Which jobs a job waited for, from the command that submitted it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from swfx.slurm.record import Record

__all__ = ["Predecessors", "jobs_waited_for"]

_OPTION = re.compile(r"""(?:^|\s)(?:--dependency(?:=|\s+)|-d\s*=?)["']?(?P<condition>[^\s"']+)""")
_AFTER = re.compile(r"after(?:any|ok|notok|corr):(?P<jobs>[\d_:]+)")


def jobs_waited_for(submit_line: str) -> tuple[str, ...]:
    """Numbers of the jobs whose end is waited for, as they are written.

    Conditions that do not wait for the end of a job (`after`, `singleton`) do not count.

    Examples
    --------
    >>> jobs_waited_for("sbatch --dependency=afterok:123:124,afterany:7_2 job.sh")
    ('123', '124', '7_2')
    """
    found = (match["condition"] for match in _OPTION.finditer(submit_line))
    lists = (match["jobs"] for condition in found for match in _AFTER.finditer(condition))
    return tuple(job for jobs in lists for job in jobs.split(":") if job)


class Predecessors:
    """Finds the job that another one waited for.

    Parameters
    ----------
    records : sequence of Record
        The last run of every job.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._position = {record.row.line: i for i, record in enumerate(records)}
        self._named: dict[tuple[str, str], list[int]] = {}
        for i, record in enumerate(records):
            for name in {record.id.job, str(record.id.base)}:
                self._named.setdefault((record.cluster, name), []).append(i)

    def position(self, record: Record) -> int:
        """Position of the job of a record."""
        return self._position[record.row.line]

    def waited_for(self, record: Record, submit_line: str) -> tuple[bool, int | None]:
        """Whether a job waited for others, and the position of the one that ended last of them.

        The number of an array stands for all its tasks; only jobs submitted earlier count.
        """
        names = jobs_waited_for(submit_line)
        candidates = [
            i
            for name in names
            for i in self._named.get((record.cluster, name), ())
            if self._records[i].submit <= record.submit and self._records[i] is not record
        ]
        last = max(candidates, key=lambda i: self._records[i].ended, default=None)
        return bool(names), last
