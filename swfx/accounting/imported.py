"""Results of importers: the jobs and the workload that a log is made into."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from swfx.accounting.fields import Declaration, FieldReader, Reading
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import numbered, repeated
from swfx.accounting.record_error import REPEATED, RecordError
from swfx.accounting.table import LARGEST, Columns, Row, Table
from swfx.accounting.text import LogText
from swfx.base.columns import Floats, Ints
from swfx.fields import MISSING
from swfx.header import Header
from swfx.reading.cleaning import no_job_left
from swfx.reading.report import LoadReport, Rule
from swfx.workload import Workload

__all__ = [
    "Imported",
    "JobBuilder",
    "Record",
    "built",
    "csv_records",
    "imported",
    "on_own_clock",
    "records_of",
    "written",
]

Record: TypeAlias = tuple[int, Mapping[str, Any] | RecordError]
"""A line of a log, and the values of its record by name, or the error of a record without."""


class JobBuilder:
    """Makes a job of each record of a log, and lists the records of which none is made.

    Parameters
    ----------
    declaration : Declaration
        What the columns of the log mean.
    listing : Listing
        For lines that are dropped, and for what there is to say of those that are kept.

    Attributes
    ----------
    jobs : JobColumns
        Jobs so far.
    names : JobNames
        Names of their labels.
    """

    def __init__(self, declaration: Declaration, listing: Listing) -> None:
        self.jobs = JobColumns()
        self._declaration = declaration
        self._listing = listing
        self._reader = FieldReader(declaration)
        self.names = self._reader.names
        self._noted = {rule: Reading(source) for rule, source in declaration.noted.items()}

    def job_names(self) -> dict[int, str]:
        """Names of the jobs without a plain number of their own, by position."""
        wanted, names = self.jobs["job_id"], self._reader.jobs.all()
        places = np.flatnonzero(repeated(wanted) | (wanted < MISSING))
        texts = (str(n) if n >= 0 else names[-2 - n] for n in wanted[places].tolist())
        return dict(zip(places.tolist(), texts, strict=True))

    def header_lines(self) -> tuple[str, ...]:
        """Header lines of the workload that say where its jobs are from, and give the names."""
        origin = self._declaration.origin
        lines = (f" Conversion: from {origin}",) if origin else ()
        return (*lines, *self.names.header_lines())

    def take_all(self, records: Iterable[Record]) -> JobColumns:
        """Return the jobs of all records; labels are numbered by first appearance in jobs."""
        columns, left = Columns(self._declaration.columns), iter(records)
        while part := list(islice(left, LARGEST)):
            listed, rows = list[tuple[int, Rule]](), list[Row]()
            for line, values in part:
                if isinstance(values, RecordError):
                    listed.append((line, values.rule))
                else:
                    rows.append(Row(line, [values.get(name, "") for name in columns.names]))
            if rows:
                listed += self._take(Table.of(columns, rows))
            for line, rule in sorted(listed, key=itemgetter(0)):
                self._listing.add(line, rule)
        self.names.count_anew(self.jobs)
        return self.jobs

    def _take(self, table: Table) -> list[tuple[int, Rule]]:
        """Take in records; return lines to be listed, and rules."""
        times, refused = self._times(table)
        read = self._reader.read(table, {"line": table.line, **times}, refused)
        listed = [(int(table.line[row]), rule) for row, rule in (*read.refused, *read.doubts)]
        for rule, reading in self._noted.items():
            noted = table.line[read.kept[reading.numbers(table)[read.kept] > 0]]
            listed += [(line, rule) for line in noted.tolist()]
        if "eligible" in read.columns:  # Unix time, as the log tells it
            since = np.round(read.columns["eligible"] - read.columns["submit"], _DIGITS)
            known = read.columns["eligible"] > 0
            read.columns["eligible"] = np.where(known, np.maximum(since, 0.0), MISSING)
        self.jobs.extend(read.columns, read.curves)
        return listed

    def _times(self, table: Table) -> tuple[dict[str, Floats], dict[int, RecordError]]:
        """Submission, wait and run time (s), and the errors of records that have none, by place."""
        names, read = self._declaration.times
        rows: list[tuple[float | None, ...]] = []
        refused: dict[int, RecordError] = {}
        for place, texts in enumerate(table.texts(names)):
            try:
                rows.append(read(*texts))
            except RecordError as error:
                refused[place] = error
                rows.append((MISSING,) * 3)
        times = np.array(rows, np.float64).T
        times[np.isnan(times)] = MISSING
        return dict(zip(("submit", "wait", "run"), times, strict=True)), refused


EARLY_START = Rule(
    "start-before-submission",
    "repaired",
    "the job started before it was submitted: it counts as submitted when it started",
)

_DIGITS = 6
"""Of seconds that a difference of Unix times has."""


class Imported(NamedTuple):
    """The jobs of a log, before cleaning.

    Attributes
    ----------
    workload : Workload
        Jobs in the order of submission.
    report : LoadReport
        What happened to every record of the log.
    line : ndarray of int64, shape (n,)
        Line of the log that each job stands on.
    """

    workload: Workload
    report: LoadReport
    line: Ints


def records_of(
    lines: Iterable[tuple[int, Any]], listing: Listing, parse: Callable[[Any], Mapping[str, Any]]
) -> Iterator[Record]:
    """Yield the values of each line that is a record, or the error that `parse` raises."""
    for line, record in lines:
        listing.records += 1
        try:
            yield line, parse(record)
        except RecordError as error:
            yield line, error


def csv_records(
    columns: Columns,
    rows: Iterable[Row],
    listing: Listing,
    wanted: Sequence[str],
    check: Callable[[Columns, int], None] = lambda *_: None,
) -> Iterator[Record]:
    """Yield the cells of each row in the wanted columns, by name; of equal names the first counts.

    A row that has most of the names is another line of column names, such as the next file's;
    numbers name no columns.

    Parameters
    ----------
    columns : Columns
        Names of the columns.
    rows : iterable of Row
        Rows, of which each should have a cell for each column.
    listing : Listing
        Counts the records.
    wanted : sequence of str
        Names of columns that are read; the table may lack some.
    check : callable, optional
        Refuses further columns that lack a needed one, by their line.
    """
    known = {name for name in columns.names if not name.isdecimal()}  # digits are column numbers
    places = _places(columns, wanted)
    for line, cells in rows:
        if not known.isdisjoint(cells) and _is_heading(cells, columns):
            columns = Columns(cells)
            check(columns, line)
            places = _places(columns, wanted)
            continue
        listing.records += 1
        try:
            columns.check(cells)
        except RecordError as error:
            yield line, error
        else:
            yield line, {name: cells[place] for name, place in places}


def _places(columns: Columns, wanted: Sequence[str]) -> list[tuple[str, int]]:
    return [(name, columns.position(name)) for name in wanted if name in columns]


def _is_heading(cells: Sequence[str], columns: Columns) -> bool:
    return 2 * sum(cell.strip() in columns for cell in cells) > len(columns) > 1


def written(text: LogText) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not blank."""
    return ((number, line) for number, line in enumerate(text, 1) if line.strip())


