"""The queue of a real machine from look to look, as schedulers see queues."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from checkpoint import PreemptionRules
from swfx import UtilityTable, Workload
from swfx.accounting.annotations import Annotations
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Floats, Integers, JobTable, Preemption, QueueState
from utilitysched.runs.snapshot.jobs import NORMAL, UNKNOWN
from utilitysched_slurm.reading import ProcessorPool, SlurmJob

STAYS = 7 * 86_400.0
"""s for which processors are taken to be away of which nobody says when they come back."""

REMEMBERED = 1000
"""Jobs that ended last of which a scheduler is told again when it is prepared anew."""

REQUEUED = "REQUEUED"
"""What sacct calls the state of a run after which its job waits again."""

Worth = Callable[[SlurmJob], Annotations]
"""Tells what a job is worth and how it takes checkpoints."""


@dataclass
class KnownJob:
    """A job since its first look.

    Attributes
    ----------
    last : SlurmJob
        What was seen of it last.
    release : float
        When it was first submitted or, if it had to wait for others, could start (s).
    said : Annotations
        Curve and checkpoints, as they were then.
    """

    last: SlurmJob
    release: float
    said: Annotations


class Run(NamedTuple):
    """A run that ended: its job, the job at the last look, final state and time of the end (s)."""

    place: int
    job: KnownJob
    seen: SlurmJob
    state: str
    end: float


class Look(NamedTuple):
    """Result of a look at the queue.

    Attributes
    ----------
    now : float
        When (s).
    size : int
        Processors of the machine.
    state : QueueState or None
        What a scheduler sees; None where nobody is queued.
    decision : Decision
        What the scheduler wants done.
    keys : sequence of str
        What users call each job of the state, by its index.
    began : tuple of str
        Jobs that started since the last look.
    over : tuple of Run
        Runs that ended since.
    lost : int
        Runs that ended since of which Slurm tells nothing any more.
    left : dict of str to int
        Jobs that wait for what a plan cannot express, by that.
    """

    now: float
    size: int
    state: QueueState | None
    decision: Decision
    keys: Sequence[str]
    began: tuple[str, ...]
    over: tuple[Run, ...]
    lost: int
    left: dict[str, int]


@dataclass
class LiveQueue:
    """A queue from look to look: the jobs present, and the jobs that ended last.

    Jobs that left are let go of, now and then and all at once, so that there are never more than
    twice as many rows as jobs there and `remembered` ones. The others then have other indices.

    Parameters
    ----------
    scheduler : Scheduler
        Who decides; it is prepared anew whenever the machine has another size or jobs another
        index, and then told once more of the jobs that ended last.
    worth : callable
        Asked of each job once, when it is first seen.
    seed : int
        Of the scheduler's draws.
    since : float
        What ended before is not of interest (s); default: what ended before the first look.
    remembered : int
        Jobs that ended last that are kept, for schedulers that learn from them.
    """

    scheduler: Scheduler
    worth: Worth
    seed: int = 0
    since: float = math.inf
    remembered: int = REMEMBERED
    _size: int = 0
    _index: dict[str, int] = field(default_factory=dict)
    _jobs: list[KnownJob] = field(default_factory=list)
    _users: dict[str, int] = field(default_factory=dict)
    _queued: set[int] = field(default_factory=set)
    _running: set[int] = field(default_factory=set)
    _leaving: set[int] = field(default_factory=set)
    _alive: set[int] = field(default_factory=set)
    _wanted: set[int] = field(default_factory=set)
    _promised: dict[str, frozenset[str]] = field(default_factory=dict)
    _ended: list[Run] = field(default_factory=list)
    _told: int = 0
    _disrupted: bool = False

    def knows(self, key: str) -> bool:
        """Return whether a job was seen before, and is not let go of."""
        return key in self._index

    def revalue(self, key: str, annotations: Annotations) -> None:
        """Take a job to be worth something else from now on; plans are made anew."""
        if key in self._index:
            self._jobs[self._index[key]].said = annotations
            self._disrupted = True

    def look(
        self,
        now: float,
        jobs: Sequence[SlurmJob],
        pool: ProcessorPool,
        leaving: Collection[str] = (),
    ) -> Look:
        """Return what has become of the queue by `now` (s), and what is decided on it.

        Jobs that are `leaving` run on for a while to make room: the pool has their processors idle.
        Nobody is preempted in vain: the scheduler sees them wait as soon as none of the jobs that
        they made room for is both waiting and still chosen.
        """
        self._enter(now, jobs)
        jobs = [self._ending(job) for job in jobs]
        seen = {self._index[job.key]: job for job in jobs if job.key in self._index}
        over, lost = self._endings(now, seen)
        self._ended += (run for run in over if run.state != REQUEUED)
        running = {place for place, job in seen.items() if job.holds}
        began = [place for place, job in seen.items() if self._has_begun(place, job)]
        otherwise = self._wanted != set(began) or any(run.state == REQUEUED for run in over)
        self._disrupted |= otherwise or bool(lost)
        for place, job in seen.items():
            self._jobs[place].last = job
        waiting, left = plannable(jobs)
        queued = {self._index[job.key] for job in waiting}
        self._leaving = {place for place in running if seen[place].key in leaving}
        withheld = self._withheld(seen, queued)
        queued -= withheld
        gone = self._queued - queued - running - {run.place for run in over}
        self._running, self._queued = running, queued
        self._alive = {place for place, job in seen.items() if not job.over}
        self.since = now
        if self._resize(pool):  # it knows of nobody any more
            gone = set()
        keys = [known.last.key for known in self._jobs]
        planned = _integers(sorted(queued | self._leaving - withheld))
        state = self._state(now, pool, planned) if len(planned) else None
        decision = self._decision(state, gone)
        self._promise(decision, keys)
        names = tuple(keys[job] for job in began)
        look = Look(now, self._size, state, decision, keys, names, over, lost, left)
        if max(len(self._jobs), len(self._ended)) > 2 * (len(seen) + self.remembered):
            self._let_go(seen)
        return look

    def _enter(self, now: float, jobs: Sequence[SlurmJob]) -> None:
        """Add the jobs that are new, or came and went since the last look."""
        for job in jobs:
            place = self._index.get(job.key)
            if place is not None and job.is_other(self._jobs[place].last.submit):
                del self._index[job.key]
        new = [
            job
            for job in jobs
            if job.key not in self._index
            and (job.holds or (job.waits and not job.obstacle) or (job.over and self._ran(job)))
        ]
        for job in sorted(new, key=lambda job: (first_release(job, now), job.array or job.number)):
            self._index[job.key] = place = len(self._jobs)
            self._alive.add(place)
            self._jobs.append(KnownJob(job, first_release(job, now), self.worth(job)))
            self._users.setdefault(job.user, len(self._users))

    def _ending(self, job: SlurmJob) -> SlurmJob:
        """Return a job with the start of its run: Slurm forgets it before a requeue is complete."""
        place = self._index.get(job.key)
        if place in self._running and "COMPLETING" in job.states:
            return job._replace(start=self._jobs[place].last.start)
        return job

    def _ran(self, job: SlurmJob) -> bool:
        """Return whether a job that is over has run since the last look."""
        return job.has_run and job.end > self.since - 1  # ends are in whole seconds

    def _endings(self, now: float, seen: dict[int, SlurmJob]) -> tuple[tuple[Run, ...], int]:
        """Return the runs that ended, by end, and how many nobody tells of any more."""
        runs, lost = [], 0
        for place in sorted(self._alive):
            known, after, ran = self._jobs[place], seen.get(place), place in self._running
            before = known.last
            if after is None:
                lost += ran
                continue
            again = ran and (after.waits or _runs_again(before, after))
            if again:
                end = min(max(after.submit, before.start), now)
                runs.append(Run(place, known, before, REQUEUED, end))
            if after.over and (ran or self._ran(after)):
                runs.append(Run(place, known, after, after.ending, after.end))
        return tuple(sorted(runs, key=lambda run: run.end)), lost

    def _has_begun(self, place: int, job: SlurmJob) -> bool:
        """Return whether a job has started since the last look."""
        if place not in self._alive or not (job.holds or (job.over and self._ran(job))):
            return False
        before = self._jobs[place].last
        if before is job:  # starts are in whole seconds
            return job.start >= math.floor(self.since) if math.isfinite(self.since) else False
        return place not in self._running or _runs_again(before, job)

    def _decision(self, state: QueueState | None, gone: set[int]) -> Decision:
        """Ask the scheduler for a decision, after withdrawing the jobs that left the queue."""
        if state is None:
            decision = Decision()
        else:
            if gone:
                self.scheduler.withdraw(_integers(sorted(gone)), state.known)
            decision = self.scheduler.decide(state)
        self._wanted = set(decision.starts.tolist())
        return decision

    def _withheld(self, seen: dict[int, SlurmJob], queued: set[int]) -> set[int]:
        """Return the preempted jobs that are to leave their room to a job that still waits."""
        waiting = {seen[place].key for place in queued}
        kept = {key: others & waiting for key, others in self._promised.items()}
        self._promised = {key: others for key, others in kept.items() if others}
        ours = queued | self._leaving
        return {place for place in ours if seen[place].key in self._promised}

    def _promise(self, decision: Decision, keys: Sequence[str]) -> None:
        """Record the starts for which each preempted job makes room, until no decision has one."""
        starts = frozenset(keys[job] for job in decision.starts.tolist())
        kept = {key: others & starts for key, others in self._promised.items()}
        preempted = dict.fromkeys((keys[job] for job in decision.preempts.tolist()), starts)
        self._promised = {key: others for key, others in (kept | preempted).items() if others}

    def _let_go(self, seen: Iterable[int]) -> None:
        """Keep only the rows of jobs present and of jobs that ended last."""
        ended = self._ended[max(0, len(self._ended) - self.remembered) :]
        kept = sorted({*seen, *(run.place for run in ended)})
        place = {old: new for new, old in enumerate(kept)}
        self._jobs = [self._jobs[old] for old in kept]
        self._index = {known.last.key: new for new, known in enumerate(self._jobs)}
        self._users = {}
        for known in self._jobs:
            self._users.setdefault(known.last.user, len(self._users))
        self._queued, self._running, self._leaving, self._alive, self._wanted = (
            {place[old] for old in jobs}
            for jobs in (self._queued, self._running, self._leaving, self._alive, self._wanted)
        )
        self._ended = [run._replace(place=place[run.place]) for run in ended]
        self._size = 0

    def _resize(self, pool: ProcessorPool) -> bool:
        """Prepare the scheduler anew if the machine has another size."""
        used = sum(self._jobs[job].last.processors for job in self._running - self._leaving)
        largest = max((self._jobs[job].last.processors for job in self._queued), default=1)
        size = max(pool.processors, used, largest)
        if size == self._size:
            return False
        self._size = size
        longest = max((known.last.limit for known in self._jobs), default=0.0)
        self.scheduler.prepare(Setting(size, longest, self.seed))
        self._told, self._disrupted = 0, True
        return True

    def _state(self, now: float, pool: ProcessorPool, queued: Integers) -> QueueState:
        """Return what a scheduler sees, all that ended since the last time included."""
        running = sorted(self._running - self._leaving)
        ends = [expected_end(self._jobs[job].last, now) for job in running]
        used = sum(self._jobs[job].last.processors for job in running)
        away = max(0, self._size - used - pool.idle)
        if away:
            running, ends = [*running, len(self._jobs)], [*ends, now + STAYS]
        by_end = np.argsort(_floats(ends), kind="stable")
        known = self._known(now, away)
        done = sorted(self._ended[self._told :], key=_by_end)
        disrupted, self._told, self._disrupted = self._disrupted, len(self._ended), False
        return QueueState(
            now,
            self._size - used - away,
            queued,
            _integers(running)[by_end],
            _floats(ends)[by_end],
            _integers(run.place for run in done),
            _floats(min(run.end - run.seen.start, run.seen.limit) for run in done),
            known,
            self._preemption(away) if self.scheduler.preempts else None,
            disrupted,
            _floats(run.end for run in done),
        )

    def _known(self, now: float, away: int) -> JobTable:
        """Return the columns of all jobs and, last, of processors that are away."""
        jobs, more = self._jobs, [0] * bool(away)
        worth = [known.said.utility for known in jobs]
        curves = UtilityTable.from_functions([*worth, *(None for _ in more)])
        submit = _floats([known.release for known in jobs], [now for _ in more])
        return JobTable(
            self._size,
            submit,
            submit - submit.min(initial=now),
            _integers([known.last.processors for known in jobs], [away for _ in more]),
            _floats([known.last.limit for known in jobs], [STAYS for _ in more]),
            _integers([NORMAL] * len(jobs), more),
            _integers([self._users[known.last.user] for known in jobs], [UNKNOWN for _ in more]),
            np.array(curves.offsets),
            np.array(curves.times),
            np.array(curves.values),
        )

    def _preemption(self, away: int) -> Preemption:
        """Return what preempting each job would mean."""
        jobs, more = self._jobs, [0] * bool(away)
        interval, overhead = stop_costs([(known.last, known.said) for known in jobs])
        restarts = _integers([known.last.restarts for known in jobs], more)
        started = [
            known.last.start if known.last.holds and place not in self._leaving else np.nan
            for place, known in enumerate(jobs)
        ]
        overhead = _floats(overhead, more)
        return Preemption(
            _floats(interval, [-1.0 for _ in more]),
            overhead,
            restarts,
            _floats(started, [np.nan for _ in more]),
            np.where(restarts > 0, overhead, 0.0),
        )


def stop_costs(jobs: Sequence[tuple[SlurmJob, Annotations]]) -> tuple[Floats, Floats]:
    """Return the work between two checkpoints of jobs, and the overhead of a restart (s).

    Jobs without checkpoints start from scratch (inf); those that Slurm may not requeue must not be
    preempted (-1).
    """
    rules = PreemptionRules()
    rows = Workload.from_columns(
        submit=np.zeros(len(jobs)),
        run=_floats(job.limit for job, _ in jobs),
        processors=_integers(job.processors for job, _ in jobs),
        rerunnable=_integers(job.rerunnable for job, _ in jobs),
        checkpoint_interval=_floats(annotations.checkpoint_interval for _, annotations in jobs),
        restart_overhead=_floats(annotations.restart_overhead for _, annotations in jobs),
    )
    return np.where(rows.rerunnable > 0, rules.intervals(rows), -1.0), rules.overheads(rows)


def plannable(jobs: Iterable[SlurmJob]) -> tuple[list[SlurmJob], dict[str, int]]:
    """Return the waiting jobs that a plan may start, and how many wait for what else."""
    room: dict[int, int] = {}
    chosen: list[SlurmJob] = []
    left: dict[str, int] = {}
    for job in jobs:
        if job.at_once and job.holds:
            room[job.array] = room.get(job.array, job.at_once) - 1
    for job in jobs:
        if not job.waits:
            continue
        obstacle = job.obstacle
        if not obstacle and job.at_once:
            room[job.array] = room.get(job.array, job.at_once) - 1
            obstacle = "JobArrayTaskLimit" if room[job.array] < 0 else ""
        if obstacle:
            left[obstacle] = left.get(obstacle, 0) + 1
        else:
            chosen.append(job)
    return chosen, left


def _by_end(run: Run) -> tuple[float, int]:
    return run.end, run.place


def _runs_again(before: SlurmJob, after: SlurmJob) -> bool:
    """Return whether a job that had processors has begun another run.

    The start of a run that waits for nodes to power up moves to when they are up.
    """
    same = "CONFIGURING" in before.states and after.restarts == before.restarts
    return after.start > before.start and not same


def expected_end(job: SlurmJob, now: float) -> float:
    """Return when a running job is expected to end; the next instant where it should have."""
    due = 0.0 if "COMPLETING" in job.states else job.start + job.limit
    return max(due, float(np.nextafter(now, np.inf)))


def first_release(job: SlurmJob, now: float) -> float:
    """Return when a job could start first (s): Slurm moves its submission at a requeue."""
    known = [time for time in (job.submit, job.eligible) if 0 < time <= now]
    return min(max(known, default=now), job.start if job.holds and job.start else now)


def _floats(*parts: Iterable[float]) -> Floats:
    return np.array([value for part in parts for value in part], np.float64)


def _integers(*parts: Iterable[int]) -> Integers:
    return np.array([value for part in parts for value in part], np.int64)
