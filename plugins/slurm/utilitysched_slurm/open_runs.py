"""Runs that the accounts of a ledger have yet to pay: the cursor of charging, on the disk."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from swfx.accounting.annotations import Annotations, read_comment
from swfx.base.row_file import RowFile
from utilitysched_slurm.journal import said_as_comment

FILE = "money.db"

VERSION = 1
"""Of the file."""

ASKED, HELD, CHARGED = "asked", "held", "charged"
"""States of a run: what is to be held is known; it is held; it was charged, its job is not over."""


class OpenRun(NamedTuple):
    """A run of a job that was admitted, until all runs of the job are charged.

    Attributes
    ----------
    reference : str
        Names it in the ledger.
    key : str
        What users call the job.
    submit : float
        When the job was first submitted (s).
    number : int
        0 for its first run.
    before : int
        How often the job had been requeued before that.
    account : str
        Slurm's, which pays.
    said : str
        Curve and checkpoints as they were at admission, as `said_as_comment` writes them.
    units : int
        What is held, in minor units of the ledger.
    basis : str
        What that is: a quoted quantile, or the most that the job can cost.
    state : str
        How far it is.
    pivot : str
        What the decision to start it cost the others, as JSON; empty if none was noted.
    """

    reference: str
    key: str
    submit: float
    number: int
    before: int
    account: str
    said: str
    units: int
    basis: str
    state: str = ASKED
    pivot: str = ""

    @classmethod
    def first(
        cls,
        cluster: str,
        key: str,
        submit: float,
        restarts: int,
        account: str,
        annotations: Annotations,
    ) -> Self:
        """Return the first run of a job."""
        reference = reference_of(cluster, key, submit, 0)
        return cls(
            reference, key, submit, 0, restarts, account, said_as_comment(annotations), 0, ""
        )

    def numbered(self, number: int) -> Self:
        """Return another run of the same job, of which nothing is known yet."""
        reference = f"{self.reference.rpartition('#')[0]}#{number}"
        fresh = self._replace(reference=reference, number=number, units=0, basis="")
        return fresh._replace(state=ASKED, pivot="")

    @property
    def job(self) -> str:
        """Common beginning of the references of all runs of the job."""
        return self.reference.rpartition("#")[0]

    def is_of(self, submit: float, restarts: int) -> bool:
        """Return whether a job of this key is the same job, not a later one of its number."""
        return restarts > self.before or (restarts == self.before and submit <= self.submit)

    @property
    def annotations(self) -> Annotations:
        """Curve and checkpoints of the job."""
        return read_comment(self.said)[0]

    @property
    def pivots(self) -> Sequence[float]:
        """Noted pivot of the start: others, utility with and without the job, charge, error."""
        pivots: Sequence[float] = json.loads(self.pivot) if self.pivot else ()
        return pivots


def reference_of(cluster: str, key: str, submit: float, number: int) -> str:
    """Return what a ledger calls a run.

    Examples
    --------
    >>> reference_of("lab", "15_3", 1790000000.0, 1)
    'slurm:lab:15_3@1790000000#1'
    """
    return f"slurm:{cluster}:{key}@{submit:.0f}#{number}"


class OpenRuns:
    """File of the open runs, which are in memory, too; a change returns when it is on the disk.

    Parameters
    ----------
    folder : Path
        Of the driver.

    Raises
    ------
    InputError
        The file is no such one, or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = RowFile(folder / FILE, VERSION, {OpenRun: ["reference"]})
        self._jobs: dict[str, dict[int, OpenRun]] = {}
        self._latest: dict[str, str] = {}
        for run in self._file.find(OpenRun):
            self._enter(run)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __iter__(self) -> Iterator[OpenRun]:
        """Yield all open runs."""
        return (run for runs in self.jobs() for run in runs.values())

    def jobs(self) -> list[dict[int, OpenRun]]:
        """Return the open runs of each job, by number."""
        return list(self._jobs.values())

    def of(self, key: str) -> dict[int, OpenRun]:
        """Return the open runs of the latest job with this key, by number."""
        return self._jobs.get(self._latest.get(key, ""), {})

    def put(self, runs: Iterable[OpenRun]) -> None:
        """Write runs down, in place of earlier versions of them."""
        runs = list(runs)
        self._file.put(runs)
        for run in runs:
            self._enter(run)

    def drop(self, runs: Iterable[OpenRun]) -> None:
        """Forget runs."""
        runs = list(runs)
        with self._file.writing():
            for run in runs:
                self._file.drop(OpenRun, reference=run.reference)
        for run in runs:
            mine = self._jobs.get(run.job, {})
            mine.pop(run.number, None)
            if not mine:
                self._jobs.pop(run.job, None)
                if self._latest.get(run.key) == run.job:
                    del self._latest[run.key]

    def _enter(self, run: OpenRun) -> None:
        self._jobs.setdefault(run.job, {})[run.number] = run
        before = self._jobs.get(self._latest.get(run.key, ""))
        if before is None or next(iter(before.values())).submit <= run.submit:
            self._latest[run.key] = run.job
