"""The table that ``sacct --parsable2`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

import numpy as np

from swfx.accounting.imported import written
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import NOT_A_RECORD, TOO_FEW_FIELDS, TOO_MANY_FIELDS
from swfx.accounting.table import LARGEST, Columns, Row, Table
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.reading.report import Files, Rule
from swfx.slurm.alignment import Alignment
from swfx.slurm.json_listing import json_rows
from swfx.slurm.key_values import BEGINS, key_value_rows
from swfx.slurm.keyed import KEYS

__all__ = ["EXPORT", "SacctTable", "read_table"]

EXPORT = (
    "export with sacct -a -P -S 2026-01-01 --duplicates --delimiter=$'\\x1f' --format=JobID,"
    "JobIDRaw,User,Account,Partition,QOS,JobName,Submit,Eligible,Start,End,Elapsed,Suspended,State,"
    "AllocCPUS,ReqCPUS,NNodes,TimelimitRaw,TotalCPU,MaxRSS,ReqMem,UID,AllocTRES,ConsumedEnergyRaw,"
    "Comment,SubmitLine"
)

SEPARATOR_IN_TEXT = Rule(
    "separator-in-text",
    "repaired",
    "a text holds the separator of columns: cells are joined where all others then fit, and"
    " texts that are not certain left out",
)
AMBIGUOUS = Rule(
    "ambiguous-separator",
    "dropped",
    "a text holds the separator of columns, and cells can be joined in several ways",
    malformed=True,
)
LINE_BREAK_IN_TEXT = Rule(
    "line-break-in-text", "folded", "the record of the line above goes on: a text has a line break"
)

_SEPARATORS = ("|", "\x1f", "\t", ";", "^", "~", ",")
"""What may stand between cells, tried in this order where no line of column names tells."""

_SEPARATOR = re.compile(r"[^A-Za-z0-9_%.]+")
_NAME = re.compile(r"[A-Za-z0-9_%.]+")

_MESSAGE = re.compile(
    r"(?:[\w.-]+: )?(?:error|fatal|warning|info|debug\d?): .*|\(\d+ rows?\)\s*|#.*|[\s=+*~-]+"
)
"""Lines that are part of no record wherever they stand: messages of Slurm's commands, psql's count
of rows, comments and rules."""

_GLUED = re.compile(r"(?:sacct|slurm\w*): (?:error|fatal): |slurmdb_conn: ")
"""How a message of Slurm begins that stands behind what was printed of a record."""
_GLUED_ENDS = ("error: ", "fatal: ", "slurmdb_conn: ")

_JSON = re.compile(r"\s*(\{|\[\s*(\{|\]|$))")
"""How JSON begins; a shell's prompt may begin with a bracket, too."""

_MOST_LINES = 300
"""Lines that a record is put together from at most."""

_MOST_STEPS = 1_000_000
"""Cells that are tried for a run of lines at most: these take less than 1 s."""

_Lines: TypeAlias = list[tuple[int, str]]
"""Lines of a log by number."""


class SacctTable(NamedTuple):
    """Columns that an export begins with, its tables, and the listing of lines without records.

    `keys` has the keys by which an export that is no table names what the columns hold.
    """

    columns: Columns
    tables: Iterator[Table]
    listing: Listing
    keys: Mapping[str, Sequence[str]] = {}


def read_table(text: LogText, names: tuple[str, ...] = ()) -> SacctTable:
    """Read what ``sacct -P``, ``-p`` or ``--json`` printed, whatever the columns and separator.

    Likewise ``squeue --json``, ``scontrol show job`` and the file of jobcomp/filetxt.

    Tables are read one by one; the listing counts all records in the end. Behind another line of
    column names tables have other columns.

    Parameters
    ----------
    text : LogText
        The export.
    names : tuple of str
        Names of the columns, if it has no line of them.

    Raises
    ------
    InputError
        There is no line of column names, or it was printed for people to read; or no line holds
        columns of the given names.
    """
    listing = Listing(text.name)
    rest = written(text)
    first = next(rest, (1, ""))
    lines = chain([first], rest)
    for begins, keyed_rows in ((_JSON, json_rows), (BEGINS, key_value_rows)):
        if begins.match(first[1]):
            columns, rows, listing = keyed_rows(lines, text)
            return SacctTable(columns, Table.in_parts(columns, rows), listing, KEYS)
    reader = _TableReader(lines, names, listing, text.files)

    def tables() -> Iterator[Table]:
        yield from reader.tables()
        listing.count(text.lines, listing.records)

    return SacctTable(reader.alignment.columns, tables(), listing)


