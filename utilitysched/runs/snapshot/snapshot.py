"""A moment of a queue."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from checkpoint import PreemptionRules
from pricing.basis import Basis
from swfx import InputError, UtilityFunction, UtilityTable
from swfx.base.document_mistakes import Steps, field_name
from swfx.base.ranges import bounds_in
from swfx.clock import Clock
from utilitysched.model.state import Floats, Integers, JobTable, QueueState
from utilitysched.runs.snapshot.jobs import (
    UNKNOWN,
    FailureSource,
    FinishedJob,
    OutageRecord,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
    refuse,
    require_finite,
)


@dataclass(frozen=True)
class Snapshot:
    """All that is known at a moment, before anything is decided at it.

    Attributes
    ----------
    now : float
        The moment, on the log's clock (s).
    machine_size : int
        Processors.
    running : tuple of RunningJob
        By expected end, then as given.
    queued : tuple of QueuedJob
        In arrival order: by submit time, then as given.
    finished : tuple of FinishedJob
        Jobs that ended up to now, the latest last; schedulers that forecast run times learn from
        these.
    scheduler : str
        Who decides, as `utilitysched.make_scheduler` takes it; empty if nobody knows.
    clock : swfx.clock.Clock or None
        Which dates the times stand for, if known.
    preemption : str
        Rules of preemption, as `checkpoint.PreemptionRules.from_text` takes them; empty where no
        job can be preempted, or nobody says what that would mean.
    basis : pricing.basis.Basis or None
        Whether it is a moment of a simulation, and who gave utility functions, if known.
    down : tuple of OutageRecord
        Processors that are down, by the time since when, then as given.
    failures : FailureSource or None
        What fails from now on; None for nothing. What is down follows from it, too.

    Raises
    ------
    InputError
        If something cannot be; the field says what.

    Examples
    --------
    >>> moment = Snapshot(100.0, 4, (RunningJob(1, 3, 160.0),), (QueuedJob(2, 90.0, 2, 50.0),))
    >>> moment.free, moment.state().queued.tolist()
    (1, [0])
    """

    now: float
    machine_size: int
    running: tuple[RunningJob, ...] = ()
    queued: tuple[QueuedJob, ...] = ()
    finished: tuple[FinishedJob, ...] = ()
    scheduler: str = ""
    clock: Clock | None = None
    preemption: str = ""
    basis: Basis | None = None
    down: tuple[OutageRecord, ...] = ()
    failures: FailureSource | None = None

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "down", tuple(sorted(self.down, key=lambda outage: outage.start)))
        running = sorted(self.running, key=lambda job: job.expected_end)
        queued = sorted(self.queued, key=lambda job: job.submit)
        object.__setattr__(self, "running", tuple(running))
        object.__setattr__(self, "queued", tuple(queued))
        object.__setattr__(self, "finished", tuple(self.finished))

    @classmethod
    def of_state(cls, state: QueueState, ids: npt.ArrayLike | None = None) -> "Snapshot":
        """Return what a scheduler sees.

        Parameters
        ----------
        state : QueueState
            At a pass.
        ids : (n,) int, optional
            What people call each job, in arrival order; default: its index in that order.
        """
        known = state.known
        name = np.arange(len(known.submit)) if ids is None else np.asarray(ids)
        curves = UtilityTable(known.offsets, known.times, known.values)
        return cls(
            float(state.now),
            int(known.machine_size),
            tuple(
                RunningJob(int(name[job]), int(known.size[job]), float(end), int(known.user[job]))
                for job, end in zip(state.running, state.expected_end, strict=True)
            ),
            tuple(
                _queued(known, job, int(name[job]), curves[job]) for job in state.queued.tolist()
            ),
            tuple(
                FinishedJob(int(known.user[job]), float(known.request[job]), float(run))
                for job, run in zip(state.finished, state.finished_run, strict=True)
            ),
        )

    @property
    def free(self) -> int:
        """Processors that work and nobody holds."""
        return self.machine_size - sum(holder.processors for holder in self.holders)

    @property
    def holders(self) -> list[RunningJob | OutageRecord]:
        """What holds processors until when: running jobs and outages, by expected end."""
        return sorted([*self.running, *self.down], key=lambda holder: holder.expected_end)

    @property
    def rules(self) -> str:
        """Rules of preemption in force, empty where no job can be stopped."""
        fails = self.down or self.failures is not None
        return self.preemption or ("default" if fails else "")

    @property
    def ids(self) -> Integers:
        """What people call each queued job, shape (k,)."""
        return np.array([job.id for job in self.queued], dtype=np.int64)

    def without(self, ids: Iterable[int]) -> "Snapshot":
        """Return the same without some of the queued jobs.

        Raises
        ------
        InputError
            One of them is not queued.
        """
        gone = set(ids)
        strangers = sorted(gone - {job.id for job in self.queued})
        if strangers:
            raise InputError(f"job {strangers[0]} is not queued", field="queued")
        return replace(self, queued=tuple(job for job in self.queued if job.id not in gone))

    def started(self, ids: Iterable[int]) -> "Snapshot":
        """Return the same with some of the queued jobs running from now on, and nothing to fail.

        Raises
        ------
        InputError
            One of them is not queued, they do not fit, or one asks for no time.
        """
        begun = set(ids)
        rest = self.without(begun)
        running = [
            RunningJob(job.id, job.processors, self.now + job.request, job.user, self.now)
            for job in self.queued
            if job.id in begun
        ]
        return replace(rest, running=(*self.running, *running), failures=None)

    def with_queued(self, job: QueuedJob) -> "Snapshot":
        """Return a snapshot with one more queued job, or with the job of that id replaced."""
        others = tuple(other for other in self.queued if other.id != job.id)
        if len(others) == len(self.queued):
            return replace(self, queued=(*others, job))
        same_place = tuple(job if other.id == job.id else other for other in self.queued)
        return replace(self, queued=same_place)

    def state(self) -> QueueState:
        """Return what a scheduler sees: queued jobs have the first indices, in arrival order.

        Running ones are next, then those that ended; last what is down, as if it ran until its end.
        """
        queued, running, finished = len(self.queued), len(self.running), len(self.finished)
        held = [job.expected_end for job in self.running]
        held += [outage.expected_end for outage in self.down]
        rows, ends = np.arange(len(held)), np.array(held, dtype=np.float64)
        by_end = np.argsort(ends, kind="stable")
        return QueueState(
            self.now,
            self.free,
            np.arange(queued),
            np.where(rows < running, queued + rows, queued + finished + rows)[by_end],
            ends[by_end],
            np.arange(queued + running, queued + running + finished),
            np.array([job.run for job in self.finished], dtype=np.float64),
            self._known(),
        )

    def _known(self) -> JobTable:
        """Return the columns of the queued, running and finished jobs, and of what is down."""
        others = len(self.running) + len(self.finished) + len(self.down)
        submit = _floats([job.submit for job in self.queued], [self.now] * others)
        curves = UtilityTable.stacked(
            [
                UtilityTable.from_functions([job.utility for job in self.queued]),
                UtilityTable.empty(len(self.running)),
                as_if_done_now(self.finished),
                UtilityTable.empty(len(self.down)),
            ]
        )
        users = [job.user for job in self.queued] + [job.user for job in self.running]
        users += [job.user for job in self.finished] + [UNKNOWN] * len(self.down)
        return JobTable(
            self.machine_size,
            submit,
            submit - submit.min(initial=self.now),
            _integers(
                [job.processors for job in self.queued],
                [job.processors for job in self.running],
                [job.processors or 0 for job in self.finished],
                [outage.processors for outage in self.down],
            ),
            _floats(
                [job.limit for job in self.queued],
                [job.expected_end - self.now for job in self.running],
                [job.request for job in self.finished],
                [outage.end - self.now for outage in self.down],
            ),
            _integers([job.priority for job in self.queued], [0] * others),
            _numbered(users),
            # kernels take writable arrays, a table's are not
            np.array(curves.offsets),
            np.array(curves.times),
            np.array(curves.values),
        )

    def _check(self) -> None:
        PreemptionRules.from_text(self.preemption or "default")
        require_finite(self.now, "now")
        if self.machine_size < 1:
            refuse(f"a machine of {self.machine_size} processors", "machine_size")
        for place, waits in enumerate(self.queued):
            _check_queued(waits, ("queued", place), self.now, self.machine_size)
        for place, runs in enumerate(self.running):
            _check_running(runs, ("running", place), self.now)
        for place, outage in enumerate(self.down):
            _check_outage(outage, ("down", place), self.now, self.machine_size)
        self._check_ids()
        if self.free < 0:
            are_down = " or are down" if self.down else ""
            refuse(
                f"running jobs hold {self.machine_size - self.free} processors of"
                f" {self.machine_size}{are_down}",
                "running",
            )
        self._check_held()

    def _check_held(self) -> None:
        """Refuse processors of two jobs or outages, and jobs whose processors are not named."""
        taken: dict[int, str] = {}
        named: list[tuple[Steps, Iterable[int]]] = [
            (("down", place), range(outage.first, outage.last + 1))
            for place, outage in enumerate(self.down)
        ]
        for place, job in enumerate(self.running):
            at = ("running", place, "held")
            if job.held is not None:
                named.append((at, _held(job, at, self.machine_size)))
            elif self.failures is not None:
                refuse("held is missing: which processors it has decides when it fails", *at[:2])
        for steps, processors in named:
            for processor in processors:
                if processor in taken:
                    refuse(f"processor {processor} is in {taken[processor]} as well", *steps)
                taken[processor] = field_name(steps)

    def _check_ids(self) -> None:
        seen: dict[int, str] = {}
        named = [(job.id, ("running", place, "id")) for place, job in enumerate(self.running)]
        named += [(job.id, ("queued", place, "id")) for place, job in enumerate(self.queued)]
        for number, at in named:
            if number in seen:
                refuse(f"{number} is {seen[number]} as well", *at)
            seen[number] = field_name(at)


def as_if_done_now(finished: Sequence[FinishedJob]) -> UtilityTable:
    """Return constant curves that give each finished job its realised value."""
    worth = np.array([np.nan if job.worth is None else job.worth for job in finished])
    known = np.flatnonzero(~np.isnan(worth))
    offsets = np.append(0, 2 * np.cumsum(~np.isnan(worth)))
    return UtilityTable(offsets, np.tile([0.0, 1.0], len(known)), np.repeat(worth[known], 2))


def _queued(known: JobTable, job: int, name: int, curve: UtilityFunction | None) -> QueuedJob:
    return QueuedJob(
        name,
        float(known.submit[job]),
        int(known.size[job]),
        float(known.request[job]),
        curve,
        int(known.user[job]),
        int(known.priority[job]),
    )


def _check_queued(job: QueuedJob, at: Steps, now: float, machine_size: int) -> None:
    if job.processors > machine_size:
        problem = f"{job.processors} is more than the machine has ({machine_size})"
        refuse(problem, *at, "processors")
    remedy = "leave out jobs that have yet to be submitted"
    _not_after(now, job.submit, *at, "submit", remedy=remedy)
    _check_last_start(job.checkpoints, at, now)


def _check_running(job: RunningJob, at: Steps, now: float) -> None:
    _check_last_start(job.checkpoints, at, now)
    _not_after(now, job.submit, *at, "submit")
    _not_after(now, job.start, *at, "start")
    if job.expected_end <= now:
        refuse(
            f"{job.expected_end:.15g} is not after now ({now:.15g})",
            *at,
            "expected_end",
            remedy="leave out jobs that have ended; give one that outlasts its limit a later end",
        )


def _check_last_start(checkpoints: PreemptionRecord | None, at: Steps, now: float) -> None:
    if checkpoints is not None:
        _not_after(now, checkpoints.last_start, *at, "checkpoints", "last_start")


def _not_after(now: float, time: float | None, *at: str | int, remedy: str | None = None) -> None:
    if time is not None and not time <= now:
        refuse(f"{time:.15g} is after now ({now:.15g})", *at, remedy=remedy)


def _check_outage(outage: OutageRecord, at: Steps, now: float, machine_size: int) -> None:
    if not 0 <= outage.first <= outage.last < machine_size:
        refuse(
            f"processors {outage.first} to {outage.last} are not of a machine of {machine_size}",
            *at,
            "last",
            remedy="count from 0, the last one included",
        )
    if not outage.start <= now < outage.end:
        refuse(
            f"{outage.start:.15g} to {outage.end:.15g} is not now ({now:.15g})",
            *at,
            "end",
            remedy="leave out what is not down",
        )


def _held(job: RunningJob, at: Steps, machine_size: int) -> list[int]:
    """Return the processors that a running job says it has."""
    try:
        low, high = bounds_in(job.held or "")
    except (ValueError, OverflowError):
        refuse(f"{job.held!r} is no list of processors", *at, remedy="write 0-7 9")
    fits = ((low >= 0) & (low < high) & (high <= machine_size)).all()
    if not fits or (high - low).sum() != job.processors:
        problem = f"{job.held!r} is not {job.processors} processors of {machine_size}"
        refuse(problem, *at, remedy="count from 0, each once")
    return [each for ends in zip(low, high, strict=True) for each in range(*ends)]


def _floats(*parts: Sequence[float]) -> Floats:
    return np.array([value for part in parts for value in part], dtype=np.float64)


def _integers(*parts: Sequence[int]) -> Integers:
    return np.array([value for part in parts for value in part], dtype=np.int64)


def _numbered(users: Sequence[int]) -> Integers:
    """Return users numbered from 0 by first appearance; unknown users stay -1."""
    numbers = {user: i for i, user in enumerate(dict.fromkeys(u for u in users if u >= 0))}
    return np.array([numbers.get(user, -1) for user in users], dtype=np.int64)
