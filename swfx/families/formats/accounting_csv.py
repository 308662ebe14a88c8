"""Accounting as comma-separated values, whatever the columns are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from zoneinfo import ZoneInfo

from swfx.accounting.annotations import read_comment
from swfx.accounting.dates import ordered_instants
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob, waited
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import number_of, numbered
from swfx.accounting.quantities import duration, memory, whole
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row, Table, read_csv
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_choice, nearest
from swfx.base.zones import find_zone
from swfx.families.formats.registry import (
    IMPORTERS,
    Imported,
    LineImporter,
    cells_of,
    imported,
)
from swfx.fields import MISSING
from swfx.label_kinds import LABEL_KINDS
from swfx.reading.report import Rule
from swfx.slurm.record import NEVER_STARTED, NO_SUBMISSION, STILL_RUNNING, STILL_WAITING
from swfx.slurm.states import State, parse_state

__all__ = ["AccountingCsv"]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
UNITS = ("K", "M", "G", "T")


def _separator(text: str) -> str:
    return as_choice(text, SEPARATORS, "accounting-csv", "separator")


def _unit(text: str) -> str:
    return as_choice(text.upper(), UNITS, "accounting-csv", "memory_unit")


@IMPORTERS.register("accounting-csv")
@dataclass(frozen=True)
class AccountingCsv(LineImporter):
    """Accounting of Slurm or others as CSV: one job a line, columns by name.

    Parameters
    ----------
    job_id, submit, start, end, run, processors, requested_processors, requested_time, memory, \