def built(
    declaration: Declaration,
    records: Iterable[Record],
    text: LogText,
    listing: Listing,
    zone: tzinfo | None = None,
) -> Imported:
    """Make the jobs of a log from its records.

    Parameters
    ----------
    declaration : Declaration
        What the records mean.
    records : iterable of Record
        Records of the log, counted in `listing.records` as they are read.
    text : LogText
        The log.
    listing : Listing
        For records without a job.
    zone : tzinfo, optional
        Time zone of the log; None where its times are no Unix times.

    Raises
    ------
    InputError
        If no job is kept.
    """
    builder = JobBuilder(declaration, listing)
    jobs = _once(builder.take_all(records), text, listing)
    builder.jobs = jobs
    listing.count(text.lines, listing.records)
    lines = numbered(jobs, listing, builder.job_names()) if declaration.job else ()
    return imported(jobs, listing, header_lines=(*builder.header_lines(), *lines), zone=zone)


_SAME = ("job_id", "submit", "wait", "run", "processors")
"""Columns in which records of the same job agree."""


def _once(jobs: JobColumns, text: LogText, listing: Listing) -> JobColumns:
    """Return the jobs without those that stand in a later file of the log, too; list these."""
    if len(text.files) < 2 or not len(jobs):
        return jobs
    file = np.searchsorted([above for _, above in text.files], jobs["line"], "left")
    order = np.lexsort((file, *(jobs[name] for name in _SAME)))
    begins = np.insert(np.zeros(len(jobs) - 1, np.bool_), 0, values=True)
    for name in _SAME:
        begins[1:] |= np.diff(jobs[name][order]) != 0
    last = np.maximum.reduceat(file[order], np.flatnonzero(begins))[np.cumsum(begins) - 1]
    earlier = np.sort(order[(file[order] < last) & (jobs["job_id"][order] != MISSING)])
    listing.add_all(jobs["line"][earlier], REPEATED)
    return jobs.take(np.delete(np.arange(len(jobs)), earlier)) if len(earlier) else jobs


