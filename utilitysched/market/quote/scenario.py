"""Scenarios: a moment and the jobs that come after it, in columns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from checkpoint import PreemptionRules
from swfx import UtilityTable, Workload
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.tables import Left
from utilitysched.market.quote.run_times import Draws, Past
from utilitysched.model.state import Floats, Integers, JobTable, Preemption, QueueState
from utilitysched.runs.snapshot import PreemptionRecord, QueuedJob, RunningJob, Snapshot
from utilitysched.runs.snapshot.jobs import NORMAL, UNKNOWN
from utilitysched.runs.snapshot.snapshot import as_if_done_now

_ENDED = PreemptionRecord(0.0, -1.0)


@dataclass(frozen=True, eq=False)
class Scenario:
    """A moment, the quoted job and others still to come, in columns.

    Jobs are named by an index: those queued now, then those running and those that ended, as
    `Snapshot.state` has them, then those still to come by submit time. Where jobs can be preempted,
    those that ended come first, then those that are there by submit time, and by number.

    Attributes
    ----------
    snapshot : Snapshot
        The moment, with the quoted job in its queue if that is submitted at it.
    known : JobTable
        Of all n jobs; the request of one that runs counts from its start, or from now if that is
        not known.
    queue : (n,) int64
        Queue number of each job, -1 if unknown.
    begun : (m,) float64
        Since when each running job's request counts (s).
    job : int
        The quoted job.
    queued, running, finished : (k,), (m,) and (f,) int64
        The jobs of the snapshot, each in its order.
    coming : tuple of QueuedJob
        Jobs still to come, by submit time.
    stops : KnownStops or None
        Terms and history of preemption, None where the snapshot does not have them.
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
    stops: "KnownStops | None" = None

    @classmethod
    def of(cls, snapshot: Snapshot, job: QueuedJob, coming: Iterable[QueuedJob] = ()) -> Self:
        """Return the scenario of a moment to which a job comes, and perhaps others.

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
            known = _followed(known, snapshot, later)
        if snapshot.rules:
            known = known.of(np.append(order, np.arange(present, present + len(later))))
        waiting, held = len(snapshot.queued), len(snapshot.queued) + len(snapshot.running)
        return cls(
            snapshot,
            known,
            np.array([-1 if row is None else _queue(row) for row in rows], dtype=np.int64),
            np.array([_begun(row, snapshot.now) for row in snapshot.running]),
            next(place for place, row in enumerate(rows) if row is job),
            index[:waiting],
            index[waiting:held],
            index[held:present],
            tuple(later),
            KnownStops.of(rows, snapshot.rules) if snapshot.rules else None,
        )

    @property
    def present(self) -> int:
        """Number of jobs submitted up to now, those that ended among them."""
        return _present(self.snapshot)

    @property
    def submit(self) -> float:
        """When the quoted job is submitted (s)."""
        return float(self.known.submit[self.job])

    @property
    def contenders(self) -> Integers:
        """Every job that runs, waits or comes; all but those that ended."""
        return np.flatnonzero(~self._ended())

    @property
    def request(self) -> Floats:
        """Requested time of each job (s), (n,): of one that was preempted, in all."""
        request = self.known.request.copy()
        if self.stops is not None:
            snapshot = self.snapshot
            request[self.queued] = [row.request for row in snapshot.queued]
            request[self.running] = [row.request(snapshot.now) for row in snapshot.running]
        return request

    def runs(self, draws: Draws) -> Floats:
        """Return how long each job runs in each sample (s), (S, n).

        Running jobs count since `begun`; one whose start is not known runs as expected, as do jobs
        still to come but for the quoted one.
        """
        snapshot, past, request = self.snapshot, Past(self.snapshot.finished), self.request
        runs = np.tile(request, (len(draws.own), 1))
        there = self.contenders[self.contenders < self.present]
        shares = np.zeros_like(runs)
        shares[:, there[there != self.job]] = draws.others
        shares[:, self.job] = draws.own
        done, useful = np.zeros(len(request)), snapshot.now - self.begun
        if self.stops is not None:
            done = self.stops.done
            useful = self.stops.useful(self.begun, self.running, snapshot.now)

        def draw(job: int, user: int, gone: float) -> None:
            runs[:, job] *= past.ratios(user, gone).at(shares[:, job])

        for job, waits in zip(self.queued.tolist(), snapshot.queued, strict=True):
            gone = done.item(job) / max(request.item(job), 1.0) if done[job] else -np.inf
            draw(job, waits.user, gone)
        for place, (job, holds) in enumerate(zip(self.running, snapshot.running, strict=True)):
            if holds.start is not None:
                draw(job, holds.user, useful.item(place) / max(request.item(job), 1.0))
        if self.job >= self.present:
            draw(self.job, self.coming[self.job - self.present].user, -np.inf)
        runs[:, self.finished] = [ended.run for ended in snapshot.finished]
        return runs

    def state_at(self, start: Floats, end: Floats, at: float) -> QueueState:
        """Return what a scheduler sees at `at` (s) before it decides, by starts and ends of jobs.

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
        """Return the state in which the quoted job starts, and all that start in it."""
        state = self.state_at(start, end, float(start[self.job]))
        return state, state.queued[start[state.queued] == state.now]

    def ended_until(self, end: Floats, at: float) -> Integers:
        """Return the jobs that ended up to `at` (s), the latest last."""
        when = np.where(self._ended(), -np.inf, end)
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
    """Return the columns of jobs as `Snapshot.state` has them, of running ones by their start.

    Where running jobs can be preempted, all columns are those with which they would wait again.
    """
    known = snapshot.state().known.first(_present(snapshot))
    running = slice(len(snapshot.queued), len(snapshot.queued) + len(snapshot.running))
    begun = [_begun(row, snapshot.now) for row in snapshot.running]
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