def _heading(line: str) -> tuple[Columns, str] | None:
    """Return the columns that a line names, and what stands between them; None for other lines."""
    separator = _SEPARATOR.search(line) if "jobid" in line.casefold() else None
    if separator is None or not separator[0].strip(" "):
        return None
    names = line.split(separator[0])
    if not all(map(_NAME.fullmatch, names if names[-1] else names[:-1])):
        return None
    return Columns(names), separator[0]


def _layout(names: tuple[str, ...], record: str) -> tuple[Columns, str] | None:
    """Find what stands between the cells of a record of such columns; None if there are others."""
    for separator in _SEPARATORS:
        for columns in (Columns(names), Columns((*names, ""))):
            if Alignment(columns, separator).choices(record):
                return columns, separator
    return None


class _TableReader:
    """Tables of an export, of some thousand lines each, and lines that are no records.

    Parameters
    ----------
    lines : iterator of tuple of (int, str)
        Lines that are not blank, by number.
    names : tuple of str
        Names of the columns, if no line names them.
    listing : Listing
        Counts records, and lists lines that are none.
    files : sequence of tuple of (str, int)
        Of a log in several files the number of lines before each, as far as lines were taken.

    Attributes
    ----------
    alignment : Alignment
        Of the lines at which the reader is.

    Raises
    ------
    InputError
        No line names columns or holds those of these names, or the listing is for people.
    """

    def __init__(
        self,
        lines: Iterator[tuple[int, str]],
        names: tuple[str, ...],
        listing: Listing,
        files: Files,
    ) -> None:
        self._lines = lines
        self._files = files
        self._last = 0  # line above those of the next tables
        self._listing = listing
        self._names: dict[str, set[str]] = {}
        self._undecided: list[tuple[Alignment, _Lines, int]] = []
        self.alignment = self._begin(names)

    def _begin(self, names: tuple[str, ...]) -> Alignment:
        """Find the columns of the first record; lines above it or its heading are listed."""
        first = 0
        for number, line in self._lines:
            self._last = number
            heading = _heading(line)
            layout = heading or (_layout(names, line) if names else None)
            if layout is not None:
                self._lines = self._lines if heading else chain([(number, line)], self._lines)
                return Alignment(*layout, self._names)
            if not names and "jobid" in line.casefold().split():
                raise InputError(
                    "this is sacct's listing for people",
                    source=self._listing.source,
                    line=number,
                    remedy=EXPORT,
                )
            first = first or number
            self._listing.records += 1
            self._listing.add(number, NOT_A_RECORD)
        if names:
            raise InputError(
                f"does not hold these {len(names)} columns: {','.join(names)}",
                source=self._listing.source,
                line=first,
                field="columns",
                remedy="name the columns in the order in which sacct was asked for them",
            )
        raise InputError(
            "no line names the columns of sacct",
            source=self._listing.source,
            line=first,
            remedy=f"say which there are (slurm,columns=JobID,User,...:FILE), or {EXPORT}",
        )

    def tables(self) -> Iterator[Table]:
        """Yield the tables; the last record of each is held back, for it may go on."""
        held: _Lines = []
        while block := list(islice(self._lines, LARGEST)):
            if _heading(block[-1][1]):
                block += islice(self._lines, 1)
            for part, heading, more in self._parted(block):
                self._listing.records += len(part)
                tables, held = self._tables(held + part, more=more)
                yield from tables
                if heading is not None and not self.alignment.is_of(*heading):
                    self.alignment = Alignment(*heading, self._names)
            self._last = block[-1][0]
        yield from self._tables(held, more=False)[0]
        for alignment, run, lines in self._undecided:
            yield from _of(alignment, list(self._rows(alignment, run, lines)))

    def _parted(self, block: _Lines) -> Iterator[tuple[_Lines, tuple[Columns, str] | None, bool]]:
        """Yield the lines above each file and each line of column names, and the last lines.

        With the columns that are named behind them, and whether their last record may go on.
        """
        first = self._first_of_files(block)
        begin = 0
        if first or "jobid" in "\n".join(text for _, text in block).casefold():
            for place, (_, text) in enumerate(block):
                if place in first:
                    yield block[begin:place], None, False
                    begin = place
                heading = _heading(text)
                if heading and (place in first or self._names_columns(heading, block[place:])):
                    yield block[begin:place], heading, False
                    begin = place + 1
        yield block[begin:], None, True

    def _first_of_files(self, block: _Lines) -> set[int]:
        """Places of the lines that are the first of files but the first file."""
        if len(self._files) < 2:
            return set()
        above = [lines for _, lines in self._files]
        file = np.searchsorted(above, [self._last, *(number for number, _ in block)])
        return {*np.flatnonzero(np.diff(file)).tolist()}

    def _names_columns(self, heading: tuple[Columns, str], lines: _Lines) -> bool:
        """Whether the first of the lines names the columns of those behind it.

        A command may hold such a line: it counts if what is needed is there, and a record follows.
        """
        if not (self.alignment.is_of(*heading) or {"Submit", "Start"} <= {*heading[0].names}):
            return False
        behind = (text for _, text in lines[1:] if not _MESSAGE.fullmatch(text))
        text = next(behind, lines[0][1])
        alignment = Alignment(*heading)
        return text == lines[0][1] or bool(alignment.begins(text) or alignment.choices(text))

    def _tables(self, lines: _Lines, *, more: bool) -> tuple[list[Table], _Lines]:
        """Return the table of these lines, if any, and the last record's lines if more follow."""
        alignment = self.alignment
        texts = [text for _, text in lines]
        together = "\n".join(texts)
        clear = lines and not any(end in together for end in _GLUED_ENDS)
        cells = alignment.by_column(texts) if clear else None
        if cells is None:
            rows, held = self._by_run(lines, more=more)
            tables = _of(alignment, rows)
        else:
            end = len(lines) - more
            numbers = np.array([number for number, _ in lines[:end]], np.int64)
            tables = [Table(alignment.columns, numbers, [column[:end] for column in cells])]
            held = lines[end:]
        for table in tables:
            alignment.learn(table.cells)
        return [table for table in tables if len(table)], held

    def _by_run(self, lines: _Lines, *, more: bool) -> tuple[list[Row], _Lines]:
        """Return the records of lines some of which are none, and the lines of the last one.

        Lines that a line break in a text has parted are put together. Whatever follows a record
        that breaks off may be the rest of it.
        """
        run: _Lines = []
        rows: list[Row] = []
        begun = ""  # of the run, what may be one record: from a line on that breaks off
        for number, text in lines:
            is_message = _MESSAGE.fullmatch(text) and not self._is_cells(begun, text)
            if is_message or (": " in text and self._is_cut_by_message(begun, text)):
                self._listing.add(number, NOT_A_RECORD)
                continue
            ends = self.alignment.begins(text) or self.alignment.lacks_number(text)
            ends = ends and (not begun or bool(self.alignment.choices(begun)))
            if run and (ends or len(run) == _MOST_LINES):
                rows += self._rows(self.alignment, run)
                run, begun = [], ""
            if begun or self.alignment.breaks_off(text):
                begun = f"{begun}\n{text}" if begun else text
            run.append((number, text))
        if more:
            return rows, run
        return [*rows, *self._rows(self.alignment, run)], []

    def _is_cells(self, begun: str, text: str) -> bool:
        """Whether a line that reads like a message has cells of a record, or of one that begun."""
        if self.alignment.separator not in text:
            return False
        return bool(not self.alignment.choices(begun) if begun else self.alignment.choices(text))

    def _is_cut_by_message(self, begun: str, text: str) -> bool:
        """Whether a message stands in a cell that holds no text, behind the first of a record."""
        message = _GLUED.search(text)
        alignment = self.alignment
        above = text[: message.start()] if message else ""
        if not message or not alignment.is_cut(above):
            return False
        if alignment.breaks_off(above) and alignment.breaks_off(text):
            return False
        whole = bool(begun and alignment.choices(f"{begun}\n{text}"))
        return not whole and not alignment.has_in_text(text, message[0])

    def _rows(self, alignment: Alignment, run: _Lines, undecided: int = 0) -> Iterator[Row]:
        """Yield the records in a run of lines; list the lines that are none.

        A record that fits in several ways is put off until all names are known, and refused if
        they do not decide: the first lines of the run are such a one if any are `undecided`.
        """
        texts = [text for _, text in run]
        if len(run) == 1 and texts[0].count(alignment.separator) == len(alignment.columns) - 1:
            yield Row(run[0][0], texts[0].split(alignment.separator))
            return
        parts = _Parts(alignment, texts, known=undecided > 0)
        lines = np.array([line for line, _ in run])
        place = 0
        while place < len(run):
            number, text = run[place]
            end, cells = parts.record(place)
            if cells is not None:
                yield Row(number, cells)
                if parts.separators(place, end) >= len(cells):
                    self._listing.add(number, SEPARATOR_IN_TEXT)
                self._listing.add_all(lines[place + 1 : end], LINE_BREAK_IN_TEXT)
            elif end > place and not undecided and not parts.too_many:
                self._undecided.append((alignment, run[place:], end - place))
                return
            elif end > place or undecided:
                end = max(end, undecided)
                self._listing.add_all(lines[place:end], AMBIGUOUS)
            else:
                end = place + 1
                pieces = text.split(alignment.separator)
                if len(pieces) == len(alignment.columns):
                    yield Row(number, pieces)  # something in it will be refused
                else:
                    self._listing.add(number, _refusal(alignment, text))
            place, undecided = end, 0


