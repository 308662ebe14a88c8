"""Which jobs a job waited for, from the command that submitted it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from swfx.slurm.record import Record

__all__ = ["Awaited", "Predecessors", "jobs_waited_for"]

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
        self._namesakes: dict[tuple[str, str], _Namesakes] = {}

    def position(self, record: Record) -> int:
        """Position of the job of a record."""
        return self._position[record.row.line]

    def waited_for(self, record: Record, submit_line: str) -> tuple[bool, int | None]:
        """Whether a job waited for others, and the position of the one that ended last of them.

        The number of an array stands for all its tasks, by `aftercorr` for the task of the same
        number where there is one; only jobs submitted earlier count.
        """
        awaited = jobs_waited_for(submit_line)
        own = self.position(record)
        names = (self._name(record, each) for each in awaited)
        ends = (self._of(name).last(record.submit, own) for name in names if name in self._named)
        last = max((end for end in ends if end), default=None)
        return bool(awaited), None if last is None else -last.back

    def _name(self, record: Record, awaited: Awaited) -> tuple[str, str]:
        task = record.id.job.partition("_")[2]
        corresponding = (record.cluster, f"{awaited.job}_{task}")
        if awaited.by_task and corresponding in self._named:
            return corresponding
        return record.cluster, awaited.job

    def _of(self, name: tuple[str, str]) -> _Namesakes:
        if name not in self._namesakes:  # few are waited for
            self._namesakes[name] = _Namesakes(self._records, self._named[name])
        return self._namesakes[name]


class _End(NamedTuple):
    """When a job ended (Unix time, s), and its position, negated: of equals the first counts."""

    time: float
    back: int


class _Namesakes:
    """Jobs that go by one number, and which of those submitted until some time ended last."""

    def __init__(self, records: Sequence[Record], positions: Iterable[int]) -> None:
        ordered = sorted(positions, key=lambda i: records[i].submit)
        self._submits = [records[i].submit for i in ordered]
        self._ends = [_End(records[i].ended, -i) for i in ordered]
        self._latest = list(accumulate(self._ends, max))

    def last(self, until: float, but: int) -> _End | None:
        """End of the last to end of those submitted until then, but for the job at a position."""
        count = bisect_right(self._submits, until)
        if not count:
            return None
        latest = self._latest[count - 1]
        if latest.back != -but:
            return latest
        return max((end for end in self._ends[:count] if end.back != -but), default=None)
