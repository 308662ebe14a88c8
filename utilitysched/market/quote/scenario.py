"""Scenarios: all that may happen from a moment on, who is there and who is still to come."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swfx import UtilityTable
from utilitysched.market.quote.ratios import Past
from utilitysched.market.quote.stops import KnownStops
from utilitysched.model.state import Floats, Integers, JobTable, QueueState
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.jobs import NORMAL, UNKNOWN
from utilitysched.runs.snapshot.snapshot import as_if_done_now


@dataclass(frozen=True, eq=False)
class Scenario:
    """A moment, a job and its like that are yet to come, in columns.

    Jobs are named by an index: those queued now, then those running and those that ended, as
    `Snapshot.state` has them, then those still to come by submit time. Where jobs can be preempted,
    those that ended come first, then those that are there by submit time, and by number.

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
    queued, running, finished : (k,), (m,) and (f,) int64
        The jobs of the snapshot, each in its order.
    coming : tuple of QueuedJob
        Those still to come, by submit time.
    stops : KnownStops or None
        What preempting each job means, None where that is not known of the snapshot.
    """

    snapshot: Snapshot
    known: JobTable
    queue: Integers
    begun: Floats
    job: int
    queued: Integers
    running: Integers
    finished: Integers
    coming: tuple[QueuedJob, ...] = ()
    stops: KnownStops | None = None

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
            later.insert(sum(row.submit <= job.submit for row in later), job)
        else:
            snapshot = snapshot.with_queued(job)
        known, present = _known(snapshot), _present(snapshot)
        order = _order(snapshot)
        index = order.argsort()
        rows: list[QueuedJob | RunningJob | None] = [*snapshot.queued, *snapshot.running]
        rows = [*rows, *[None] * len(snapshot.finished)]
        rows = [*(rows[place] for place in order), *later]
        if later:
            known = _joined(known, snapshot, later)
        if snapshot.rules:
            known = known.of(np.append(order, np.arange(present, present + len(later))))
        waiting, held = len(snapshot.queued), len(snapshot.queued) + len(snapshot.running)
        return cls(
            snapshot,
            known,
            np.array([-1 if row is None else _queue(row) for row in rows], dtype=np.int64),
            np.array([_begun(row.start, snapshot.now) for row in snapshot.running]),
            next(place for place, row in enumerate(rows) if row is job),
            index[:waiting],
            index[waiting:held],
            index[held:present],
            tuple(later),
            KnownStops.of(rows, snapshot.rules) if snapshot.rules else None,
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
    def contenders(self) -> Integers:
        """Every job that runs, waits or comes; all but those that ended."""
        return np.flatnonzero(~self._ended())

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
        snapshot, past, request = self.snapshot, Past(self.snapshot.finished), self.request
        runs = np.tile(request, (len(shares), 1))
        done, useful = np.zeros(len(request)), snapshot.now - self.begun
        if self.stops is not None:
            done = self.stops.done
            useful = self.stops.useful(self.begun, self.running, snapshot.now)
        for job, waits in zip(self.queued.tolist(), snapshot.queued, strict=True):
            gone = done.item(job) / max(request.item(job), 1.0) if done[job] else -np.inf
            runs[:, job] *= past.ratios(waits.user, gone).at(shares[:, job])
        for place, (job, holds) in enumerate(zip(self.running, snapshot.running, strict=True)):
            if holds.start is not None:
                gone = useful.item(place) / max(request.item(job), 1.0)
                runs[:, job] *= past.ratios(holds.user, gone).at(shares[:, job])
        runs[:, self.finished] = [ended.run for ended in snapshot.finished]
        for job, comes in enumerate(self.coming, start=self.present):
            runs[:, job] *= past.ratios(comes.user).at(shares[:, job])
        return runs

    @property
    def request(self) -> Floats:
        """Requested time of each job (s), (n,): of one that was preempted, in all."""
        request = self.known.request.copy()
        if self.stops is not None:
            snapshot = self.snapshot
            request[self.queued] = [row.request for row in snapshot.queued]
            request[self.running] = [row.request(snapshot.now) for row in snapshot.running]
        return request

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

    def start_of_job(self, start: Floats, end: Floats) -> tuple[QueueState, Integers]:
        """Return the state in which the job starts, and all that start in it."""
        state = self.state_at(start, end, float(start[self.job]))
        return state, state.queued[start[state.queued] == state.now]

    def ended_until(self, end: Floats, at: float) -> Integers:
        """Return who ended up to `at` (s), the latest last."""
        before = self._ended()
        when = np.where(before, -np.inf, end)
        ended = np.flatnonzero(when <= at)
        return ended[np.argsort(when[ended], kind="stable")]

    def _ended(self) -> NDArray[np.bool_]:
        ended = np.zeros(len(self.known.submit), dtype=np.bool_)
        ended[self.finished] = True
        return ended


def _present(snapshot: Snapshot) -> int:
    return len(snapshot.queued) + len(snapshot.running) + len(snapshot.finished)


def _order(snapshot: Snapshot) -> Integers:
    """Return the places, in `Snapshot.state`, of the jobs that are there or ended by index."""
    if not snapshot.rules:
        return np.arange(_present(snapshot))
    there: list[QueuedJob | RunningJob] = [*snapshot.queued, *snapshot.running]
    by_submit = sorted(range(len(there)), key=lambda row: _arrival(there[row], snapshot.now))
    ended = range(len(there), _present(snapshot))
    return np.array([*ended, *by_submit], dtype=np.int64)


def _known(snapshot: Snapshot) -> JobTable:
    """Return what is known of jobs as `Snapshot.state` has them, of those that run by their start.

    Where they can be preempted, that is all with which they would wait again.
    """
    known = snapshot.state().known.first(_present(snapshot))
    running = slice(len(snapshot.queued), len(snapshot.queued) + len(snapshot.running))
    begun = [_begun(row.start, snapshot.now) for row in snapshot.running]
    known.request[running] = [row.expected_end for row in snapshot.running] - np.array(begun)
    if not snapshot.rules:
        return known
    known.submit[running] = [
        snapshot.now if row.submit is None else row.submit for row in snapshot.running
    ]
    known.priority[running] = [
        NORMAL if row.priority is None else row.priority for row in snapshot.running
    ]
    curves = [row.utility for row in snapshot.queued] + [row.utility for row in snapshot.running]
    table = UtilityTable.stacked(
        [UtilityTable.from_functions(curves), as_if_done_now(snapshot.finished)]
    )
    return known._replace(
        arrival=known.submit - known.submit.min(initial=snapshot.now),
        offsets=np.array(table.offsets),
        times=np.array(table.times),
        values=np.array(table.values),
    )


def _arrival(row: QueuedJob | RunningJob, now: float) -> tuple[float, int]:
    return now if row.submit is None else row.submit, row.id


def _queue(row: QueuedJob | RunningJob) -> int:
    return UNKNOWN if row.queue is None else row.queue


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