class _Parts:
    """Ways to part a run of lines into records, and lines that are none.

    The best way leaves fewest lines with separators that are no records, nor begin one that breaks
    off, and has most records.

    Parameters
    ----------
    alignment : Alignment
        Takes records apart.
    texts : list of str
        The n lines.
    known : bool
        Have the first record names only that other lines have.

    Attributes
    ----------
    too_many : bool
        Whether there are more ways than are tried; none is certain then.
    """

    def __init__(self, alignment: Alignment, texts: list[str], *, known: bool) -> None:
        self.too_many = False
        most = alignment.steps + _MOST_STEPS
        self._alignment = alignment
        self._texts = texts
        self._between = [text.count(alignment.separator) for text in texts]
        self._breaks_off = [*map(alignment.breaks_off, texts)]
        # lines left over, and records, of the best way from each line to the end
        self._best = [(0, 0)] * (len(texts) + 1)
        self._choices: list[dict[int, list[set[str]]]] = [{} for _ in texts]
        for place in reversed(range(len(texts))):
            may_begin = len(texts) == 1 or alignment.may_begin(texts[place])
            choices: list[set[str]] = []
            for end in range(place + 1, len(texts) + 1) if may_begin else ():
                if end > place + 1 and alignment.goes_on_with(texts[end - 1]):
                    choices = alignment.with_command(choices, texts[end - 1])
                elif not self._between[end - 1]:
                    continue
                elif alignment.steps > most:
                    self.too_many = True
                    return
                else:
                    record, only_known = "\n".join(texts[place:end]), known and place == 0
                    choices = alignment.choices(record, known=only_known)
                if choices and self._between[end - 1]:
                    self._choices[place][end] = choices
            ways = [self._without(place), *(self._with(end) for end in self._choices[place])]
            self._best[place] = min(ways)

    def separators(self, place: int, end: int) -> int:
        """Return the number of separators from a line to before another."""
        return sum(self._between[place:end])

    def _without(self, place: int) -> tuple[int, int]:
        left, records = self._best[place + 1]
        return left + (self._between[place] > 0 and not self._breaks_off[place]), records

    def _with(self, end: int) -> tuple[int, int]:
        left, records = self._best[end]
        return left, records - 1

    def record(self, place: int) -> tuple[int, list[str] | None]:
        """Return the line behind the record that begins at a line, and its cells.

        The line is the same if none begins there. There are no cells if these, or whether it is a
        record that breaks off, and another follows, are not certain. What stands behind a line
        break in a text does not count: the record is the shortest then, but the longest where the
        command that submitted the job goes on, as that names nothing.
        """
        if self.too_many:
            return len(self._texts), None
        best, choices = self._best[place], self._choices[place]
        ends = [end for end in choices if self._with(end) == best]
        if not ends or (self._without(place) == best and not self._between[place]):
            return place, None
        goes_on = self._alignment.ends_with_command
        end = max(ends) if goes_on else min(ends)
        columns = [set.union(*cells) for cells in zip(*(choices[end] for end in ends), strict=True)]
        if goes_on:
            columns[-1] = choices[end][-1]
        cells = self._alignment.certain(columns)
        if cells is None or (self._without(place) == best and self._breaks_off[place]):
            return max(ends), None
        while goes_on and end < len(self._texts) and not self._between[end]:
            cells[-1] += f"\n{self._texts[end]}"
            end += 1
        return end, cells


def _refusal(alignment: Alignment, text: str) -> Rule:
    """Return the rule for a line that is no record."""
    if text.count(alignment.separator) >= len(alignment.columns):
        return TOO_MANY_FIELDS
    return TOO_FEW_FIELDS if alignment.begins(text) else NOT_A_RECORD


def _of(alignment: Alignment, rows: list[Row]) -> list[Table]:
    return [Table.of(alignment.columns, rows)] if rows else []