def _begun(row: RunningJob, now: float) -> float:
    return now if row.start is None else row.start


def _followed(known: JobTable, snapshot: Snapshot, later: Sequence[QueuedJob]) -> JobTable:
    """Return the columns of the jobs that are there and, behind them, of jobs still to come."""
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


@dataclass(frozen=True, eq=False)
class KnownStops:
    """Terms and history of preemption of n jobs that can be stopped.

    Attributes
    ----------
    terms : StopTerms
        Terms of stopping each job.
    seen : Preemption
        What schedulers see of it at the moment.
    done : (n,) float64
        Work that was kept of earlier starts (s).
    stopped : (k,) int64
        Jobs that were stopped.
    """

    terms: StopTerms
    seen: Preemption
    done: Floats
    stopped: Integers

    @classmethod
    def of(cls, jobs: Sequence[QueuedJob | RunningJob | None], preemption: str) -> Self:
        """Return the stops that jobs state, or rules say of others; None is a job that ended."""
        rules = PreemptionRules.from_text(preemption)
        records = [_record(job, rules) for job in jobs]
        interval = _column(np.inf if each.interval is None else each.interval for each in records)
        periodic = [each.periodic for each in records]
        filled = zip(periodic, interval.tolist(), strict=True)
        overhead = _column(each.overhead for each in records)
        starts = (_last_start(*pair) for pair in zip(jobs, records, strict=True))
        return cls(
            StopTerms(
                interval,
                overhead,
                _column(every if own is None else own for own, every in filled),
                rules.actual,
                rules.overrun == "kill",
            ),
            Preemption(
                interval,
                overhead,
                np.array([each.preemptions for each in records], dtype=np.int64),
                _column(starts),
                _column(each.paid for each in records),
            ),
            _column(each.done for each in records),
            np.flatnonzero([each.stops for each in records]),
        )

    def useful(self, begun: Floats, running: Integers, now: float) -> Floats:
        """Return the work that each running job has done at a time (s)."""
        overhead = self.terms.actual * self.seen.paid[running]
        useful: Floats = self.done[running] + np.maximum(now - begun - overhead, 0.0)
        return useful

    def left(self, run: Floats, request: Floats, limit: Floats) -> dict[int, Left]:
        """Return the rest of each job that was stopped.

        Parameters
        ----------
        run, request : (n,) float64
            Run time and requested time in all (s).
        limit : (n,) float64
            Requested time of the present or next start (s).
        """
        work, requested = run - self.done, request - self.done
        return {
            job: Left(work.item(job), requested.item(job), limit.item(job))
            for job in self.stopped.tolist()
        }

    def lasts(self, jobs: Integers, run: Floats, limit: Floats) -> Floats:
        """Return how long the present start of each job takes if nobody stops it (s)."""
        needed = self.terms.actual * self.seen.paid[jobs] + run[jobs] - self.done[jobs]
        lasts: Floats = np.minimum(needed, limit[jobs]) if self.terms.kills else needed
        return lasts


def record_of(
    processors: int, rules: PreemptionRules, *, rerunnable: bool = False
) -> PreemptionRecord:
    """Return the record of a job that takes no checkpoints and has yet to start."""
    mark = int(rerunnable)
    alone = Workload.from_columns(submit=[0], run=[0], processors=[processors], rerunnable=[mark])
    interval = rules.intervals(alone).item()
    every = None if interval == np.inf else interval
    return PreemptionRecord(rules.overheads(alone).item(), every, periodic=-1.0)


def _record(job: QueuedJob | RunningJob | None, rules: PreemptionRules) -> PreemptionRecord:
    if job is None:
        return _ENDED
    return job.checkpoints or record_of(job.processors, rules)


def _last_start(job: QueuedJob | RunningJob | None, record: PreemptionRecord) -> float:
    start = job.start if isinstance(job, RunningJob) else record.last_start
    return np.nan if start is None else start


def _column(values: Iterable[float]) -> Floats:
    return np.array(list(values), dtype=np.float64)
