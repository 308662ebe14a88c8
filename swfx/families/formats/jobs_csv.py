"""Tables of jobs that Batsim and `utilitysched simulate` write, and that evalys reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.jobs import CANCELLED, COMPLETED, FAILED, UNKNOWN, LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.names import Names
from swfx.accounting.numbers import with_numbers
from swfx.accounting.placed import workload_of
from swfx.accounting.quantities import number, whole
from swfx.accounting.record_error import NOT_A_NUMBER, RecordError
from swfx.accounting.rows import job_number
from swfx.accounting.table import Columns, Row, read_csv
from swfx.accounting.text import LogText
from swfx.base.columns import LIMIT
from swfx.base.csv_rows import readable
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, cells_of
from swfx.fields import MISSING
from swfx.header import Header
from swfx.reading.cleaning import no_job_left
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

WHO = ("user", "group", "queue")

_NUMBER_OR_NOTHING = re.compile("(-?[0-9]{1,15})?")
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
        named, rows = read_csv(text)
        columns = Columns(OLDER_NAMES.get(name.casefold(), name) for name in named.names)
        for needed in READ[:3]:
            columns.require(needed, text.name)
        listing = Listing(text.name)
        jobs = _Jobs(columns)
        for row in rows:
            listing.records += 1
            try:
                jobs.add(Row(row.line, [readable(cell) for cell in row.cells]))
            except RecordError as error:
                listing.refuse(row.line, error)
        listing.count(text.lines, listing.records)
        unused = [column for column in columns.names if column not in READ + DERIVED]
        if unused:
            listing.note(f"columns that a workload has no place for: {', '.join(unused)}")
        return jobs.imported(listing)


class _Jobs:
    """Rows of a table as jobs."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._jobs = JobColumns()
        self._who = {kind: Names(kind.capitalize()) for kind in WHO}
        self._named: set[str] = set()

    def add(self, row: Row) -> None:
        """Add the job of a row.

        Raises
        ------
        RecordError
            If it cannot be read, or never ran.
        """
        self._columns.check(row.cells)
        cells = {name: self._columns.cell(row.cells, name) for name in READ}
        self._named.update(kind for kind in WHO if not _NUMBER_OR_NOTHING.fullmatch(cells[kind]))
        submit = number(cells["submission_time"], "submission_time")
        start = _number(cells, "starting_time")
        wait, run = _number(cells, "waiting_time"), _number(cells, "execution_time")
        if wait is None:
            wait = _difference(start, submit)
        if run is None:
            run = _difference(_number(cells, "finish_time"), start)
        if run is None:
            raise RecordError(NEVER_RAN, cells["job_id"], "execution_time")
        limit = _number(cells, "requested_time")
        resources = "requested_number_of_resources"
        job = LogJob(
            line=row.line,
            job_id=job_number(cells["job_id"]),
            submit=submit,
            wait=MISSING if wait is None else wait,
            run=run,
            processors=_processors(cells["allocated_resources"]),
            requested_processors=whole(cells[resources], resources),
            requested_time=MISSING if limit is None else limit,
            status=_status(cells),
        )
        user, group, queue = (self._who[kind].number(cells[kind]) for kind in WHO)
        self._jobs.append(job._replace(user=user, group=group, queue=queue))

    def imported(self, listing: Listing) -> Imported:
        """Workload of all jobs."""
        jobs = self._jobs
        if len(jobs):
            jobs = with_numbers(jobs, listing)
        report = listing.report(len(jobs))
        if not len(jobs):
            raise no_job_left(report)
        header_lines: list[str] = []
        for kind, names in self._who.items():
            if kind in self._named:
                jobs.put(kind, names.renumbered(jobs[kind]))
                header_lines += names.header_lines()
            else:
                jobs.put(kind, names.as_numbers(jobs[kind]))
        workload = workload_of(jobs, Header(tuple(header_lines)))
        return Imported(workload, report, np.array(jobs["line"]))


def _number(cells: Mapping[str, str], name: str) -> float | None:
    return number(cells[name], name) if cells[name] else None


def _difference(later: float | None, earlier: float | None) -> float | None:
    if later is None or earlier is None:
        return None
    if abs(later - earlier) > LIMIT:
        raise RecordError(NOT_A_NUMBER, f"{later} - {earlier}")
    return later - earlier


def _processors(text: str) -> int:
    """Count the processors of `0-3 8`, or `0-3,8`; -1 for none."""
    if not text:
        return MISSING
    intervals = [_INTERVAL.fullmatch(part) for part in re.split("[ ,]+", text)]
    if not all(intervals):
        raise RecordError(NOT_A_NUMBER, text, "allocated_resources")
    return sum(int(i[2] or i[1]) - int(i[1]) + 1 for i in intervals if i)


def _status(cells: Mapping[str, str]) -> int:
    if cells["status"]:
        return whole(cells["status"], "status")
    if cells["final_state"]:
        return STATES.get(cells["final_state"], UNKNOWN)
    if not cells["success"]:
        return UNKNOWN
    return COMPLETED if whole(cells["success"], "success") else FAILED
