"""The table that ``sacct --parsable2`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import TOO_FEW_FIELDS, TOO_MANY_FIELDS, RecordError
from swfx.accounting.table import Columns, Row
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.reading.report import Rule

__all__ = ["EXPORT", "SacctTable", "read_table"]

EXPORT = (
    "export with sacct -a -P --duplicates --format=JobID,JobIDRaw,User,Account,Partition,QOS,"
    "JobName,Submit,Start,End,Elapsed,State,AllocCPUS,ReqCPUS,TimelimitRaw,TotalCPU,MaxRSS,ReqMem"
)

SEPARATOR_IN_TEXT = Rule(
    "separator-in-text",
    "repaired",
    "a text holds the separator of columns: cells are joined where all others then fit",
)

LINE_BREAK_IN_TEXT = Rule(
    "line-break-in-text", "folded", "the record of the line above goes on: a text has a line break"
)

FREE_TEXT = ("SubmitLine", "Comment", "AdminComment", "SystemComment", "JobName", "Extra",
             "WorkDir", "StdIn", "StdOut", "StdErr", "Constraints", "Reason")  # fmt: skip
"""Columns that hold what users write, which may hold the separator."""

_SEPARATOR = re.compile(r"[^A-Za-z0-9_%.]+")
_SHAPES = {
    "jobid": re.compile(r"\d+\S*"),
    "jobidraw": re.compile(r"\d+\S*"),
    "submit": re.compile(r"[\dUuNn].*"),
    "start": re.compile(r"[\dUuNn].*"),
    "end": re.compile(r"[\dUuNn].*"),
    "state": re.compile(r"([A-Z_]+( by .*|\+)?)?"),
    "elapsed": re.compile(r"[\d:.-]*"),
    "elapsedraw": re.compile(r"\d*"),
    "alloccpus": re.compile(r"\d*"),
    "ncpus": re.compile(r"\d*"),
    "reqcpus": re.compile(r"\d*"),
}
"""What cells of these columns look like: tells which way of joining cells fits."""


class SacctTable(NamedTuple):
    """Column names and records of an export; records that have no place in them are listed."""

    columns: Columns
    rows: Iterator[Row]
    listing: Listing


def read_table(text: LogText) -> SacctTable:
    """Read what ``sacct -P`` or ``sacct -p`` printed, whatever the columns and the separator.

    Rows are read when they are asked for; the listing counts them all in the end.

    Raises
    ------
    InputError
        There is no line of column names, or it was printed for people to read.
    """
    lines = enumerate(text, 1)
    first, names = next(((n, line) for n, line in lines if line.strip()), (1, ""))
    separator = _separator_of(names, text.name, first)
    listing = Listing(text.name)
    columns = Columns(names.removesuffix(separator).split(separator))
    ending = separator if names.endswith(separator) else ""

    def texts() -> Iterator[tuple[int, str]]:
        for n, line in lines:
            if line.strip() and line != names:
                listing.records += 1
                yield n, line.removesuffix(ending)
        listing.count(text.lines, listing.records)

    return SacctTable(columns, _split(texts(), columns, separator, listing), listing)


def _separator_of(names: str, source: str, line: int) -> str:
    match = _SEPARATOR.search(names.strip())
    if "jobid" not in names.casefold() or match is None:
        raise InputError(
            "the first line does not name the columns of sacct",
            source=source,
            line=line,
            remedy=f"leave --noheader out: {EXPORT}",
        )
    if not match[0].strip() and match[0] != "\t":
        raise InputError(
            "this is sacct's listing for people", source=source, line=line, remedy=EXPORT
        )
    return match[0]


class _Record(NamedTuple):
    """Text of a record: the line it begins on, and those that it goes on in."""

    line: int
    text: str
    further: tuple[int, ...] = ()


def _records(
    texts: Iterable[tuple[int, str]], columns: Columns, separator: str
) -> Iterator[_Record]:
    """Put lines together that a line break in a text has parted: SubmitLine may hold some."""
    ends_in_text = columns.names[-1].casefold() in {name.casefold() for name in FREE_TEXT}
    most = len(columns) - 1 if ends_in_text else len(columns) - 2
    at = columns.position(columns.first(("JobID", "JobIDRaw")) or "JobID")
    held: _Record | None = None
    for line, text in texts:
        if held is None:
            held = _Record(line, text)
        elif held.text.count(separator) <= most and not _begins(text, separator, at):
            held = _Record(held.line, f"{held.text}\n{text}", (*held.further, line))
        else:
            yield held
            held = _Record(line, text)
    if held is not None:
        yield held


def _begins(text: str, separator: str, at: int) -> bool:
    cells = text.split(separator)
    return len(cells) > at and _SHAPES["jobid"].fullmatch(cells[at]) is not None


def _split(
    texts: Iterable[tuple[int, str]], columns: Columns, separator: str, listing: Listing
) -> Iterator[Row]:
    for line, text, further in _records(texts, columns, separator):
        try:
            cells, joined = _cells(text, columns, separator)
        except RecordError as error:
            for refused in (line, *further):
                listing.refuse(refused, error)
            continue
        if joined:
            listing.add(line, SEPARATOR_IN_TEXT)
        for part in further:
            listing.add(part, LINE_BREAK_IN_TEXT)
        yield Row(line, cells)


def _cells(text: str, columns: Columns, separator: str) -> tuple[list[str], bool]:
    cells = text.split(separator)
    if len(cells) == len(columns):
        return cells, False
    if len(cells) < len(columns):
        raise RecordError(TOO_FEW_FIELDS, f"{len(cells)} of {len(columns)}")
    escaped = re.split(rf"(?<!\\){re.escape(separator)}", text)
    if len(escaped) == len(columns):
        return [cell.replace(f"\\{separator}", separator) for cell in escaped], True
    surplus = len(cells) - len(columns)
    for column in FREE_TEXT:
        if column in columns:
            at = columns.position(column)
            whole = separator.join(cells[at : at + surplus + 1])
            joined = [*cells[:at], whole, *cells[at + surplus + 1 :]]
            if _fits(joined, columns):
                return joined, True
    raise RecordError(TOO_MANY_FIELDS, f"{len(cells)} of {len(columns)}")


def _fits(cells: list[str], columns: Columns) -> bool:
    return all(
        shape.fullmatch(columns.cell(cells, name))
        for name, shape in _SHAPES.items()
        if name in columns
    )
