"""Scenarios: all that may happen from a moment on, who is there and who is still to come."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swfx import UtilityTable
from utilitysched.market.quote.ratios import Past
from utilitysched.model.state import Floats, Integers, JobTable, QueueState
from utilitysched.runs.snapshot import QueuedJob, Snapshot


@dataclass(frozen=True, eq=False)
class Scenario:
    """A moment, a job and its like that are yet to come, in columns.

    Jobs are named by an index: those queued now, then those running and those that ended, as
    `Snapshot.state` has them, then those still to come by submit time.

    Attributes
    ----------
    snapshot : Snapshot
        The moment; if the job is submitted at it, the job is in the queue.
    known : JobTable
        Of all n jobs; the request of one that runs counts from its start, or from now if that is
        not known.
    queue : (n,) int64
        Queue number of each job, -1 if unknown.
    begun : (m,) float64
        Since when each running job's request counts (s).
    job : int
        The job that somebody asks about.
    coming : tuple of QueuedJob
        Those still to come, by submit time.
    """

    snapshot: Snapshot
    known: JobTable
    queue: Integers
    begun: Floats
    job: int
    coming: tuple[QueuedJob, ...] = ()

    @classmethod
    def of(cls, snapshot: Snapshot, job: QueuedJob, coming: Iterable[QueuedJob] = ()) -> "Scenario":
        """Let a job and others come to what there is.

        Parameters
        ----------
        snapshot : Snapshot
            Without the job.
        job : QueuedJob
            Submitted now or later.
        coming : iterable of QueuedJob
            Submitted after now.
        """
        later = sorted(coming, key=lambda row: row.submit)
        if job.submit > snapshot.now:
            place = sum(row.submit <= job.submit for row in later)
            later.insert(place, job)
            index = _present(snapshot) + place
        else:
            snapshot = snapshot.with_queued(job)
            index = snapshot.queued.index(job)
        known = snapshot.state().known
        begun = np.array([_begun(row.start, snapshot.now) for row in snapshot.running])
        running = slice(len(snapshot.queued), len(snapshot.queued) + len(snapshot.running))
        known.request[running] = [row.expected_end for row in snapshot.running] - begun
        queue = [row.queue for row in snapshot.queued] + [-1] * (
            _present(snapshot) - len(snapshot.queued)
        )
        return cls(
            snapshot,
            _joined(known, snapshot, later) if later else known,
            np.array(queue + [row.queue for row in later], dtype=np.int64),
            begun,
            index,
            tuple(later),
        )

    @property
    def present(self) -> int:
        """Jobs that have been submitted up to now, those that ended among them."""
        return _present(self.snapshot)

    @property
    def submit(self) -> float:
        """When the job is submitted (s)."""
        return float(self.known.submit[self.job])

    @property
    def queued(self) -> Integers:
        """The jobs in the queue now."""
        return np.arange(len(self.snapshot.queued))

    @property
    def running(self) -> Integers:
        """The jobs that run now, by expected end."""
        return len(self.snapshot.queued) + np.arange(len(self.snapshot.running))

    @property
    def contenders(self) -> Integers:
        """Every job that runs, waits or comes; all but those that ended."""
        first = len(self.snapshot.queued) + len(self.snapshot.running)
        coming = np.arange(self.present, len(self.known.submit))
        return np.concatenate([np.arange(first), coming])

    def runs(self, shares: Floats) -> Floats:
        """Return how long each job runs in each sample (s).

        Parameters
        ----------
        shares : (s, n) float64
            Where in its distribution each job's run time is, 0 to below 1.

        Returns
        -------
        (s, n) float64
            Of running jobs since `begun`; one whose start is not known runs as expected.
        """
        snapshot, past = self.snapshot, Past(self.snapshot.finished)
        runs = np.tile(self.known.request, (len(shares), 1))
        for job, waits in enumerate(snapshot.queued):
            runs[:, job] *= past.ratios(waits.user).at(shares[:, job])
        for job, holds in zip(self.running.tolist(), snapshot.running, strict=True):
            if holds.start is not None:
                gone = (snapshot.now - holds.start) / max(self.known.request.item(job), 1.0)
                runs[:, job] *= past.ratios(holds.user, gone).at(shares[:, job])
        first = len(self.queued) + len(self.running)
        runs[:, first : self.present] = [ended.run for ended in snapshot.finished]
        for job, comes in enumerate(self.coming, start=self.present):
            runs[:, job] *= past.ratios(comes.user).at(shares[:, job])
        return runs

    def state_at(self, start: Floats, end: Floats, at: float) -> QueueState:
        """Return what a scheduler sees at `at` (s), if jobs start and end so, before it decides.

        `finished` holds the jobs that end at the instant itself.
        """
        known = self.known
        arrived = max(self.present, int(np.searchsorted(known.submit, at, side="right")))
        there = np.arange(arrived)[~self._ended()[:arrived]]
        waits = ~(start[there] < at)
        runs = ~waits & (end[there] > at)
        running = there[runs]
        running = running[np.argsort(start[running] + known.request[running], kind="stable")]
        finished = there[~waits & (end[there] == at)]
        return QueueState(
            at,
            int(known.machine_size - known.size[running].sum()),
            there[waits],
            running,
            start[running] + known.request[running],
            finished,
            end[finished] - start[finished],
            known.first(arrived),
        )

    def start_of_job(self, start: Floats, end: Floats) -> tuple[QueueState, bool]:
        """Return the state in which the job starts, and whether everybody starts in it."""
        state = self.state_at(start, end, float(start[self.job]))
        return state, bool((start[state.queued] == state.now).all())

    def ended_until(self, end: Floats, at: float) -> Integers:
        """Return who ended up to `at` (s), the latest last."""
        before = self._ended()
        when = np.where(before, -np.inf, end)
        ended = np.flatnonzero(when <= at)
        return ended[np.argsort(when[ended], kind="stable")]

    def _ended(self) -> NDArray[np.bool_]:
        ended = np.zeros(len(self.known.submit), dtype=np.bool_)
        ended[len(self.queued) + len(self.running) : self.present] = True
        return ended


def _present(snapshot: Snapshot) -> int:
    return len(snapshot.queued) + len(snapshot.running) + len(snapshot.finished)


def _begun(start: float | None, now: float) -> float:
    return now if start is None else start


def _joined(known: JobTable, snapshot: Snapshot, later: Sequence[QueuedJob]) -> JobTable:
    """Return the columns of those who are there and, behind them, of those still to come."""
    users = [row.user for row in snapshot.queued]
    users += [row.user for row in snapshot.running]
    users += [row.user for row in snapshot.finished]
    numbers = dict(zip(users, known.user.tolist(), strict=True))
    for row in later:
        if row.user >= 0:
            numbers.setdefault(row.user, max(numbers.values(), default=-1) + 1)
    submit = np.append(known.submit, [row.submit for row in later])
    curves = UtilityTable.stacked(
        [
            UtilityTable(known.offsets, known.times, known.values),
            UtilityTable.from_functions([row.utility for row in later]),
        ]
    )
    return JobTable(
        known.machine_size,
        submit,
        submit - submit.min(),
        np.append(known.size, [row.processors for row in later]),
        np.append(known.request, [row.request for row in later]),
        np.append(known.priority, [row.priority for row in later]),
        np.append(known.user, [numbers.get(row.user, -1) for row in later]),
        np.array(curves.offsets),
        np.array(curves.times),
        np.array(curves.values),
    )
