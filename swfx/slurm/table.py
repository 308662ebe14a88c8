"""The table that ``sacct --parsable2`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from swfx.accounting.listing import Listing
from swfx.accounting.record_error import TOO_FEW_FIELDS, TOO_MANY_FIELDS, RecordError
from swfx.accounting.table import LARGEST, Columns, Row, Table
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.reading.report import Rule
from swfx.slurm import json_listing, key_values, keyed
from swfx.slurm.alignment import Alignment

__all__ = ["EXPORT", "SacctTable", "read_table"]

EXPORT = (
    "export with sacct -a -P --duplicates --delimiter=$'\\x1f' --format=JobID,JobIDRaw,User,"
    "Account,Partition,QOS,JobName,Submit,Start,End,Elapsed,Suspended,State,AllocCPUS,ReqCPUS,"
    "NNodes,TimelimitRaw,TotalCPU,MaxRSS,ReqMem,UID,AllocTRES,ConsumedEnergyRaw,Comment,SubmitLine"
)

SEPARATOR_IN_TEXT = Rule(
    "separator-in-text",
    "repaired",
    "a text holds the separator of columns: cells are joined where all others then fit",
)

LINE_BREAK_IN_TEXT = Rule(
    "line-break-in-text", "folded", "the record of the line above goes on: a text has a line break"
)

_SEPARATORS = ("|", "\x1f", "\t", ";", "^", "~", ",")
"""What may stand between cells, tried in this order where no line of column names tells."""

_SEPARATOR = re.compile(r"[^A-Za-z0-9_%.]+")

_MOST_LINES = 300
"""Lines that a record is put together from at most."""


class SacctTable(NamedTuple):
    """Columns and tables of an export, and the listing of lines that are no records.

    `keys` has the keys by which an export that is no table names what the columns hold.
    """

    columns: Columns
    tables: Iterator[Table]
    listing: Listing
    keys: Mapping[str, Sequence[str]] = {}


def read_table(text: LogText, names: tuple[str, ...] = ()) -> SacctTable:
    """Read what ``sacct -P``, ``-p`` or ``--json`` printed, whatever the columns and separator.

    Likewise ``squeue --json``, ``scontrol show job`` and the file of jobcomp/filetxt.

    Tables are read one by one; the listing counts all records in the end.

    Parameters
    ----------
    text : LogText
        The export.
    names : tuple of str
        Names of the columns, if it has no line of them.

    Raises
    ------
    InputError
        There is no line of column names, or it was printed for people to read; or the first
        line does not hold columns of the given names.
    """
    lines: Iterator[tuple[int, str]] = enumerate(text, 1)
    first, line = next(((n, line) for n, line in lines if line.strip()), (1, ""))
    if line.lstrip().startswith(("{", "[")):
        columns, rows, listing = json_listing.json_rows(
            "\n".join((line, *(more for _, more in lines))), text.name
        )
        return SacctTable(columns, Table.in_parts(columns, rows), listing, keyed.KEYS)
    if key_values.BEGINS.match(line):
        columns, rows, listing = key_values.key_value_rows(chain([(first, line)], lines), text)
        return SacctTable(columns, Table.in_parts(columns, rows), listing, keyed.KEYS)
    if names:
        columns, heading = Columns(names), ""
        lines = chain([(first, line)], lines)
        separator = _separator_between(columns, line, text.name, first)
        closed = line.count(separator) == len(columns)
    else:
        separator, heading = _separator_of(line, text.name, first), line
        closed = line.endswith(separator)
        columns = Columns(line.removesuffix(separator).split(separator))
    ending = separator if closed else ""
    listing = Listing(text.name)
    begins = f"{columns.names[0]}{separator}"

    def texts() -> Iterator[tuple[int, str]]:
        for n, line in lines:
            if line.strip() and line != heading:
                if heading and line.startswith(begins):
                    _refuse_names(line.split(separator), text.name, n)
                listing.records += 1
                yield n, line.removesuffix(ending)
        listing.count(text.lines, listing.records)

    alignment = Alignment(columns, separator)
    return SacctTable(columns, _tables(texts(), columns, alignment, listing), listing)


def _refuse_names(cells: list[str], source: str, line: int) -> None:
    """Refuse another line of column names: cells would be taken for those of other columns."""
    if {"jobid", "jobidraw"} & {cell.strip().casefold() for cell in cells}:
        raise InputError(
            "names other columns than the first line",
            source=source,
            line=line,
            remedy="join exports with the same columns only",
        )


def _separator_of(names: str, source: str, line: int) -> str:
    match = _SEPARATOR.search(names)
    if "jobid" not in names.casefold() or match is None:
        raise InputError(
            "the first line does not name the columns of sacct",
            source=source,
            line=line,
            remedy=f"say which there are (slurm,columns=JobID,User,...:FILE), or {EXPORT}",
        )
    if not match[0].strip(" "):
        raise InputError(
            "this is sacct's listing for people", source=source, line=line, remedy=EXPORT
        )
    return match[0]


def _separator_between(columns: Columns, record: str, source: str, line: int) -> str:
    """Find what stands between the cells of a table without column names."""
    for separator in _SEPARATORS:
        if Alignment(columns, separator).cells(record.removesuffix(separator)) is not None:
            return separator
    raise InputError(
        f"does not hold these {len(columns)} columns: {','.join(columns.names)}",
        source=source,
        line=line,
        field="columns",
        remedy="name the columns in the order in which sacct was asked for them",
    )


def _tables(
    texts: Iterator[tuple[int, str]], columns: Columns, alignment: Alignment, listing: Listing
) -> Iterator[Table]:
    """Tables of some thousand lines; the last record of each is held back, for it may go on."""
    held: list[tuple[int, str]] = []
    while block := list(islice(texts, LARGEST)):
        held += block
        numbers, records = zip(*held, strict=True)
        cells = alignment.columns(records)
        if cells is not None:
            lines = np.array(numbers[:-1], np.int64)
            yield Table(columns, lines, [column[:-1] for column in cells])
            held = held[-1:]
        else:
            rows, held = _by_record(held, alignment, listing)
            if rows:
                yield Table.of(columns, rows)
    rows = list(_records(held, alignment, listing))
    if rows:
        yield Table.of(columns, rows)


def _by_record(
    texts: Iterable[tuple[int, str]], alignment: Alignment, listing: Listing
) -> tuple[list[Row], list[tuple[int, str]]]:
    """Return the records of these lines, and the lines of the last one.

    Lines that a line break in a text has parted are put together.
    """
    held: list[tuple[int, str]] = []
    rows: list[Row] = []
    for line, text in texts:
        if held and (len(held) == _MOST_LINES or alignment.begins(text)):
            rows += _records(held, alignment, listing)
            held = []
        held.append((line, text))
    return rows, held


def _records(held: list[tuple[int, str]], alignment: Alignment, listing: Listing) -> Iterator[Row]:
    """Yield the records in a run of lines; lines outside any record are listed."""
    lines, texts = [line for line, _ in held], [text for _, text in held]
    first = 0
    for count, cells in _taken_apart(texts, alignment):
        if cells is None:
            rule = TOO_MANY_FIELDS if alignment.has_all(texts[first]) else TOO_FEW_FIELDS
            listing.refuse(lines[first], RecordError(rule, texts[first]))
        else:
            if alignment.has_more("\n".join(texts[first : first + count])):
                listing.add(lines[first], SEPARATOR_IN_TEXT)
            for line in lines[first + 1 : first + count]:
                listing.add(line, LINE_BREAK_IN_TEXT)
            yield Row(lines[first], cells)
        first += count


def _taken_apart(texts: list[str], alignment: Alignment) -> Iterator[tuple[int, list[str] | None]]:
    """Yield the number of lines and the cells of each record; None for a line outside any."""
    if len(texts) == 1:
        yield 1, alignment.as_it_stands(texts[0]) or alignment.cells(texts[0])
        return
    # from the end: a record may end only where the rest of the lines are records, too
    records: list[tuple[int, list[str]] | None] = [None] * len(texts)
    for first in reversed(range(len(texts))):
        for last in range(first + 1, len(texts) + 1):
            if last == len(texts) or records[last] is not None:
                cells = alignment.cells("\n".join(texts[first:last]))
                if cells is not None:
                    records[first] = last - first, cells
                    break
    first = 0
    while first < len(texts):
        count, cells = records[first] or _shortest(texts[first:], alignment)
        yield count, cells
        first += count


def _shortest(texts: list[str], alignment: Alignment) -> tuple[int, list[str] | None]:
    """Find the record that begins these lines, though not all of the others are records."""
    for count in range(1, len(texts) + 1):
        cells = alignment.cells("\n".join(texts[:count]))
        if cells is not None:
            return count, cells
    return 1, alignment.as_it_stands(texts[0])
