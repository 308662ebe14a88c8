"""The market in the shadow of Slurm: it looks, decides, and touches nothing."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol, Self

from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from swfx.base.numbers import plural
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.model.scheduler import Scheduler
from utilitysched.runs.records import RunSeeds, SimulationPlan
from utilitysched.runs.simulation import Watch as Progress
from utilitysched.runs.simulation import prepare, simulate_all, unwatched
from utilitysched.schedulers.recorded import FAMILY as RECORDED
from utilitysched_slurm.answers import UnreadableAnswers
from utilitysched_slurm.journal import LookNote, WatchJournal
from utilitysched_slurm.listings import Row
from utilitysched_slurm.queue import LiveQueue, Look, Worth
from utilitysched_slurm.reading import (
    ProcessorPool,
    QueueReader,
    SlurmJob,
    in_partition,
    read_nodes,
)

RUNS = "runs"
"""Folder of the run directories."""


class ClusterView(Protocol):
    """Tells of a cluster: `utilitysched_slurm.commands`, or what was recorded."""

    def queue(self) -> Sequence[Row]:
        """Return squeue's rows of all jobs."""
        ...

    def nodes(self) -> Sequence[Row]:
        """Return sinfo's rows of all nodes."""
        ...


def rehearse(scheduler: Scheduler) -> None:
    """Have a scheduler decide on two jobs, so that whatever it compiles is compiled."""
    jobs = [SlurmJob(str(number), number, submit=1.0, limit=60.0) for number in (1, 2)]
    curve = Annotations(utility=UtilityFunction([0.0, 60.0], [1.0, 0.0]))
    LiveQueue(scheduler, lambda _: curve).look(2.0, jobs, ProcessorPool(1, 1))


class Shadow:
    """Looks at a cluster, and notes what a scheduler would do and what Slurm does.

    Parameters
    ----------
    folder : Path
        Of the notes; one that is there is gone on with.
    source : ClusterView
        The cluster.
    scheduler : Scheduler
        Who decides.
    worth : callable
        What jobs are worth.
    partition : str
        The only one that counts, if any.
    seed : int
        Of the scheduler's draws.

    Attributes
    ----------
    started, seen, wanted : int
        Jobs that Slurm started; of those, how many had been seen waiting; of those, how many the
        scheduler would have started by then.
    lost : int
        Runs of which Slurm told no end.
    on_look : callable
        Told what each look showed.
    answers : UnreadableAnswers
        Answers of Slurm that could not be read.
    reader : QueueReader
        Reader of the queue.
    """

    def __init__(
        self,
        folder: Path,
        source: ClusterView,
        scheduler: Scheduler,
        worth: Worth,
        partition: str = "",
        seed: int = 0,
    ) -> None:
        self.journal = WatchJournal(folder)
        self.folder, self.label = folder, scheduler.label
        self._source = source
        self._partition, self._seed = partition, seed
        self._queue = LiveQueue(scheduler, worth, seed)
        self.answers = UnreadableAnswers()
        self.reader = QueueReader(self.answers.note)
        if self.journal.last is not None:
            self._queue.since = self.journal.last
        self._waiting: dict[str, bool] = {}
        self._size = 0
        self.started = self.seen = self.wanted = self.lost = 0
        self.on_look: Callable[[Look], None] = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.__exit__()

    def look(self, now: float) -> LookNote:
        """Look once, at `now` (s), decide, and note it.

        Raises
        ------
        SlurmError
            The cluster does not answer; nothing has changed.
        """
        jobs = in_partition(self.reader.read(self._source.queue()), self._partition)
        pool, problems = read_nodes(self._source.nodes(), self._partition)
        for problem in problems:
            self.answers.note(f"sinfo: {problem}")
        return self.see(now, jobs, pool)

    def knows(self, key: str) -> bool:
        """Return whether a job was seen before."""
        return self._queue.knows(key)

    def revalue(self, key: str, annotations: Annotations) -> None:
        """Take a job to be worth something else from now on."""
        self._queue.revalue(key, annotations)

    def see(
        self,
        now: float,
        jobs: Sequence[SlurmJob],
        pool: ProcessorPool,
        leaving: Collection[str] = (),
    ) -> LookNote:
        """Decide on what was read, and note it; see `LiveQueue.look`."""
        look = self._queue.look(float(now), jobs, pool, leaving)
        self._size = look.size
        self.on_look(look)
        self.journal.add(look.over)
        decided = self._decided(look, pool.idle)
        self._count(look, decided)
        self.journal.note(decided)
        return decided

    @staticmethod
    def _decided(look: Look, idle: int) -> LookNote:
        state, keys, decision = look.state, look.keys, look.decision
        return LookNote(
            look.now,
            0 if state is None else len(state.queued),
            idle if state is None else state.free,
            tuple(keys[job] for job in decision.starts),
            tuple(keys[job] for job in decision.preempts),
            look.began,
            look.left,
        )

    def _count(self, look: Look, decided: LookNote) -> None:
        self.lost += look.lost
        self.started += len(look.began)
        for key in look.began:
            if key in self._waiting:
                self.seen += 1
                self.wanted += self._waiting[key]
        waiting = () if look.state is None else look.state.queued
        keys = [look.keys[job] for job in waiting]
        self._waiting = {
            key: key in decided.starts or self._waiting.get(key, False) for key in keys
        }

    def write_runs(
        self, echo: Callable[[str], None], progress: Progress = unwatched
    ) -> dict[str, Path]:
        """Write what Slurm did, and what the scheduler would have done, as run directories.

        All that has ended is played as it was submitted, under the very scheduler, for as long as
        it ran.

        Returns
        -------
        dict of str to Path
            Directories by scheduler; none where nothing has ended yet.

        Raises
        ------
        InputError
            They cannot be written.
        """
        if not len(self.journal) or not self._size:
            return {}
        plan = SimulationPlan(
            WorkloadSource(f"slurm:{self.journal.listing}", machine_size=self._size),
            [RECORDED, self.label],
            utilities=AS_THEY_ARE,
            seeds=RunSeeds(self._seed),
            out=self.folder / RUNS,
            force=True,
        )
        runs = simulate_all(plan, prepare(plan, echo), echo, progress)
        return {run.schedule.scheduler: run.directory for run in runs if run.directory}

    def summary(self) -> str:
        """Return a sentence on what was seen."""
        lost = f"; {plural(self.lost, 'run')} ended unseen and is left out" if self.lost else ""
        return (
            f"{plural(len(self.journal), 'run')} recorded; Slurm started"
            f" {plural(self.started, 'job')}; of the {self.seen} seen waiting before,"
            f" {self.label} would have started {self.wanted} earlier{lost}"
        )
