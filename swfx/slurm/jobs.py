"""Jobs of a workload from their runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from swfx.accounting.annotations import COMMENTS, Annotations, read_comment, said_by_user
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.jobs import SECOND_EARLY, LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import number_of, numbered
from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.accounting.segments import RunSegments
from swfx.accounting.table import Row
from swfx.base.columns import Floats, Ints
from swfx.base.numbers import plural
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.blocks import RecordBlock
from swfx.slurm.dependencies import jobs_waited_for
from swfx.slurm.job_ids import parse_job_id
from swfx.slurm.job_lines import JobLines, Requeue
from swfx.slurm.limits import DefaultLimits
from swfx.slurm.plain import PlainReader, PlainRecords
from swfx.slurm.predecessors import Predecessors
from swfx.slurm.record import Record, Rows
from swfx.slurm.records import Key, Records, restarts_said
from swfx.slurm.requeue import allows_requeue
from swfx.slurm.resources import (
    amounts_allocated,
    cpu_time,
    energy,
    requested,
    requested_memory,
    time_limit,
)
from swfx.slurm.states import state_in_words
from swfx.slurm.steps import EXTERN, STEP, StepEnergies, Steps, memory_used

__all__ = ["JobMaker"]

EARLIER_RUNS_MISSING = Rule(
    "earlier-runs-missing", "noted", "the job was requeued, and its earlier runs are not in the log"
)
SIZE_CHANGED = Rule(
    "size-changed",
    "noted",
    "the runs of the job had different sizes: the sum is of processor-seconds, on its last size",
)
NO_PREDECESSOR = Rule(
    "no-predecessor", "repaired", "the job that this one waited for is not in the log: left out"
)


SHORTEST_RUN = 3
"""Plain records in a row that are worth reading by columns."""


class JobMaker:
    """Makes the jobs of a workload: `take` all records, then ask for `jobs`.

    Records that are plain are read by columns, the others one by one.

    Parameters
    ----------
    rows : Rows
        The export.
    requeue : {"last", "each", "sum"}
        What the line of a requeued job holds.
    limits : DefaultLimits
        Of jobs that have none of their own.
    """

    def __init__(self, rows: Rows, requeue: Requeue, limits: DefaultLimits) -> None:
        self.records = Records(rows.listing)
        self._rows = rows
        self._requeue = requeue
        self._limits = limits
        self._steps, self._energies = Steps(), StepEnergies()
        group = "account" if rows.group_column == "Account" else "group"
        self._names = JobNames(group=group, queue="qos", executable="job_name")
        self._plain = PlainReader(rows, self._names, self.records, limits)
        self._doubts = Listing(rows.listing.source)  # of records, of which few may become jobs

    def take(self, block: RecordBlock) -> None:
        """Take in the records of a block, in their order."""
        read = self._plain.read(block)
        changes = np.flatnonzero(read.is_plain[1:] != read.is_plain[:-1]) + 1
        for first, end in pairwise([0, *changes.tolist(), len(block.line)]):
            if read.is_plain[first] and end - first >= SHORTEST_RUN:
                self._take_plain(read.take(np.arange(first, end)))
            else:
                for place in range(first, end):
                    self.take_row(block.row(place))

    def _take_plain(self, read: PlainRecords) -> None:
        """Take in plain records; the memory of a step counts for the job right above it."""
        jobs, steps = np.flatnonzero(~read.is_step), np.flatnonzero(read.is_step)
        memory, above = read.jobs["memory"], np.searchsorted(jobs, steps) - 1
        joules, is_extern = read.jobs["tres/energy"][steps], read.is_extern[steps]
        self._energies.extend(read.line[steps], read.keys[:, steps], joules, is_extern)
        for place in steps[above < 0].tolist():
            self._take_step(*_step(read, place))
        steps, above = steps[above >= 0], jobs[above[above >= 0]]
        own = (read.keys[:, above] == read.keys[:, steps]).all(axis=0)
        np.maximum.at(memory, above[own], memory[steps[own]])
        if len(jobs):
            self.records.extend(read.take(jobs))
        self._rows.listing.add_all(read.line[steps[own]], STEP)
        for place in steps[~own].tolist():
            self._steps.append(*_step(read, place))

    def take_row(self, row: Row) -> None:
        """Take in a row; it is listed if it cannot be read."""
        try:
            job = parse_job_id(self._text(row, self._rows.id_column))
            if job.step:
                key = self.records.key(self._text(row, "Cluster"), job)
                kilobytes = memory_used(self._rows, row, self._rows.listing)
                joules = self._rows.listing.or_unknown(
                    row.line, lambda: energy(self._rows.columns, row.cells)
                )
                self._energies.append(row.line, key, joules, is_extern=job.step == EXTERN)
                self._take_step(row.line, key, kilobytes)
            else:
                self._take_record(self._rows.record(row, job))
        except RecordError as error:
            self._rows.listing.refuse(row.line, error)

    def _take_step(self, line: int, key: Key, kilobytes: float) -> None:
        if self.records.take_step(key, kilobytes):
            self._rows.listing.add(line, STEP)
        else:
            self._steps.append(line, key, kilobytes)

    def _take_record(self, record: Record) -> None:
        known = restarts_said(self._text(record.row, "Restarts"))
        waits = jobs_waited_for(self._text(record.row, "SubmitLine"))
        if self.records.append(record, self._job(record), known) and waits:
            self.records.awaited[len(self.records) - 1] = waits

    def jobs(self, lines: JobLines) -> JobColumns:
        """Make one job of each line."""
        last = lines.last
        memory = self._steps.most_memory(self.records, self._rows.listing)
        self._add_energy()
        jobs = self._timed(lines)
        if len(last):
            most = np.maximum.reduceat(memory[lines.chains.run], lines.chains.first)
            jobs.put("memory", np.where(most > 0, most, MISSING))
        self._rows.listing.add_those_on(jobs["line"], self._doubts)
        missing = (self.records.restarts[last] >= lines.chains.length) & (lines.before < 0)
        self.records.list_as(last[missing], EARLIER_RUNS_MISSING)
        self._names.count_anew(jobs)
        jobs = numbered(jobs, self._rows.listing)
        jobs.put("part_of", _first_parts(self.records, jobs, lines))
        self._link(jobs, lines)
        self._note_limits(jobs)
        return jobs

    def _add_energy(self) -> None:
        """Let the energy of steps count for jobs that tell of none."""
        jobs, of_steps = self.records.jobs, self._energies.of(self.records)
        if of_steps.any():
            own = jobs["tres/energy"] if "tres/energy" in jobs else np.full(len(jobs), MISSING)
            jobs.put("tres/energy", np.where((own <= 0) & (of_steps > 0), of_steps, own))

    def _note_limits(self, jobs: JobColumns) -> None:
        if "default_limit" in jobs:
            without = int(np.count_nonzero(jobs["default_limit"] > 0))
            self._rows.listing.note(
                f"{plural(without, 'job')} without a time limit: taken as {self._limits}"
                " (limit=TIME, partition_limits=NAME=TIME+...)"
            )

    def segments(self, jobs: JobColumns, lines: JobLines) -> RunSegments:
        """Every run of every job."""
        run, first = lines.chains.run, lines.chains.first
        length, of_records = lines.chains.length, self.records.jobs
        start = self.records.start[run]
        return RunSegments(
            np.repeat(jobs["job_id"], length),
            np.arange(1, len(run) + 1) - np.repeat(first, length),
            of_records["submit"][run],
            start,
            start + self.records.run[run],
            of_records["processors"][run],
            of_records["status"][run],
        )

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what the numbers mean."""
        return (" Conversion: from Slurm accounting (sacct)", *self._names.header_lines())

    def _text(self, row: Row, column: str) -> str:
        return self._rows.text(row, column)

    def _number(self, run: Record) -> int:
        raw = number_of(self._text(run.row, "JobIDRaw"))
        return run.id.base if raw < 0 and run.id.plain else raw

    def _job(self, run: Record) -> LogJob:
        """Job of one run."""
        row = run.row
        columns, cells = self._rows.columns, row.cells
        asked = self._or_unknown(row, lambda: requested(columns, cells, self._rows.counting))
        size = run.processors if run.processors > 0 else int(asked)
        limit = self._or_unknown(row, lambda: time_limit(columns, cells))
        partition = self._text(row, "Partition")
        names = self._names
        return LogJob(
            line=row.line,
            job_id=self._number(run),
            submit=run.submit,
            run=run.ran,
            processors=run.processors,
            cpu_time=self._or_unknown(row, lambda: cpu_time(columns, cells, size)),
            memory=memory_used(self._rows, row, self._doubts),
            requested_processors=int(asked),
            requested_time=limit,
            requested_memory=self._or_unknown(row, lambda: requested_memory(columns, cells, size)),
            status=run.state.status,
            user=names.user.number(run.user),
            group=names.group.number(self._text(row, self._rows.group_column)),
            executable=names.executable.number(self._text(row, "JobName")),
            queue=names.queue.number(self._text(row, "QOS")),
            partition=names.partition.number(partition),
            extra=self._extra(run, limit, partition),
            **self._annotations(row)._asdict(),
        )

    def _extra(self, run: Record, limit: float, partition: str) -> Mapping[str, float]:
        """Labels and resources, and what the job got without asking or did not use."""
        row, columns, cells = run.row, self._rows.columns, run.row.cells
        user = {self._text(row, name) for name in ("User", "UID")}
        labels = self._names.extra(
            cluster=self._text(row, "Cluster"),
            project=self._text(row, "WCKey"),
            state=state_in_words(run.state, self._text(row, "State"), user),
            comment=said_by_user(self._text(row, "Comment")),
            reference=self._text(row, "Reference"),
        )
        extra: dict[str, float] = {**labels}
        try:
            extra.update(amounts_allocated(columns, cells))
        except RecordError:
            self._doubts.add(row.line, UNREADABLE)
        consumed = self._or_unknown(row, lambda: energy(columns, cells))
        if consumed > 0:
            extra["tres/energy"] = consumed
        if limit <= 0:
            extra["default_limit"] = self._limits.of(partition)
        if run.suspended:
            extra["suspended"] = run.suspended
        consent = allows_requeue(self._text(row, "SubmitLine"))
        if consent != MISSING:
            extra["rerunnable"] = consent
        return extra

    def _timed(self, lines: JobLines) -> JobColumns:
        """Jobs with submission (Unix time), wait and run time (s)."""
        records, last = self.records, lines.last
        start, run = records.start[last], records.run[last]
        submit = records.jobs["submit"][lines.first]
        if self._requeue == "sum" and len(last):
            ended = start + run
            run = self._together(lines)
            start = ended - run
        jobs = records.jobs.take(last, keep=("line", "submit", "processors", "status", "suspended"))
        wait = np.where(start - submit == MISSING, SECOND_EARLY, start - submit)
        for name, values in (("submit", submit), ("wait", wait), ("run", run)):
            jobs.put(name, values)
        if self._requeue == "sum" and "suspended" in jobs:
            suspended = np.maximum(records.jobs["suspended"][lines.chains.run], 0.0)
            together = np.add.reduceat(suspended, lines.chains.first)
            jobs.put("suspended", np.where(together > 0, together, MISSING))
        return jobs

    def _together(self, lines: JobLines) -> Floats:
        """Time (s) that the runs of each job took on the processors of its last one."""
        runs, first = lines.chains.run, lines.chains.first
        processors, ran = self.records.jobs["processors"][runs], self.records.run[runs]
        low, high = np.minimum.reduceat(processors, first), np.maximum.reduceat(processors, first)
        changed = (low < high) & (low > 0)
        self.records.list_as(lines.last[changed], SIZE_CHANGED)
        work = np.add.reduceat(ran * processors, first)
        size = processors[lines.chains.last]
        together: Floats = np.where(
            changed, work / np.where(changed, size, 1), np.add.reduceat(ran, first)
        )
        return together

    def _or_unknown(self, row: Row, read: Callable[[], float]) -> float:
        return self._doubts.or_unknown(row.line, read)

    def _annotations(self, row: Row) -> Annotations:
        for column in COMMENTS:
            said, rules = read_comment(self._text(row, column))
            for rule in rules:
                self._doubts.add(row.line, rule)
            if said != Annotations() or rules:
                return said
        return Annotations()

    def _link(self, jobs: JobColumns, lines: JobLines) -> None:
        """Say which job each one waited for, and for how long after its end (s)."""
        preceding, think = _links_of_runs(self.records, jobs, lines)
        rows = lines.last
        if self.records.awaited:
            predecessors = Predecessors(self.records, rows)
            waiting = np.isin(rows, list(self.records.awaited)) & (lines.before < 0)
            for position in np.flatnonzero(waiting).tolist():
                awaited = self.records.awaited[int(rows[position])]
                found = predecessors.waited_for(position, awaited)
                if found is None:
                    self.records.list_as(rows[position : position + 1], NO_PREDECESSOR)
                else:
                    preceding[position], think[position] = jobs["job_id"][found], 0.0
        jobs.put("preceding_job", preceding)
        jobs.put("think_time", think)