def imported(
    jobs: JobColumns, listing: Listing, *, header_lines: Iterable[str], zone: tzinfo | None
) -> Imported:
    """Make the result of an importer: jobs by submission, and times since the first submission.

    Parameters
    ----------
    jobs : JobColumns
        Jobs that are kept, in the order of the log; they are used up.
    listing : Listing
        All other records, and what there is to say about those of the jobs.
    header_lines : iterable of str
        What the workload's header says after the times.
    zone : tzinfo or None
        Time zone of the log; None where submissions are no Unix times.

    Raises
    ------
    InputError
        If no job is kept.
    """
    early = (jobs["wait"] < 0) & (jobs["wait"] != MISSING)
    listing.add_all(jobs["line"][early], EARLY_START)
    jobs.put("submit", jobs["submit"] + np.where(early, jobs["wait"], 0.0))
    jobs.put("wait", np.where(early, 0.0, jobs["wait"]))
    jobs.settle_resources()
    report = _report(jobs, listing)
    submit = jobs["submit"]
    if (submit[1:] < submit[:-1]).any():
        jobs = jobs.take(np.argsort(submit, kind="stable"))
    first = float(jobs["submit"][0])
    start = first if zone is None else math.floor(first)  # UnixStartTime is a whole number
    times = (f" UnixStartTime: {start:.0f}", f" TimeZoneString: {zone}") if zone else ()
    jobs.put("submit", np.round(jobs["submit"] - start, _DIGITS))
    return _result(jobs, report, (" Version: 2.2", *times, *header_lines))


def on_own_clock(jobs: JobColumns, listing: Listing, header_lines: Iterable[str]) -> Imported:
    """Make the result of an importer whose times are none of a calendar: all jobs as they are.

    Raises
    ------
    InputError
        If no job is kept.
    """
    numbered(jobs, listing, {}, unique=False)
    return _result(jobs, _report(jobs, listing), header_lines)


def _report(jobs: JobColumns, listing: Listing) -> LoadReport:
    """Return the report of an import that kept these jobs; no job at all is refused."""
    report = listing.report(len(jobs))
    if not len(jobs):
        raise no_job_left(report)
    return report


def _result(jobs: JobColumns, report: LoadReport, header_lines: Iterable[str]) -> Imported:
    """Return jobs in their order, numbered 1, 2, ... where none has a number."""
    columns: dict[str, Any] = jobs.known() | {"submit": jobs["submit"]}
    header = Header(tuple(header_lines))
    workload = Workload.from_columns(header=header, utility=jobs.utility(), **columns)
    return Imported(workload, report, np.array(jobs["line"]))
