"""Records of an export, in columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.accounting.growing import Growing
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.names import Names
from swfx.base.columns import Bools, Floats, Ints
from swfx.reading.report import Rule
from swfx.slurm.dependencies import Awaited
from swfx.slurm.job_ids import JobId
from swfx.slurm.record import WHY_NO_RUN, Record

if TYPE_CHECKING:
    from swfx.slurm.plain import PlainRecords

__all__ = ["NO_RESTARTS", "Key", "Keys", "Records", "restarts_said"]

NO_RESTARTS = -1
"""Of a record that does not say how often its job was requeued."""


def restarts_said(text: str) -> int:
    """Say how often a job was requeued; `NO_RESTARTS` where that is not told.

    >>> restarts_said("2"), restarts_said("")
    (2, -1)
    """
    return int(text[:9]) if text.isdecimal() else NO_RESTARTS


class Key(NamedTuple):
    """What tells a job from others: numbers for its cluster, number, task of an array and part."""

    cluster: int
    base: int
    task: int
    component: int


class Keys:
    """Keys of records, (n,) each; grows by `append`."""

    def __init__(self) -> None:
        self._columns = [Growing("q") for _ in Key._fields]

    def append(self, key: Key) -> None:
        """Add a key."""
        for column, value in zip(self._columns, key, strict=True):
            column.append(value)

    def extend(self, keys: npt.NDArray[Any]) -> None:
        """Add keys, one column for each."""
        for column, values in zip(self._columns, keys, strict=True):
            column.extend(values)

    def columns(self) -> list[Ints]:
        """Arrays in the order of `Key`."""
        return [column.values() for column in self._columns]

    def __len__(self) -> int:
        return len(self._columns[0])


class Records:
    """Records of jobs that could be read; those that could not are listed.

    Attributes
    ----------
    jobs : JobColumns
        What each would be as a job that ran once. The memory of a job whose steps tell of none
        is 0.
    keys : Keys
        Of each.
    awaited : dict of int to tuple of Awaited
        Jobs that a record waited for, by its position; few do.
    """

    def __init__(self, listing: Listing) -> None:
        self.jobs = JobColumns()
        self.keys = Keys()
        self.awaited: dict[int, tuple[Awaited, ...]] = {}
        self._listing = listing
        self._clusters = Names("Cluster")
        self._pending = Names("Tasks")
        self._start, self._run = Growing("d"), Growing("d")
        self._restarts, self._why = Growing("i"), Growing("b")
        self._last: Key | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, cluster: str, job: JobId) -> Key:
        """Key of a job, or of the job of a step."""
        task = -2 - self._pending.number(job.job) if job.pending_tasks else job.task
        return Key(self.cluster(cluster), job.base, task, job.component)

    def cluster(self, name: str) -> int:
        """Give the number of a cluster."""
        return self._clusters.number(name)

    def append(self, record: Record, job: LogJob, restarts: int) -> bool:
        """Add a record, and the job that it would be; False if its numbers are beyond limits."""
        if not within_limit(job, self._listing):
            return False
        self.jobs.append(job)
        self._last = self.key(record.cluster, record.id)
        self.keys.append(self._last)
        self._start.append(math.inf if record.start is None else record.start)
        self._run.append(math.nan if record.run is None else record.run)
        self._restarts.append(restarts)
        self._why.append(WHY_NO_RUN.index(record.why_no_run()))
        return True

    def extend(self, plain: PlainRecords) -> None:
        """Add records that were read by columns, all of them jobs."""
        self.jobs.extend(plain.jobs)
        self.keys.extend(plain.keys)
        self._start.extend(plain.start)
        self._run.extend(plain.run)
        self._restarts.extend(plain.restarts)
        self._why.extend(plain.why)
        self._last = Key(*map(int, plain.keys[:, -1]))

    def take_step(self, key: Key, kilobytes: float) -> bool:
        """Let the memory of a step count for the last record; False if it is of another job."""
        if key == self._last:
            self.jobs.use_more_memory(kilobytes)
        return key == self._last

    @property
    def start(self) -> Floats:
        """Unix time (s) at which runs began; infinite where they never did."""
        return self._start.values()

    @property
    def run(self) -> Floats:
        """Run time (s); NaN where it is unknown."""
        return self._run.values()

    @property
    def restarts(self) -> npt.NDArray[np.int32]:
        """How often the job had been requeued; -1 unknown."""
        return self._restarts.values()

    def are_runs(self) -> Bools:
        """Which are runs that came to their end."""
        found: Bools = self._why.values() == WHY_NO_RUN.index(None)
        return found

    def list_no_runs(self, rows: Ints) -> None:
        """List those of these records that are no runs."""
        why = self._why.values()[rows]
        for code, rule in enumerate(WHY_NO_RUN):
            if rule is not None:
                self.list_as(rows[why == code], rule)

    def list_as(self, rows: Ints, rule: Rule) -> None:
        """List these records under a rule."""
        self._listing.add_all(self.jobs["line"][rows], rule)

    def identity(self) -> list[npt.NDArray[Any]]:
        """Columns that are equal for records of one number and user."""
        return [*self.keys.columns(), self.jobs["user"]]