def _step(read: PlainRecords, place: int) -> tuple[int, Key, float]:
    """Give the line of a step, its key, and its memory (KB)."""
    key = Key(*map(int, read.keys[:, place]))
    return int(read.line[place]), key, float(read.jobs["memory"][place])


def _first_parts(records: Records, jobs: JobColumns, lines: JobLines) -> Ints:
    """Give the number of the first part of each job that is a part of a heterogeneous one, or -1.

    Parts are submitted together; where they were requeued, first runs belong together, and so on.
    """
    cluster, base, task, part = (column[lines.last] for column in records.keys.columns())
    found = np.full(len(jobs), MISSING)
    parts = np.flatnonzero(part >= 0)
    if not len(parts):
        return found
    before = dict(zip(lines.last.tolist(), lines.before.tolist(), strict=True))
    submit, first = records.jobs["submit"], lines.first
    together: dict[tuple[float, ...], int] = {}
    for place in parts[np.argsort(part[parts], kind="stable")].tolist():
        run, earlier = int(first[place]), 0
        while before.get(run, -1) >= 0:
            run, earlier = before[run], earlier + 1
        key = (cluster[place], base[place], task[place], submit[run], earlier)
        found[place] = together.setdefault(key, int(jobs["job_id"][place]))
    return found


def _links_of_runs(records: Records, jobs: JobColumns, lines: JobLines) -> tuple[Ints, Floats]:
    """Give the number of the job of the run before, and the time since its end (s)."""
    preceding, think = np.full(len(jobs), MISSING), np.full(len(jobs), float(MISSING))
    number = np.full(len(records), MISSING)
    number[lines.last] = jobs["job_id"]
    linked = np.flatnonzero(lines.before >= 0)
    before = lines.before[linked]
    ended = records.start[before] + records.run[before]
    preceding[linked] = number[before]
    think[linked] = np.maximum(records.jobs["submit"][lines.last[linked]] - ended, 0.0)
    return preceding, think
