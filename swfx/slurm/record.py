"""One record of sacct: a run of a job, or what has become of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from typing import NamedTuple

from swfx.accounting.dates import is_certain, ordered_instants
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import duration
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.job_ids import JobId
from swfx.slurm.resources import Counting, allocated
from swfx.slurm.states import State, parse_state

__all__ = [
    "LEAVES_THE_QUEUE",
    "NEVER_STARTED",
    "NO_SUBMISSION",
    "STILL_RUNNING",
    "STILL_WAITING",
    "TIMES",
    "WHY_NO_RUN",
    "Record",
    "Rows",
]

NO_SUBMISSION = Rule("no-submission", "dropped", "the time of submission is unknown")
NEVER_STARTED = Rule("never-started", "dropped", "the job never started")
PENDING_TASKS = Rule(
    "pending-tasks", "dropped", "tasks of a job array that had not started, in one record"
)
STILL_WAITING = Rule("still-waiting", "dropped", "the job was waiting when the log was written")
STILL_RUNNING = Rule("still-running", "dropped", "the job was running when the log was written")
ELAPSED_DIFFERS = Rule(
    "elapsed-differs", "noted", "the elapsed time is not the time from start to end"
)

TIMES = ("Submit", "Start", "End")
"""Columns."""

LEAVES_THE_QUEUE = frozenset({"CANCELLED", "DEADLINE", "REVOKED"})
"""States of jobs that may never have started."""


WHY_NO_RUN = (None, PENDING_TASKS, NEVER_STARTED, STILL_WAITING, STILL_RUNNING)
"""What `Record.why_no_run` may say."""


class _Times(NamedTuple):
    """Submission and start (Unix times), run time (s), and the part of it without processors."""

    submit: float | None
    start: float | None
    run: float | None = None
    suspended: float = 0.0


class Record(NamedTuple):
    """A line of a job: Unix times (s), run time (s), processors, state; None is unknown.

    `suspended` is the part of the run time (s) for which it held no processors.
    """

    row: Row
    id: JobId
    cluster: str
    user: str
    submit: float
    start: float | None
    run: float | None
    processors: int
    state: State
    suspended: float = 0.0

    @property
    def started(self) -> float:
        """Unix time (s) at which a run began."""
        return MISSING if self.start is None else self.start

    @property
    def ran(self) -> float:
        """Run time (s) of a run."""
        return MISSING if self.run is None else self.run

    @property
    def ended(self) -> float:
        """Unix time (s) at which a run was over."""
        return self.started + self.ran

    def why_no_run(self) -> Rule | None:
        """Give the rule by which this is no run that came to its end."""
        if self.id.pending_tasks:
            return PENDING_TASKS
        if self.start is None:
            return NEVER_STARTED if self.state.over else STILL_WAITING
        if self.run is None or not self.state.over:
            return STILL_RUNNING
        # a job that leaves the queue without having run may have the time it left as its start
        if self.state.name in LEAVES_THE_QUEUE and not self.run:
            return NEVER_STARTED
        return None


@dataclass(frozen=True)
class Rows:
    """How rows of one export become records."""

    columns: Columns
    zone: tzinfo
    counting: Counting
    listing: Listing

    @cached_property
    def id_column(self) -> str:
        """Column that tells jobs."""
        return self.columns.first(("JobID", "JobIDRaw")) or ""

    @cached_property
    def group_column(self) -> str:
        """Column that tells groups."""
        return self.columns.first(("Account", "Group", "GID")) or ""

    @cached_property
    def user_column(self) -> str:
        """Column that tells users."""
        return self.columns.first(("User", "UID")) or ""

    @cached_property
    def elapsed_column(self) -> str:
        """Column that tells how long jobs ran."""
        return self.columns.first(("ElapsedRaw", "Elapsed")) or ""

    def record(self, row: Row, job: JobId) -> Record:
        """Read a job's row.

        Raises
        ------
        RecordError
            A time or a number of processors is unreadable, or the submission is unknown.
        """
        submit, start, run, suspended = self._times(row)
        if submit is None:
            raise RecordError(NO_SUBMISSION, self.text(row, "Submit"), "Submit")
        held = None if run is None else run - suspended
        return Record(
            row,
            job,
            self.text(row, "Cluster"),
            self.text(row, self.user_column),
            submit,
            start,
            run,
            allocated(self.columns, row.cells, self.counting, held),
            self._state(row),
            suspended,
        )

    def text(self, row: Row, name: str) -> str:
        """Cell in a column, empty where there is none."""
        return self.columns.cell(row.cells, name)

    def _times(self, row: Row) -> _Times:
        texts = tuple(self.text(row, name) for name in TIMES)
        submit, start, end = ordered_instants(texts, self.zone, TIMES)
        if start is None or (end is None and "End" in self.columns):
            return _Times(submit, start)
        held = duration(self.text(row, self.elapsed_column), self.elapsed_column)
        suspended = duration(self.text(row, "Suspended"), "Suspended") or 0.0
        if end is None or held is None:
            run = end - start if end is not None else held and held + suspended
            return _Times(submit, start, run, suspended)
        elapsed = held + suspended
        if elapsed == end - start:
            return _Times(submit, start, elapsed, suspended)
        submit, start, end = ordered_instants(texts, self.zone, TIMES, elapsed)
        if start is None or end is None or elapsed == end - start:
            return _Times(submit, start, elapsed, suspended)
        self.listing.add(row.line, ELAPSED_DIFFERS)
        certain = all(is_certain(text, self.zone) for text in texts[1:])
        if certain and "Suspended" not in self.columns and end - start > held:
            return _Times(submit, start, end - start, end - start - held)
        return _Times(submit, start, elapsed, suspended)

    def _state(self, row: Row) -> State:
        try:
            return parse_state(self.text(row, "State"))
        except RecordError as error:
            self.listing.refuse(row.line, error)
            return parse_state("")
