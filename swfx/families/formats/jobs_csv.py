"""Tables of jobs that Batsim and `utilitysched simulate` write, and that evalys reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from swfx.accounting.dates import is_no_time
from swfx.accounting.fields import Declaration, Label, LogField, amount, count
from swfx.accounting.imported import JobBuilder, csv_records, on_own_clock
from swfx.accounting.jobs import CANCELLED, COMPLETED, FAILED, UNKNOWN
from swfx.accounting.listing import Listing
from swfx.accounting.names import job_number
from swfx.accounting.quantities import number, whole
from swfx.accounting.record_error import NO_SUBMISSION, NOT_A_NUMBER, RecordError
from swfx.accounting.table import Columns, Row, read_csv
from swfx.accounting.text import LogText
from swfx.base.csv_rows import readable
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, cells_of
from swfx.reading.report import Rule

__all__ = ["JobsCsv"]

NEVER_RAN = Rule("never-ran", "dropped", "the table does not say how long the job ran")

STATES = {
    "COMPLETED_SUCCESSFULLY": COMPLETED,
    "COMPLETED_FAILED": FAILED,
    "COMPLETED_WALLTIME_REACHED": FAILED,
    "COMPLETED_KILLED": CANCELLED,
}
"""Values of `final_state`; of rejected jobs the table says no run time."""

DERIVED = ("turnaround_time", "stretch")
READ = (
    "job_id", "submission_time", "requested_number_of_resources", "requested_time", "success",
    "final_state", "starting_time", "execution_time", "finish_time", "waiting_time",
    "allocated_resources", "user", "group", "queue", "status",
)  # fmt: skip

OLDER_NAMES = {
    "jobid": "job_id",
    "requested_number_of_processors": "requested_number_of_resources",
    "allocated_processors": "allocated_resources",
}
"""Columns as Batsim 1 and 2 name them, and evalys up to 4."""

_TIMES = (
    "submission_time", "starting_time", "finish_time", "waiting_time", "execution_time"
)  # fmt: skip
WHO = ("user", "group", "queue")

_NUMBER = re.compile("-?[0-9]{1,15}")
_INTERVAL = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


@IMPORTERS.register("jobs-csv")
@dataclass(frozen=True)
class JobsCsv(LineImporter):
    """Table of jobs (CSV) as Batsim, evalys and `utilitysched simulate` write it.

    Times stay on the clock of the table. What happened in a simulation becomes what happened: wait,
    run time and allocated processors.

    References
    ----------
    Batsim documentation, "Jobs" (output); evalys 4, `JobSet`.
    """

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line names the columns."""
        return {OLDER_NAMES.get(name, name) for name in cells_of(lines[0])} >= {*READ[:3]}

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a table, in its order."""
        named, rows = read_csv(text.raw(), ",", text.name)
        columns = Columns(OLDER_NAMES.get(name.casefold(), name) for name in named.names)
        columns.require(READ[:3], text.name)
        listing = Listing(text.name)
        builder = JobBuilder(_DECLARATION, listing)
        plain = (Row(row.line, [readable(cell) for cell in row.cells]) for row in rows)
        jobs = builder.take_all(csv_records(columns, plain, listing, _DECLARATION.columns))
        listing.count(text.lines, listing.records)
        unused = [column for column in columns.names if column not in READ + DERIVED]
        if unused:
            listing.note(f"columns that a workload has no place for: {', '.join(unused)}")
        for kind in WHO:
            if all(map(_NUMBER.fullmatch, builder.names.of(kind))):
                jobs.put(kind, builder.names.as_numbers(kind, jobs[kind]))
        return on_own_clock(jobs, listing, builder.header_lines())


def _times(*texts: str) -> tuple[float, float | None, float]:
    """Submission, wait and run time (s)."""
    cells = dict(zip(_TIMES, texts, strict=True))

    def time(name: str) -> float | None:
        cell = cells[name]
        return None if cell[:1] != "0" and is_no_time(cell) else number(cell, name)

    submit, start = time("submission_time"), time("starting_time")
    wait, run = time("waiting_time"), time("execution_time")
    if submit is None:
        raise RecordError(NO_SUBMISSION, texts[0], "submission_time")
    if wait is None and start is not None:
        wait = start - submit
    finish = time("finish_time")
    if run is None and start is not None and finish is not None:
        run = finish - start
    if run is None:
        raise RecordError(NEVER_RAN, "", "execution_time")
    return submit, wait, run


def _processors(text: str) -> int | None:
    """Count the processors of `0-3 8`, or `0-3,8`."""
    if not text:
        return None
    intervals = [_INTERVAL.fullmatch(part) for part in re.split("[ ,]+", text)]
    if not all(intervals):
        raise RecordError(NOT_A_NUMBER, text, "allocated_resources")
    return sum(int(i[2] or i[1]) - int(i[1]) + 1 for i in intervals if i)


def _status(status: str, state: str, success: str) -> int:
    if status:
        return whole(status, "status")
    if state:
        return STATES.get(state, UNKNOWN)
    if not success:
        return UNKNOWN
    return COMPLETED if whole(success, "success") else FAILED


_DECLARATION = Declaration(
    times=(_TIMES, _times),
    fields={
        "job_id": LogField(("job_id",), job_number),
        "processors": LogField(("allocated_resources",), _processors, needed=True),
        "requested_processors": count("requested_number_of_resources", needed=True),
        "requested_time": amount("requested_time", needed=True),
        "status": LogField(("status", "final_state", "success"), _status, needed=True),
    },
    labels={kind: Label((kind,)) for kind in WHO},
)
