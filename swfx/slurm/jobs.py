"""Jobs of a workload from their runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from swfx.accounting.annotations import Annotations, read_comment
from swfx.accounting.jobs import LogJob
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import number_of, numbered
from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.accounting.table import Row
from swfx.fields import MISSING
from swfx.report import Rule
from swfx.slurm.dependencies import Predecessors
from swfx.slurm.job_lines import JobLine, Requeue
from swfx.slurm.record import Record, Rows
from swfx.slurm.resources import cpu_time, requested, requested_memory, time_limit
from swfx.slurm.steps import memory_used

__all__ = ["JobMaker"]

EARLIER_RUNS_MISSING = Rule(
    "earlier-runs-missing", "noted", "the job was requeued, and its earlier runs are not in the log"
)
NO_PREDECESSOR = Rule(
    "no-predecessor", "repaired", "the job that this one waited for is not in the log: left out"
)


class JobMaker:
    """Makes the jobs of a workload.

    Parameters
    ----------
    rows : Rows
        The export.
    requeue : {"last", "each", "sum"}
        What the line of a requeued job holds.
    step_memory : dict
        Most memory (KB) of the steps of a record, by its line.
    """

    def __init__(self, rows: Rows, requeue: Requeue, step_memory: dict[int, float]) -> None:
        self._rows = rows
        self._requeue = requeue
        self._step_memory = step_memory
        self._group = rows.columns.first(("Account", "Group", "GID")) or ""
        self._names = JobNames()

    def jobs(self, lines: Sequence[JobLine]) -> list[LogJob]:
        """Make one job of each line."""
        jobs = numbered([self._job(line) for line in lines], self._rows.listing)
        numbers = [job.job_id for job in jobs]
        predecessors = Predecessors([line.last for line in lines])
        return [
            self._linked(job, line, predecessors, numbers)
            for job, line in zip(jobs, lines, strict=True)
        ]

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what the numbers mean."""
        return (" Conversion: from Slurm accounting (sacct)", *self._names.header_lines())

    def _text(self, record: Record, column: str) -> str:
        return self._rows.text(record.row, column)

    def _number(self, run: Record) -> int:
        raw = number_of(self._text(run, "JobIDRaw"))
        return run.id.base if raw < 0 and run.id.plain else raw

    def _job(self, line: JobLine) -> LogJob:
        run, row = line.last, line.last.row
        columns, cells = self._rows.columns, row.cells
        asked = self._or_unknown(row, lambda: requested(columns, cells, self._rows.counting))
        size = run.processors if run.processors > 0 else int(asked)
        submit, wait, duration = self._times(line)
        restarts = self._text(run, "Restarts")
        if restarts.isdecimal() and int(restarts[:9]) >= len(line.runs) and line.before is None:
            self._rows.listing.add(row.line, EARLIER_RUNS_MISSING)
        return LogJob(
            line=row.line,
            job_id=self._number(run),
            submit=submit,
            wait=wait,
            run=duration,
            processors=run.processors,
            cpu_time=self._or_unknown(row, lambda: cpu_time(columns, cells, size)),
            memory=self._memory(line),
            requested_processors=int(asked),
            requested_time=self._or_unknown(row, lambda: time_limit(columns, cells)),
            requested_memory=self._or_unknown(row, lambda: requested_memory(columns, cells, size)),
            status=run.state.status,
            user=self._names.user.number(run.user),
            group=self._names.group.number(self._text(run, self._group)),
            executable=self._names.executable.number(self._text(run, "JobName")),
            queue=self._names.queue.number(self._text(run, "QOS")),
            partition=self._names.partition.number(self._text(run, "Partition")),
            **self._annotations(run)._asdict(),
        )

    def _times(self, line: JobLine) -> tuple[float, float, float]:
        """Submission (Unix time), wait and run time (s)."""
        submit = line.runs[0].submit
        if self._requeue == "sum":
            duration = sum(run.ran for run in line.runs)
            return submit, line.last.ended - duration - submit, duration
        return submit, line.last.started - submit, line.last.ran

    def _memory(self, line: JobLine) -> float:
        most = max(
            max(self._step_memory.get(run.row.line, 0.0), memory_used(self._rows, run.row))
            for run in line.runs
        )
        return most or MISSING

    def _or_unknown(self, row: Row, read: Callable[[], float]) -> float:
        try:
            return read()
        except RecordError:
            self._rows.listing.add(row.line, UNREADABLE)
            return MISSING

    def _annotations(self, run: Record) -> Annotations:
        for column in ("Comment", "AdminComment"):
            said, rules = read_comment(self._text(run, column))
            for rule in rules:
                self._rows.listing.add(run.row.line, rule)
            if said != Annotations() or rules:
                return said
        return Annotations()

    def _linked(
        self, job: LogJob, line: JobLine, predecessors: Predecessors, numbers: list[int]
    ) -> LogJob:
        if line.before is not None:
            before = predecessors.position(line.before)
            think = max(line.last.submit - line.before.ended, 0.0)
            return job._replace(preceding_job=numbers[before], think_time=think)
        waits, found = predecessors.waited_for(line.last, self._text(line.last, "SubmitLine"))
        if found is not None:
            return job._replace(preceding_job=numbers[found], think_time=0.0)
        if waits:
            self._rows.listing.add(job.line, NO_PREDECESSOR)
        return job