requested_memory, cpu_time, status, user, group, executable, queue, partition, comment : str
        Name of the column for each. A column that has its default name may be missing; `submit`,
        `run` or both `start` and `end`, and one of `processors` and `requested_processors` may not.
    timezone : ZoneInfo
        Of dates without offset.
    separator : {"comma", "semicolon", "tab", "pipe"}
        What stands between columns.
    memory_unit : {"K", "M", "G", "T"}
        Of sizes of memory without unit. `requested_memory` is that of the whole job unless its
        unit ends in c, as in 4000Mc, for each processor.

    References
    ----------
    The defaults are the names of NREL's Eagle job data, github.com/NREL/eagle-jobs.
    """

    job_id: str = option(str, "job_id")
    submit: str = option(str, "submit_time")
    start: str = option(str, "start_time")
    end: str = option(str, "end_time")
    run: str = option(str, "run_time")
    processors: str = option(str, "processors_used")
    requested_processors: str = option(str, "processors_req")
    requested_time: str = option(str, "wallclock_req")
    memory: str = option(str, "mem_used")
    requested_memory: str = option(str, "mem_req")
    cpu_time: str = option(str, "cpu_time")
    status: str = option(str, "state")
    user: str = option(str, "user")
    group: str = option(str, "account")
    executable: str = option(str, "name")
    queue: str = option(str, "qos")
    partition: str = option(str, "partition")
    comment: str = option(str, "comment")
    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))
    separator: str = option(_separator, "comma")
    memory_unit: str = option(_unit, "M")

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line names columns by their default names."""
        return cells_of(lines[0]) >= {cls.job_id, cls.submit, cls.start}

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a table."""
        table = read_csv(text, SEPARATORS[self.separator])
        self._check(table.columns, text.name)
        listing = Listing(text.name)
        maker = _JobMaker(self, table, listing)
        jobs = JobColumns(job for row in table.rows if (job := maker.job_or_none(row)))
        listing.count(text.lines, maker.rows)
        if self.timezone.key == "UTC":
            listing.note("dates without offset are taken as UTC: give timezone=AREA/CITY")
        if self.job_id in table.columns:
            jobs = numbered(jobs, listing)
        return imported(
            jobs,
            listing,
            header_lines=maker.header_lines(),
            zone=self.timezone,
        )

    def _check(self, columns: Columns, source: str) -> None:
        for field in fields(self):
            if field.name in COLUMN_OPTIONS and getattr(self, field.name) != field.default:
                self._must_have(field.name, columns, source)
        self._must_have("submit", columns, source)
        if self.run not in columns:
            self._must_have("start", columns, source)
            self._must_have("end", columns, source)
        if self.processors not in columns:
            self._must_have("requested_processors", columns, source)

    def _must_have(self, option_name: str, columns: Columns, source: str) -> None:
        name = getattr(self, option_name)
        if name not in columns:
            raise InputError(
                f"has no column {name!r}",
                source=source,
                line=1,
                remedy=f"name it by {option_name}=COLUMN; {nearest(name, columns.names)}",
            )


COLUMN_OPTIONS = tuple(
    field.name
    for field in fields(AccountingCsv)
    if field.name not in {"timezone", "separator", "memory_unit"}
)
"""Options that name a column."""


class _JobMaker:
    """Makes jobs of rows, and lists the others."""

    def __init__(self, names: AccountingCsv, table: Table, listing: Listing) -> None:
        self._of = names
        self._columns = table.columns
        self._listing = listing
        said = {"group": names.group, "queue": names.queue}
        kinds = {field: name for field, name in said.items() if name in LABEL_KINDS}
        self._names = JobNames(executable="job_name", **kinds)
        self.rows = 0

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what the numbers mean."""
        return (
            " Conversion: from a table of accounting (accounting-csv)",
            *self._names.header_lines(),
        )

    def job_or_none(self, row: Row) -> LogJob | None:
        """Job of a row, if it ran and can be read."""
        self.rows += 1
        try:
            self._columns.check(row.cells)
            submit, start, run = self._times(row)
        except RecordError as error:
            self._listing.refuse(row.line, error)
            return None
        state = self._state(row)
        if start is None or run is None or not state.over:
            self._listing.add(row.line, _why_no_run(start, state))
            return None
        job = self._job(row, (submit, start, run), state)
        return job if within_limit(job, self._listing) else None

    def _times(self, row: Row) -> tuple[float, float | None, float | None]:
        """Submission and start (Unix times), run time (s)."""
        names = (self._of.submit, self._of.start, self._of.end)
        texts = tuple(self._columns.cell(row.cells, name) for name in names)
        submit, start, end = ordered_instants(texts, self._of.timezone, names)
        if submit is None:
            raise RecordError(NO_SUBMISSION, texts[0], names[0])
        run = duration(self._columns.cell(row.cells, self._of.run), self._of.run)
        if run is None and start is not None and end is not None:
            run = end - start
        if start is None and self._of.start not in self._columns:
            start = MISSING
        return submit, start, run

    def _state(self, row: Row) -> State:
        try:
            return parse_state(self._columns.cell(row.cells, self._of.status))
        except RecordError as error:
            self._listing.refuse(row.line, error)
            return parse_state("")

    def _job(self, row: Row, times: tuple[float, float, float], state: State) -> LogJob:
        submit, start, run = times
        allocated = int(self._number(row, self._of.processors))
        requested = int(self._number(row, self._of.requested_processors))
        size = allocated if allocated > 0 else requested
        said, rules = read_comment(self._cell(row, self._of.comment))
        for rule in rules:
            self._listing.add(row.line, rule)
        return LogJob(
            line=row.line,
            job_id=number_of(self._cell(row, self._of.job_id)),
            submit=submit,
            wait=waited(None if start == MISSING else submit, start),
            run=run,
            processors=allocated,
            cpu_time=self._seconds(row, self._of.cpu_time),
            memory=self._kilobytes(row, self._of.memory, 1),
            requested_processors=requested,
            requested_time=self._seconds(row, self._of.requested_time),
            requested_memory=self._kilobytes(row, self._of.requested_memory, size),
            status=state.status,
            user=self._names.user.number(self._cell(row, self._of.user)),
            group=self._names.group.number(self._cell(row, self._of.group)),
            executable=self._names.executable.number(self._cell(row, self._of.executable)),
            queue=self._names.queue.number(self._cell(row, self._of.queue)),
            partition=self._names.partition.number(self._cell(row, self._of.partition)),
            **said._asdict(),
        )

    def _cell(self, row: Row, column: str) -> str:
        return self._columns.cell(row.cells, column)

    def _number(self, row: Row, column: str) -> float:
        return self._or_unknown(row, lambda text: whole(text, column), column)

    def _seconds(self, row: Row, column: str) -> float:
        return self._or_unknown(row, lambda text: duration(text, column), column)

    def _kilobytes(self, row: Row, column: str, processors: int) -> float:
        """Memory of one processor (KB)."""

        def read(text: str) -> float | None:
            size = memory(text, column, unit=self._of.memory_unit)
            if size is None or size.share == "node" or processors <= 0:
                return None
            return size.kilobytes / (1 if size.share == "processor" else processors) or None

        return self._or_unknown(row, read, column)

    def _or_unknown(self, row: Row, read: Callable[[str], float | None], column: str) -> float:
        text = self._cell(row, column)
        return self._listing.or_unknown(row.line, lambda: read(text) if text else None)


def _why_no_run(start: float | None, state: State) -> Rule:
    if start is None:
        return NEVER_STARTED if state.over else STILL_WAITING
    return STILL_RUNNING
