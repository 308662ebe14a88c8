"""Rows of the tables that presets declare: separated texts, Parquet and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Any, NamedTuple

from swfx.accounting.listing import Listing
from swfx.accounting.preset import Preset
from swfx.accounting.record_error import NOT_A_RECORD, RecordError
from swfx.accounting.table import LARGEST, Columns, Row, read_csv, stripped
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.base.parquet import arrow, parquet_file
from swfx.header import Header
from swfx.reading.report import Rule

__all__ = ["OpenTable", "open_table"]

NOT_JSON = Rule("not-json", "dropped", "the line is no JSON object", malformed=True)

PARQUET = b"PAR1"
"""First bytes of a Parquet file."""


class OpenTable(NamedTuple):
    """Columns of a table, its rows, read once as they are taken, and the text that counts them.

    Comments above the first row are the header.
    """

    columns: Columns
    rows: Iterator[Row]
    text: LogText
    header: Header = Header()


def open_table(preset: Preset, pieces: Iterable[bytes], listing: Listing) -> OpenTable:
    """Return a table in the layout of a preset; Parquet is known by its first bytes.

    Parameters
    ----------
    preset : Preset
        Layout, and columns that are wanted.
    pieces : iterable of bytes
        The table, unpacked.
    listing : Listing
        For lines that hold no record; its source is the name of the table.

    Raises
    ------
    InputError
        There is no such table; also while rows are taken.
    """
    rest = iter(pieces)
    first = next(rest, b"")
    text = LogText(chain((first,), rest), listing.source)
    text.files = getattr(pieces, "files", [])
    wanted = tuple(name for column in preset.columns.values() for name in column.names)
    if first.startswith(PARQUET):
        data = b"".join((first, *rest))
        if len(text.files) > 1:
            raise InputError(
                "several files of Parquet are not read as one log",
                source=text.name,
                remedy="merge them: utilitysched convert FORMAT:A FORMAT:B -o log.swfx.gz",
            )
        table = _parquet(data, wanted, text)
    elif preset.layout == "table":
        table = _separated(preset, text)
    else:
        lines = preset.layout == "json-lines"
        records = _each_line(text, listing) if lines else _all(preset, text)
        table = OpenTable(Columns(wanted), _json_rows(wanted, records, listing), text)
    return table._replace(rows=_without(preset.none, table.rows)) if preset.none else table


def _without(nothing: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Yield rows with empty cells in place of some texts."""
    for line, cells in rows:
        yield Row(line, ["" if stripped(cell) in nothing else cell for cell in cells])


def _separated(preset: Preset, text: LogText) -> OpenTable:
    """Return a table whose separator, where it is not given, makes the most of the first line."""
    raw = text.raw()
    head: list[str] = []
    for line in raw:
        head.append(line)
        if _plain(line, preset).strip():
            break
    header = Header(tuple(line.removeprefix(preset.comment).rstrip() for line in head[:-1]))
    separator = preset.separator or max(",;\t|", key="".join(head[-1:]).count)
    lines = (_plain(line, preset) for line in chain(head, raw))
    table = read_csv(lines, separator.replace(" ", "\t"), text.name, header=preset.header)
    return OpenTable(*table, text, header)


def _plain(line: str, preset: Preset) -> str:
    """Return a line without comments, and with one tab in place of blanks that separate."""
    if preset.comment and line.startswith(preset.comment):
        return ""
    return "\t".join(line.split()) if preset.separator == " " else line


def _parquet(data: bytes, wanted: Sequence[str], text: LogText) -> OpenTable:
    """Return the table of a Parquet file; columns that are not wanted are not read."""
    with parquet_file(data, text.name) as file:
        columns = Columns(file.schema_arrow.names)
    read = [name for name in columns.names if name in Columns(wanted)]

    def rows() -> Iterator[Row]:
        with parquet_file(data, text.name) as file:
            for batch in file.iter_batches(LARGEST, columns=read):
                cells = {name: _cells(batch[name]) for name in read}
                nothing = [""] * len(batch)
                for row in zip(*(cells.get(name, nothing) for name in columns.names), strict=True):
                    text.lines += 1
                    yield Row(text.lines, list(row))

    return OpenTable(columns, rows(), text)


def _cells(array: Any) -> list[Any]:
    pa, _ = arrow()
    if pa.types.is_timestamp(array.type):
        array = array.cast(pa.timestamp("us", array.type.tz), safe=False)
    return [_cell(value) for value in array.to_pylist()]


def _cell(value: Any) -> Any:
    """Return a value as it stands in a text; lists become tuples of texts."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if math.isnan(value) else str(int(value) if value.is_integer() else value)
    if isinstance(value, list):
        return tuple(str(_cell(each)) for each in value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value.total_seconds() if isinstance(value, timedelta) else value)


def _json_rows(
    paths: Sequence[str], records: Iterable[tuple[int, Any]], listing: Listing
) -> Iterator[Row]:
    """Yield the cells of the records that are objects or lists; list the others."""
    steps = [path.split(".") for path in paths]
    for line, record in records:
        if not isinstance(record, dict | list):
            listing.records += 1
            listing.refuse(line, RecordError(NOT_A_RECORD, str(record)))
            continue
        yield Row(line, [_cell(_at(record, path)) for path in steps])


def _each_line(text: LogText, listing: Listing) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text, 1):
        try:
            if line.strip():
                yield number, json.loads(line)
        except (ValueError, RecursionError):
            listing.records += 1
            listing.refuse(number, RecordError(NOT_JSON, line))


def _all(preset: Preset, text: LogText) -> Iterator[tuple[int, Any]]:
    """Yield the records of one document with their places, from 1."""
    try:
        value = json.loads("\n".join(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", source=text.name) from None
    records = _at(value, preset.records.split(".")) if preset.records else value
    if not isinstance(records, list):
        place = f"at {preset.records!r}" if preset.records else "of jobs"
        raise InputError(
            f"has no list {place}", source=text.name, remedy='say where it is: records = "PATH"'
        )
    text.lines = len(records)
    yield from enumerate(records, 1)


def _at(value: Any, steps: Sequence[str]) -> Any:
    """Return what a path leads to, None for nothing; `*` stands for every member of a list."""
    for place, step in enumerate(steps):
        if step == "*" and isinstance(value, list):
            inner = [_at(each, steps[place + 1 :]) for each in value]
            lists = [each if isinstance(each, list) else [each] for each in inner]
            return [each for part in lists for each in part if each is not None]
        try:
            value = value[int(step) if isinstance(value, list) else step]
        except (LookupError, TypeError, ValueError):
            return None
    return value
