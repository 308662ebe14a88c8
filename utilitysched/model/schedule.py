"""The result of a simulation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from checkpoint.failures import Outages
from swfx import Workload
from swfx.base.displayed import Displayed
from utilitysched.model.segments import Segments
from utilitysched.model.state import Floats

if TYPE_CHECKING:
    import pandas as pd

    from swfx.machine import Machine
    from utilitysched.model.machine import HeldBack

SEARCH = "search"
"""What the provenance of a schedule has notes of its searches under."""


@dataclass(frozen=True, eq=False)
class Schedule(Displayed):
    """When every job of a workload started and ended.

    Attributes
    ----------
    start, end : (n,) float64
        First start and completion of each job on the log's clock (s), in workload order.
    backfilled : (n,) bool
        The job started in a pass in which a job ahead of it in the queue order stayed blocked.
    machine_size : int
        Processors of the machine.
    scheduler : str
        Label of the scheduler.
    passes : int
        Scheduling passes made: distinct event instants, and repeats of an instant at which a
        job without run time completed. Of pools that are played one by one, those of all of them.
    provenance : mapping
        Enough to repeat the run: workload digest, machine size, priority classes, scheduler,
        its options, seed.
    elapsed : float
        Wall-clock time the simulation took (s). Not part of the result: two runs of the same
        seed agree in everything but this and `deciding`.
    deciding : (k,) float64 or None
        Wall-clock time that each decision took (s), as little a part of the result; None where the
        compiled loop decides, which does not stop for the time.
    starvation_threshold : float
        Wait (s) beyond which the scheduler let a job go ahead of all others, infinite if none.
    release : (n,) float64 or None
        When each job was submitted in this simulation (s), where dependencies decided it, or jobs
        became eligible later than they were submitted; None where it was when the log says. All
        figures count from here: the log's submit time of a job that waited for another one tells
        when that one ended in the log's own schedule.
    segments : Segments or None
        The stretches in which jobs ran, where some could be stopped and go on later; None where
        each ran from its start to its end.
    processors : tuple of str or None
        Processors of each job as ranges, where jobs shared nodes; None where any would do, or
        segments have them.
    killed : (n,) bool or None
        The job was killed at its limit before its work was done, because its neighbours slowed it;
        None where jobs do not share nodes, or may finish. See `cut_short`.
    held : HeldBack or None
        For how long each job waited for a limit or a window; None where a machine has neither.
    """

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    backfilled: NDArray[np.bool_]
    machine_size: int
    scheduler: str
    passes: int
    provenance: Mapping[str, object] = field(default_factory=dict)
    elapsed: float = 0.0
    starvation_threshold: float = math.inf
    release: NDArray[np.float64] | None = None
    segments: Segments | None = None
    deciding: NDArray[np.float64] | None = None
    processors: tuple[str, ...] | None = None
    killed: NDArray[np.bool_] | None = None
    held: "HeldBack | None" = None

    def __post_init__(self) -> None:
        for column in (self.start, self.end, self.backfilled, self.release, self.killed):
            if column is not None:
                column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        jobs, processors = f"{len(self):,} jobs", f"{self.machine_size:,} processors"
        return f"<Schedule: {jobs} by {self.scheduler} on {processors}>"

    def __eq__(self, other: object) -> bool:
        """Whether both are the same result, whatever the time they took."""
        if not isinstance(other, Schedule):
            return NotImplemented
        return self.segments == other.segments and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in self.__dataclass_fields__
            if name not in ("elapsed", "deciding", "segments")
        )

    __hash__ = None  # type: ignore[assignment]  # columns have no hash

    @property
    def shared(self) -> bool:
        """Whether jobs shared nodes."""
        return "shared" in self.provenance

    def submitted(self, workload: Workload) -> NDArray[np.float64]:
        """Return when each job was submitted: its release, else the log's submit time (s)."""
        return workload.submit if self.release is None else self.release

    def wait(self, workload: Workload) -> NDArray[np.float64]:
        """Return each job's wait time: first start - submit (s)."""
        return self.start - self.submitted(workload)

    def turnaround(self, workload: Workload) -> NDArray[np.float64]:
        """Return each job's turnaround time: completion - submit (s)."""
        return self.end - self.submitted(workload)

    @property
    def running_time(self) -> NDArray[np.float64]:
        """For how long each job held its processors (s), in all its segments."""
        if self.segments is None:
            return self.end - self.start
        return self.segments.per_job(self.segments.elapsed, len(self))

    def cut_short(self, workload: Workload) -> NDArray[np.bool_]:
        """Return which jobs were killed with work left that their requests had time for, (n,).

        Their neighbours slowed them, or a restart took longer than their requests were extended by.
        """
        if self.killed is not None:
            return self.killed
        if self.segments is None or self.shared:
            return np.zeros(len(self), np.bool_)
        return self.segments.cut_short(workload.effective_run)

    def utility(self, workload: Workload) -> NDArray[np.float64]:
        """Return each job's utility function at its turnaround time (SU).

        0 without a utility function, and for a job that was cut short.
        """
        worth = workload.utility.evaluate(self.turnaround(workload))
        return np.where(self.cut_short(workload), 0.0, worth)

    def queued(self, workload: Workload) -> NDArray[np.float64]:
        """Return for how long each job was in the queue: turnaround less time running (s)."""
        if self.segments is None:
            return self.wait(workload)
        return self.turnaround(workload) - self.running_time

    def used(self, workload: Workload) -> NDArray[np.float64]:
        """Return the processor-seconds that each job used: of all segments."""
        return self.running_time * workload.size

    def to_frame(
        self, workload: Workload, *, allocations: Sequence[str] | None = None
    ) -> "pd.DataFrame":
        """Table of one row per job, with the columns of ``jobs.csv``, then names of labels.

        Of a job that was stopped and went on later, these are its first start and its completion.
        ``success`` and ``backfilled`` are bool, numbers of jobs and of labels, classes and counts
        int64, other numbers float64, NaN where the file has an empty cell; the rest is text.

        Parameters
        ----------
        workload : Workload
            The n jobs that were simulated.
        allocations : sequence of str, optional
            Processors of each job, or of each segment, as `utilitysched.allocations` gives them;
            empty text without, unless the schedule has them itself.

        Returns
        -------
        pandas.DataFrame
            n rows in workload order: s for times, SU for utilities; docs/files.md has each column.

        Raises
        ------
        InputError
            The schedule is of another number of jobs.

        Examples
        --------
        >>> from utilitysched import simulate
        >>> jobs = Workload.from_columns(submit=[0, 1], run=[10, 5], processors=[4, 2])
        >>> table = simulate(jobs, "easy", machine_size=4).to_frame(jobs)
        >>> table[["job_id", "starting_time", "waiting_time"]]
           job_id  starting_time  waiting_time
        0       1            0.0           0.0
        1       2           10.0           9.0
        """
        from utilitysched.model.job_columns import job_frame  # noqa: PLC0415 - it knows schedules

        return job_frame(workload, self, allocations)


