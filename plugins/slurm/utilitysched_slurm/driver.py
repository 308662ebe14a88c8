"""The market in command of Slurm: it admits jobs, decides, and has Slurm do what was decided."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from swfx.accounting.annotations import Annotations
from swfx.base.atomic import atomic_write
from swfx.base.numbers import plural
from utilitysched.model.scheduler import Scheduler
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.admission import Admission
from utilitysched_slurm.commands import UNREADABLE, Action, SlurmError, UnreadableError
from utilitysched_slurm.comments import NEW
from utilitysched_slurm.commitments import BidJournal
from utilitysched_slurm.journal import LookNote, WatchJournal
from utilitysched_slurm.moment import snapshot_of
from utilitysched_slurm.preconditions import REMEMBERED
from utilitysched_slurm.queue import LiveQueue, Worth
from utilitysched_slurm.reading import (
    ProcessorPool,
    SlurmJob,
    in_partition,
    read_nodes,
    unclear,
)
from utilitysched_slurm.reconcile import (
    PATIENCE,
    PREFERRED,
    Desired,
    is_leaving,
    left_to_slurm,
    reconcile,
)
from utilitysched_slurm.refusals import Refusals
from utilitysched_slurm.script import BypassWatch
from utilitysched_slurm.store import AdmittedJob, MarketStore
from utilitysched_slurm.watch import ClusterView, Shadow

if TYPE_CHECKING:
    from utilitysched_slurm.money import Treasury

POLL = 0.25
"""s between two looks at whether what was released has started."""

AT_ONCE = 500
"""Orders given to Slurm in one go: a sign of life follows, and these take some seconds at most."""

HEARTBEAT = "heartbeat"
"""File of which the first line is when the driver was alive last (s of Unix time)."""


class CommandedCluster(ClusterView, Protocol):
    """A cluster that is told what to do: `utilitysched_slurm.commands`, or one of our making."""

    def apply(self, actions: Sequence[Action]) -> Mapping[str, str]:
        """Carry out actions, and return the refusals by job."""
        ...

    def waits(self, keys: Sequence[str]) -> Collection[str]:
        """Return the jobs among `keys` that wait: a cheap question, asked again and again."""
        ...


@dataclass(frozen=True)
class DriverTerms:
    """Terms of a driver.

    Attributes
    ----------
    partition : str
        The only one that counts, if any.
    seed : int
        Of the scheduler's draws.
    grace : float
        For how long a job may write its checkpoint before it is ended (s).
    hold : bool
        Hold each job until its turn; else Slurm orders and places them, the market's first ahead.
    patience : float
        After which a released job that has not started is left to Slurm (s).
    notes : list of str
        Where `worth` leaves what it has to say of a bid; emptied before each admission.
    echo : callable
        Takes lines for people.
    clock, sleep : callable
        Unix time (s), and waiting for so many seconds.
    """

    partition: str = ""
    seed: int = 0
    grace: float = 60.0
    hold: bool = True
    patience: float = PATIENCE
    notes: list[str] = field(default_factory=list)
    echo: Callable[[str], None] = lambda _: None
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class CycleReport(NamedTuple):
    """Report on a cycle.

    Attributes
    ----------
    now : float
        When it began (s).
    seconds : float
        How long it took.
    queued, running : int
        Jobs that wait and that have processors.
    released, preempted : int
        Jobs that it let start, and that it told to make room.
    left, refused : int
        Jobs that are left to Slurm, and that wait because their account cannot pay.
    drift : int
        Jobs that were not as the market had left them, or came past its script, and were put right.
    held_money : float
        What is set aside for jobs (SU).
    unreadable : int
        Answers of Slurm that could not be read since the last report.
    """

    now: float
    seconds: float
    queued: int
    running: int
    released: int
    preempted: int
    left: int
    refused: int
    drift: int
    held_money: float
    unreadable: int = 0


class Driver:
    """Has a cluster run what a scheduler decides, cycle by cycle.

    All it has told Slurm may be lost, and it may itself be killed, at any moment: each cycle reads
    the queue anew and puts right what is otherwise.

    Parameters
    ----------
    folder : Path
        Of the notes of a watch, and of the store; one that is there is gone on with.
    cluster : CommandedCluster
        Who is told.
    scheduler : Scheduler
        Who decides.
    worth : callable
        What jobs are worth, asked once when they are admitted.
    terms : DriverTerms
        How.
    purse : Treasury or None
        Who pays; None: nobody does.

    Attributes
    ----------
    store : MarketStore
        Of the admitted jobs.
    shadow : Shadow
        Who looks, decides and takes notes.
    report : CycleReport or None
        On the last cycle.
    on_step : callable
        Called after each step of a cycle, which may have many.
    """

    def __init__(
        self,
        folder: Path,
        cluster: CommandedCluster,
        scheduler: Scheduler,
        worth: Worth,
        terms: DriverTerms | None = None,
        purse: "Treasury | None" = None,
    ) -> None:
        self.terms = terms or DriverTerms()
        with ExitStack() as opened:
            self.shadow = opened.enter_context(
                Shadow(
                    folder, cluster, scheduler, self._worth, self.terms.partition, self.terms.seed
                )
            )
            self.store = opened.enter_context(MarketStore(folder, self.terms.clock()))
            self.bids = opened.enter_context(BidJournal(folder))
            active = self.store.active.values()
            self.bids.require((job.key, job.said.utility, job.submit) for job in active)
            if purse is not None:
                self.bids.require(purse.curves())
            self._open = opened.pop_all()
        self.report: CycleReport | None = None
        self.on_step: Callable[[], None] = lambda: None
        self._looked = self.shadow.journal.last
        self._order: LiveQueue | None = None
        if not self.terms.hold:
            decides = make_scheduler(scheduler.label)
            self._order = LiveQueue(decides, self._worth, self.terms.seed)
        self._refusals, self._bypass = Refusals(self.terms.echo), BypassWatch(self.terms.echo)
        self._answers, self._pool = self.shadow.answers, ProcessorPool(0, 0)
        self._answers.echo = self.terms.echo
        self.shadow.reader.last = [unclear(job.as_job()) for job in self.store.active.values()]
        self._cluster, self._base_worth, self._purse = cluster, worth, purse
        self._admission = Admission(
            self.store, worth, self.terms.notes, purse, self._revalue, self.bids
        )
        if purse is not None:
            self.shadow.on_look = purse.decided

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def journal(self) -> WatchJournal:
        """Files of the watch."""
        return self.shadow.journal

    def cycle(self) -> LookNote:
        """Read the queue, admit jobs, decide, carry out the decision, and check its outcome.

        What cannot be read of an answer is told and left alone; all else goes on.

        Raises
        ------
        SlurmError
            The cluster does not answer: the next cycle begins anew.
        """
        now = self.terms.clock()
        everyone = self._read_queue()
        jobs = in_partition(everyone, self.terms.partition)
        pool = self._read_pool()
        self._say_gap(now)
        past = 0
        if self.terms.hold:
            past = self._bypass.count(job for job in jobs if job.key not in self.store.active)
        later = self._admission.admit(now, jobs, partial(self._moment, now, pool))
        self.on_step()
        held = self._steps(now, jobs, pool, self._as_is(jobs))
        drift = self._drift(held, jobs) + past
        jobs = self._act(now, jobs, [*later, *held])
        decided = self._decide(now, jobs, pool)
        self.on_step()
        plan = Desired(decided.starts, decided.preempts)
        if self._order is not None:
            plan = self._first(self._order, now, jobs, pool.processors)
        steps = self._steps(now, jobs, pool, plan)
        self._act(now, jobs, steps)
        if self.terms.hold:
            self._see_started()
        if self._purse is not None:
            for problem in self._purse.settle(now, everyone, self._since).unreadable:
                self._answers.note(problem)
        self.report = self._reported(now, jobs, steps, decided, drift)
        return decided

    def release_all(self) -> Mapping[str, str]:
        """Let go of all jobs that wait: Slurm goes on by itself, by priorities of its own.

        Jobs that were let start and still wait are released, too: a priority that an operator has
        set, Slurm keeps for ever. So it does what makes a job come first.

        Returns
        -------
        mapping of str to str
            Jobs that Slurm would not release, and why.

        Raises
        ------
        SlurmError
            The cluster does not answer.
        """
        jobs = in_partition(self._read_queue(), self.terms.partition)
        waiting = [job for job in jobs if job.waits or not job.clear]
        ours = [job for job in waiting if job.key in self.store.active or job.admin_comment == NEW]
        ours.sort(key=lambda job: (job.submit, job.array or job.number))
        actions = [Action("release", job.key) for job in ours]
        actions += [Action("nice", job.key, "0") for job in ours if job.nice == PREFERRED]
        refused = self._cluster.apply(actions)
        self.store.change([job.key for job in ours], released=None, leaving=None)
        return refused

    def summary(self) -> str:
        """Return a sentence on what was done."""
        over = self.store.count()
        return (
            f"{plural(over, 'job')} of the market ended, {len(self.store.active)} are there;"
            f" {plural(len(self.journal), 'run')} recorded"
        )

    def beat(self, file: Path) -> None:
        """Write down that we are alive, for the script that holds jobs at submission."""
        now = self.terms.clock()
        with atomic_write(file) as stream:
            stream.write(f"{now:.0f}\n".encode())
        file.chmod(0o644)
        self._bypass.beat(now)

    def _read_queue(self) -> list[SlurmJob]:
        try:
            return self.shadow.reader.read(self._cluster.queue())
        except UnreadableError as error:
            self._answers.note(str(error))
            raise

    def _read_pool(self) -> ProcessorPool:
        """Return the processors: where Slurm does not say which are idle, none is."""
        try:
            self._pool, problems = read_nodes(self._cluster.nodes(), self.terms.partition)
        except SlurmError as error:
            self._answers.note(str(error))
            return self._pool._replace(idle=0)
        for problem in problems:
            self._answers.note(f"sinfo: {problem}")
        return self._pool

    def _say_gap(self, now: float) -> None:
        """Say that jobs may have come and gone since the last look: Slurm shows them no more."""
        last, self._looked = self._looked, now
        if self._purse is not None and last is not None and now - last > REMEMBERED:
            self.terms.echo(
                f"nothing was noted for {now - last:.0f} s: jobs that were submitted, ran and ended"
                " meanwhile, and that Slurm shows no more, are not charged"
            )

    def _worth(self, job: SlurmJob) -> Annotations:
        entry = self.store.active.get(job.key)
        return self._base_worth(job) if entry is None else entry.said

    def _revalue(self, key: str, annotations: Annotations) -> None:
        self.shadow.revalue(key, annotations)
        if self._order is not None:
            self._order.revalue(key, annotations)

    def _since(self, key: str, submit: float) -> float:
        """Return the time at which a job's curve began (s): its release, if the job had to wait."""
        entry = self.store.last(key)
        return entry.release or submit if entry and entry.submit == submit else submit

    def _moment(self, now: float, pool: ProcessorPool, jobs: Iterable[SlurmJob]) -> Snapshot:
        """Return a queue from the scheduler's point of view."""
        seen = [self._as_planned(job, now) for job in jobs]
        return snapshot_of(now, seen, pool, self._worth, self.shadow.label)

    def _decide(self, now: float, jobs: Sequence[SlurmJob], pool: ProcessorPool) -> LookNote:
        """Ask the scheduler about the queue in which jobs that make room have done so."""
        active = self.store.active
        leaving = {
            job.key: job.processors
            for job in jobs
            if job.key in active and is_leaving(job, active[job.key])
        }
        freed = pool._replace(idle=pool.idle + sum(leaving.values()))
        seen = [self._as_planned(job, now) for job in jobs]
        return self.shadow.see(now, seen, freed, leaving.keys())

    def _as_planned(self, job: SlurmJob, now: float) -> SlurmJob:
        """Return a job for the plan: a job that the market holds waits for nothing else."""
        entry = self.store.active.get(job.key)
        if entry is None:
            reason = "admission" if job.waits and not job.held else job.reason
            return job._replace(reason=reason, rerunnable=False)
        if not self.shadow.knows(job.key):
            job = job._replace(submit=entry.submit, eligible=entry.release or entry.submit)
        if not job.waits or job.parted:
            return job
        if entry.refused:
            reason = "account"
        elif self.terms.hold and left_to_slurm(job, entry, now - self.terms.patience):
            reason = "released"
        elif entry.release is None:
            reason = "Dependency" if job.depends else "BeginTime"
        else:
            reason = ""
        return job._replace(held=False, reason=reason)

    def _as_is(self, jobs: Iterable[SlurmJob]) -> Desired:
        """Return the plan that changes nothing before the next decision."""
        first = tuple(job.key for job in jobs if job.nice == PREFERRED)
        return Desired(() if self.terms.hold else first, hold=self.terms.hold)

    def _first(
        self, order: LiveQueue, now: float, jobs: Iterable[SlurmJob], processors: int
    ) -> Desired:
        """Return a plan of the jobs that would start if the whole machine were idle."""
        waiting = [self._as_planned(job, now) for job in jobs if job.waits]
        look = order.look(now, waiting, ProcessorPool(processors, processors))
        starts = [look.keys[place] for place in look.decision.starts.tolist()]
        return Desired(tuple(starts), hold=False)

    def _steps(
        self, now: float, jobs: Sequence[SlurmJob], pool: ProcessorPool, plan: Desired
    ) -> list[Action]:
        return reconcile(now, jobs, pool.idle, plan, self.store.active, self.terms.grace)

    def _act(
        self, now: float, jobs: Sequence[SlurmJob], actions: Sequence[Action]
    ) -> list[SlurmJob]:
        """Write down actions, carry them out, and return the jobs after them.

        What is lost on the way is found at the next cycle, and put right.
        """
        by_verb: dict[str, list[str]] = {}
        for each in actions:
            by_verb.setdefault(each.verb, []).append(each.key)
        active = self.store.active
        ending = [*by_verb.get("checkpoint", ()), *by_verb.get("requeue", ())]
        first = [key for key in ending if active[key].leaving is None]
        self.store.change(first, leaving=now, released=None)
        self.store.change(by_verb.get("hold", ()), released=None)
        self.store.change(by_verb.get("release", ()), released=now)
        refused: dict[str, str] = {}
        for place in range(0, len(actions), AT_ONCE):
            refused |= self._cluster.apply(actions[place : place + AT_ONCE])
            self.on_step()
        for why in {why for why in refused.values() if why.startswith(UNREADABLE)}:
            self._answers.note(why)
        self._refusals.note(now, {each.key for each in actions}, refused, active)
        done: dict[str, dict[str, Any]] = {}
        for each in actions:
            if each.key not in refused:
                done.setdefault(each.key, {}).update(_effect(each))
        return [job._replace(**done[job.key]) if job.key in done else job for job in jobs]

    def _see_started(self) -> None:
        """Wait until every released job has started, or is left to Slurm."""
        starting: Collection[str] = [
            key for key, entry in self.store.active.items() if entry.released
        ]
        while starting := [key for key in starting if self._may_start(self.store.active[key])]:
            self.terms.sleep(POLL)
            try:
                starting = self._cluster.waits(starting)
            except SlurmError as error:  # the next cycle sees what has become of them
                self._answers.note(str(error))
                return

    def _may_start(self, entry: AdmittedJob) -> bool:
        since = self.terms.clock() - self.terms.patience
        return entry.released is not None and entry.released >= since

    def _reported(
        self,
        now: float,
        jobs: Sequence[SlurmJob],
        steps: Sequence[Action],
        decided: LookNote,
        drift: int,
    ) -> CycleReport:
        verbs = [each.verb for each in steps]
        return CycleReport(
            now,
            self.terms.clock() - now,
            sum(job.waits for job in jobs),
            sum(job.holds for job in jobs),
            verbs.count("release"),
            len(decided.preempts),
            sum(decided.left.values()),
            sum(bool(entry.refused) for entry in self.store.active.values()),
            drift,
            0.0 if self._purse is None else self._purse.held_money(),
            self._answers.counted(),
        )

    def _drift(self, steps: Sequence[Action], jobs: Sequence[SlurmJob]) -> int:
        """Return how many jobs are held again that the market had held before."""
        again = {each.key for each in steps if each.verb == "hold"}
        return sum(job.key in again and AdmittedJob.from_comment(job) is not None for job in jobs)


def _effect(action: Action) -> dict[str, Any]:
    """Return what an action changes of a job, as it is read at the next look."""
    match action.verb:
        case "hold":
            return {"held": True, "reason": "JobHeldAdmin"}
        case "describe":
            return {"admin_comment": action.value}
        case "release":
            return {"held": False, "reason": ""}
        case "nice":
            return {"nice": int(action.value)}
        case "requeue":
            return {"states": frozenset({"COMPLETING"})}
        case "checkpoint":
            return {}
