"""Results of importers: the workload of a log, made from its records or from jobs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import tzinfo
from typing import Any, NamedTuple

import numpy as np

from swfx.accounting.builder import JobBuilder, Record
from swfx.accounting.fields import Declaration
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.numbers import numbered
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row
from swfx.accounting.text import LogText
from swfx.base.columns import Ints
from swfx.fields import MISSING
from swfx.header import Header
from swfx.reading.cleaning import no_job_left
from swfx.reading.report import LoadReport, Rule
from swfx.workload import Workload

__all__ = [
    "Imported",
    "built",
    "csv_records",
    "imported",
    "records_of",
    "workload_of",
    "written",
]

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
    lines: Iterable[tuple[int, str]], listing: Listing, parse: Callable[[str], Mapping[str, Any]]
) -> Iterator[Record]:
    """Yield the values of each line that is a record, or the error that `parse` raises."""
    for line, record in lines:
        listing.records += 1
        try:
            yield line, parse(record)
        except RecordError as error:
            yield line, error


def csv_records(columns: Columns, rows: Iterable[Row], listing: Listing) -> Iterator[Record]:
    """Yield the cells of each row by the name of the column, in small letters."""
    names = [name.casefold() for name in columns.names]
    for row in rows:
        listing.records += 1
        try:
            columns.check(row.cells)
        except RecordError as error:
            yield row.line, error
        else:  # of columns that are named alike the first counts
            yield row.line, dict(zip(names[::-1], row.cells[::-1], strict=True))


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
        What the records mean. Jobs have numbers of their own if it tells the column `job_id`.
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
    jobs = builder.take_all(records)
    listing.count(text.lines, listing.records)
    if "job_id" in declaration.fields:
        jobs = numbered(jobs, listing)
    return imported(jobs, listing, header_lines=builder.header_lines(), zone=zone)


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
    report = listing.report(len(jobs))
    if not len(jobs):
        raise no_job_left(report)
    submit = jobs["submit"]
    if (submit[1:] < submit[:-1]).any():
        jobs = jobs.take(np.argsort(submit, kind="stable"))
    first = float(jobs["submit"][0])
    start = first if zone is None else math.floor(first)  # UnixStartTime is a whole number
    times = (f" UnixStartTime: {start:.0f}", f" TimeZoneString: {zone}") if zone else ()
    since = jobs["submit"] - start
    jobs.put("submit", np.round(since, _DIGITS) if zone else since)
    workload = workload_of(jobs, Header((" Version: 2.2", *times, *header_lines)))
    return Imported(workload, report, np.array(jobs["line"]))


def workload_of(jobs: JobColumns, header: Header) -> Workload:
    """Workload of at least one job, in their order, numbered 1, 2, ... where none has a number."""
    columns: dict[str, Any] = jobs.known()
    columns["submit"] = jobs["submit"]
    return Workload.from_columns(header=header, utility=jobs.utility(), **columns)
