"""Accounting as comma-separated values, whatever the columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from zoneinfo import ZoneInfo

from swfx.accounting.dates import ordered_instants
from swfx.accounting.fields import Declaration, Label, LogField, amount, count
from swfx.accounting.imported import built, csv_records
from swfx.accounting.jobs import waited
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import duration, memory
from swfx.accounting.record_error import (
    NEVER_STARTED,
    NO_SUBMISSION,
    STILL_RUNNING,
    STILL_WAITING,
    RecordError,
)
from swfx.accounting.table import Columns, read_csv
from swfx.accounting.text import LogText
from swfx.base.configured import choice, option
from swfx.base.options import as_choice, nearest
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, cells_of
from swfx.label_kinds import LABEL_KINDS
from swfx.slurm.states import parse_state

__all__ = ["AccountingCsv"]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
UNITS = ("K", "M", "G", "T")


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
    separator: str = choice(tuple(SEPARATORS), "comma")
    memory_unit: str = option(_unit, "M")

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line names columns by their default names."""
        return cells_of(lines[0]) >= {cls.job_id, cls.submit, cls.start}

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a table."""
        columns, rows = read_csv(text, SEPARATORS[self.separator])
        self._check(columns, text.name)
        listing = Listing(text.name)
        if self.timezone.key == "UTC":
            listing.note("dates without offset are taken as UTC: give timezone=AREA/CITY")
        records = csv_records(columns, rows, listing)
        return built(self._declaration(columns), records, text, listing, self.timezone)

    def _declaration(self, columns: Columns) -> Declaration:
        named = {name: getattr(self, name).casefold() for name in COLUMN_OPTIONS}
        held = {"group": named["group"], "queue": named["queue"]}
        means = {field: kind for field, kind in held.items() if kind in LABEL_KINDS}
        means["executable"] = "job_name"

        def size_of(option: str, *given: str) -> LogField:
            return LogField((named[option],), partial(_kilobytes, self.memory_unit), given)

        times = ("submit", "start", "end", "run", "status")
        return Declaration(
            origin="a table of accounting (accounting-csv)",
            times=(tuple(named[name] for name in times), partial(self._times, columns)),
            fields={
                "processors": count(named["processors"]),
                "requested_processors": count(named["requested_processors"]),
                "cpu_time": amount(named["cpu_time"], read=duration),
                "memory": size_of("memory"),
                "requested_time": amount(named["requested_time"], read=duration),
                "requested_memory": size_of("requested_memory", "size"),
                "status": LogField((named["status"],), lambda text: parse_state(text).status),
            },
            labels={
                means.get(field, field): Label((named[field],))
                for field in ("user", "group", "executable", "queue", "partition")
            },
            means=means,
            comments=(named["comment"],),
            job=Label((named["job_id"],)) if self.job_id in columns else None,
        )

    def _times(self, columns: Columns, *texts: str) -> tuple[float, float, float]:
        """Submission (Unix time), wait and run time (s) of a job that ran."""
        names = (self.submit, self.start, self.end)
        submit, start, end = ordered_instants(texts[:3], self.timezone, names)
        if submit is None:
            raise RecordError(NO_SUBMISSION, texts[0], names[0])
        run = duration(texts[3], self.run)
        if run is None and start is not None and end is not None:
            run = end - start
        over = _is_over(texts[4])
        never = start is None and self.start in columns
        if never or run is None or not over:
            waiting = NEVER_STARTED if over else STILL_WAITING
            raise RecordError(waiting if never else STILL_RUNNING, "")
        return submit, waited(None if start is None else submit, start or 0.0), run

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
        remedy = f"name it by {option_name}=COLUMN; {nearest(name, columns.names)}"
        columns.require(name, source, remedy)


COLUMN_OPTIONS = tuple(
    field.name
    for field in fields(AccountingCsv)
    if field.name not in {"timezone", "separator", "memory_unit"}
)
"""Options that name a column."""


def _is_over(state: str) -> bool:
    """Whether a job has ended; an unreadable state counts as an end."""
    try:
        return parse_state(state).over
    except RecordError:
        return True


def _kilobytes(unit: str, text: str, processors: float = 1.0) -> float | None:
    """Memory of one processor (KB)."""
    size = memory(text, unit=unit)
    if size is None or size.share == "node" or processors <= 0:
        return None
    return size.kilobytes / (1 if size.share == "processor" else processors) or None