@dataclass(frozen=True)
class SimulationOutcome:
    """Starts and ends in arrival order; see `utilitysched.Schedule` for the columns.

    `release` is None where every job was submitted when the log says, `segments` where each ran in
    one piece. They name jobs by position in the workload. `outages` are those that began before
    the last job ended, None where nothing fails. `deciding` is the wall-clock time of each decision
    (s), None where the compiled loop decided. `held` is None without limits and windows.
    """

    start: Floats
    end: Floats
    backfilled: NDArray[np.bool_]
    passes: int
    release: Floats | None = None
    segments: Segments | None = None
    outages: Outages | None = None
    deciding: Floats | None = None
    held: "HeldBack | None" = None


def recorded_classes(provenance: Mapping[str, Any]) -> dict[int, int] | None:
    """Return the priority classes by queue number that the provenance of a schedule records."""
    classes = provenance["classes"]
    return {int(queue): int(rank) for queue, rank in classes.items()} if classes else None


def recorded_machine(provenance: Mapping[str, object]) -> "Machine | None":
    """Return the machine that the provenance of a schedule records; None where there is none."""
    document = provenance.get("machine")
    if document is None:
        return None
    from swfx.base.document import check_document  # noqa: PLC0415 - most schedules have none
    from swfx.machine import Machine  # noqa: PLC0415 - as above

    return check_document(Machine, document, "run.json")
