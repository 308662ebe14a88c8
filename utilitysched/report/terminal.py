"""Terminal output: descriptions, tables as wide as there is room for, paragraphs, and JSON."""

from __future__ import annotations

import math
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from swfx.base.numbers import in_table, significant
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Facts,
    ResultTable,
    ValueChart,
)
from utilitysched.report.visible import plain, visible, visible_json
from utilitysched.runs.files import json_pieces

WIDTH = 100
"""Characters of a line where nobody says how many there is room for: a file, a pipe."""

GAP = 2
"""Blanks between columns."""

LEAST = 12
"""Characters that a column of texts keeps, however narrow the terminal."""

BOLD = "bold"
BAR_WIDTH = 20
EIGHTHS = "▏▎▍▌▋▊▉█"
BLOCKS = " ▁▂▃▄▅▆▇█"
CHART_WIDTH = 70


def known_width(stream: TextIO | None = None) -> int | None:
    """Return the width of the terminal of a stream, None where it goes elsewhere.

    COLUMNS decides where it is set; the stream is standard output unless another is given.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    to = stream or sys.stdout
    try:
        return os.get_terminal_size(to.fileno()).columns if to.isatty() else None
    except (OSError, ValueError):
        return None


def width() -> int:
    """Return how many characters a line has."""
    return known_width() or WIDTH


def console() -> Console:
    """Return a console on standard output; lines longer than it are broken between words.

    No colour when standard output is no terminal, or when NO_COLOR is set.
    """
    return VisibleConsole(
        file=plain(sys.stdout), markup=False, highlight=False, emoji=False, width=width()
    )


class VisibleConsole(Console):
    """A console whose own escapes reach the terminal, and no others."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text with control characters escaped."""
        return super().render_str(visible(text), **options)


def paragraphs(text: str) -> None:
    """Print each line of a text as a paragraph."""
    for line in text.splitlines():
        print(filled(line))


def filled(text: str, room: int = 0, first: str = "", further: str = "") -> str:
    """Return a paragraph in lines of a width, the terminal's unless `room` is given.

    What has no blanks, such as a path, stays whole; `first` and `further` begin the lines.
    """
    return textwrap.fill(
        text,
        room or width(),
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_answer(description: Description) -> None:
    """Print what a description says first, and its tables; charts show what these hold."""
    for sentence in description.lead:
        print(filled(sentence))
    tables = [panel for panel in description.panels if isinstance(panel, ResultTable)]
    details = [panel for panel in description.folded if isinstance(panel, ResultTable)]
    for table in (*(replace(each, notes=()) for each in tables), *details):
        print()
        _print_panel(table)
    _print_notes([note for table in tables for note in table.notes])


def print_description(description: Description) -> None:
    """Print a description: facts, tables with bars, and charts one line high."""
    to = console()
    print(filled(description.title))
    for sentence in description.lead:
        print(filled(sentence))
    for panel in description.panels:
        to.print()
        if isinstance(panel, Facts):
            print_facts(panel)
        elif isinstance(panel, ResultTable):
            _print_panel(panel)
        else:
            _print_chart(panel)


def _print_panel(table: ResultTable) -> None:
    print(table.caption.upper())
    if table.rows:
        print_table(replace(table, caption="", notes=()))
    for note in table.notes:
        print(filled(note))


def _print_chart(chart: ValueChart) -> None:
    print(chart.title.upper())
    if isinstance(chart, ColumnChart):
        *drawn, peak = _chart(chart)
        for line in drawn:
            print(line.rstrip())
        print(filled(peak))
    if chart.caption:
        print(filled(chart.caption))


def _chart(chart: ColumnChart) -> list[str]:
    room = min(CHART_WIDTH, width())
    values, each = _thinned(list(chart.values), room)
    most = max(values)
    top = len(BLOCKS) - 1
    wide = room // len(values) if len(values) <= room // 2 else 1
    line = "".join(
        BLOCKS[0 if not value else max(round(value / most * top), 1)] * wide for value in values
    )
    first, last = chart.labels[0], chart.labels[-1]
    scale = f"{first}{last.rjust(len(line) - len(first))}" if len(values) > 1 else first
    peak = chart.labels[max(range(len(chart.values)), key=chart.values.__getitem__)]
    mean = f", each column the mean of {each}" if each > 1 else ""
    return [line, scale, f"peak: {significant(max(chart.values))} {chart.unit} ({peak}){mean}"]


def _thinned(values: list[float], room: int) -> tuple[list[float], int]:
    """Return means of neighbouring values that fit the line, and the size of each group."""
    each = -(-len(values) // room)
    groups = [values[i : i + each] for i in range(0, len(values), each)]
    return [math.fsum(group) / len(group) for group in groups], each


def print_facts(facts: Facts) -> None:
    """Print names and texts; empty ones are left out."""
    rows = [(fact.name, fact.text) for fact in facts.facts if fact.text]
    columns = (Column("", left=True), Column("", left=True, fold=True))
    print_table(ResultTable(columns, rows), headed=False)


def print_table(table: ResultTable, *, headed: bool = True) -> None:
    """Print a table with its caption and notes.

    A table that is wider than the terminal is printed in parts, one below the other, each with the
    columns at the left that say what a row is; the first has the main columns, too.
    """
    to = console()
    if table.caption:
        room = known_width()
        print(textwrap.fill(table.caption, room) if room else table.caption)
        print()
    for line in table_lines(table, headed=headed):
        to.print(line, soft_wrap=True)
    _print_notes(table.notes)


def table_lines(table: ResultTable, *, headed: bool = True) -> Iterator[Text]:
    """Yield the lines of a table without caption and notes, in parts where it is too wide."""
    for i, part in enumerate(_parts(_Grid(table), known_width())):
        if i:
            yield Text()
        for line, style in part.lines(headed=headed):
            yield Text(line.rstrip(), style=style)


def print_tables(tables: Sequence[ResultTable]) -> None:
    """Print tables; what is said about all of them stands once, below the last."""
    noted = [table.notes for table in tables if table.notes]
    first = noted[0] if len(noted) > 1 else ()
    shared = [note for note in first if all(note in notes for notes in noted)]
    for i, table in enumerate(tables):
        if i:
            print()
        print_table(replace(table, notes=[note for note in table.notes if note not in shared]))
    _print_notes(shared)


def _print_notes(notes: Sequence[str]) -> None:
    if notes:
        print()
    for note in notes:
        print(filled(note))


class _Grid:
    """Texts of a table under headings of several lines, with the width of each column."""

    def __init__(self, table: ResultTable) -> None:
        self.columns = table.columns
        bars = [bar(share) for share in table.drawn()]
        with in_table():
            self.rows = [list(map(visible, row)) for row in table.texts()]
            total = [list(map(visible, row)) for row in table.total_texts()]
        if bars:
            self.columns = (*table.columns, Column("", left=True))
            self.rows = [[*row, bar] for row, bar in zip(self.rows, bars, strict=True)]
        self.total = [[*row, *([""] if bars else [])] for row in total]
        self.heads = [visible(each.heading).split("\n") for each in self.columns]
        self.widths = [self._width(place) for place in range(len(self.columns))]
        if table.broken:
            self.break_heads()

    def break_heads(self) -> None:
        """Break headings that are wider than the cells of the column."""
        for place, each in enumerate(self.columns):
            if len(self.heads[place]) == 1:
                heading = visible(each.heading)
                words = [word.strip() for word in _words(heading)]
                room = max(map(cell_len, (*words, *self._below(place))), default=0)
                self.heads[place] = [line.strip() for line in _folded(heading, room)]
        self.widths = [self._width(place) for place in range(len(self.columns))]

    def fold(self, room: int) -> None:
        """Narrow columns that may be folded, the widest first, until all fit."""
        folding = [place for place, each in enumerate(self.columns) if each.fold]
        while folding and self.width > room:
            widest = max(folding, key=self.widths.__getitem__)
            if self.widths[widest] <= LEAST:
                return
            self.widths[widest] -= 1

    def narrow_labels(self, room: int) -> None:
        """Give columns of texts at most half the room each."""
        for place, each in enumerate(self.columns):
            if each.left:
                self.widths[place] = min(self.widths[place], max(room // 2, LEAST))

    @property
    def width(self) -> int:
        """Characters of a line."""
        return sum(self.widths) + GAP * (len(self.widths) - 1)

    def _below(self, place: int) -> list[str]:
        return [row[place] for row in (*self.rows, *self.total)]

    def _width(self, place: int) -> int:
        return max(map(cell_len, (*self.heads[place], *self._below(place))))


class _Part:
    """Some columns of a grid."""

    def __init__(self, grid: _Grid, places: Sequence[int]) -> None:
        self.grid = grid
        self.places = places
        self.groups = [
            list(each) for _, each in groupby(places, key=lambda place: grid.columns[place].group)
        ]

    def lines(self, *, headed: bool) -> Iterator[tuple[str, str]]:
        """Yield lines without line ends, and their styles."""
        if headed:
            heads = [self._head(group) for group in self.groups]
            height = max(map(len, heads))
            padded = [[""] * (height - len(lines)) + lines for lines in heads]
            for line in zip(*padded, strict=True):
                yield self._joined(line), BOLD
            yield (" " * GAP).join("─" * self._width(group) for group in self.groups), ""
        for row in self.grid.rows:
            yield from ((line, "") for line in self._row(row))
        if self.grid.rows and self.grid.total:
            yield "", ""
        for row in self.grid.total:
            yield from ((line, "") for line in self._row(row))

    def _head(self, group: Sequence[int]) -> list[str]:
        grid = self.grid
        title = self._title(group)
        height = max(len(grid.heads[place]) for place in group)
        heads = [[""] * (height - len(grid.heads[place])) + grid.heads[place] for place in group]
        lines = [self._line(group, texts) for texts in zip(*heads, strict=True)]
        room = self._width(group)
        return ([" " * ((room - cell_len(title)) // 2) + title] if title else []) + lines

    def _row(self, row: Sequence[str]) -> Iterator[str]:
        cells = [_folded(row[place], self.grid.widths[place]) for place in self.places]
        for texts in zip_longest(*cells, fillvalue=""):
            at = dict(zip(self.places, texts, strict=True))
            lines = [self._line(group, [at[place] for place in group]) for group in self.groups]
            yield self._joined(lines)

    def _line(self, group: Sequence[int], texts: Sequence[str]) -> str:
        cells = []
        for place, text in zip(group, texts, strict=True):
            blanks = " " * (self.grid.widths[place] - cell_len(text))
            cells.append(text + blanks if self.grid.columns[place].left else blanks + text)
        return (" " * GAP).join(cells)

    def _joined(self, lines: Sequence[str]) -> str:
        padded = [
            line + " " * (self._width(group) - cell_len(line))
            for group, line in zip(self.groups, lines, strict=True)
        ]
        return (" " * GAP).join(padded)

    @property
    def width(self) -> int:
        """Characters of a line."""
        return sum(map(self._width, self.groups)) + GAP * (len(self.groups) - 1)

    def _width(self, group: Sequence[int]) -> int:
        columns = sum(self.grid.widths[place] for place in group) + GAP * (len(group) - 1)
        return max(columns, cell_len(self._title(group)))

    def _title(self, group: Sequence[int]) -> str:
        return visible(self.grid.columns[group[0]].group.strip())


def _parts(grid: _Grid, room: int | None) -> Iterator[_Part]:
    """Yield the parts of a grid: one, or several that fit a terminal too narrow for the whole."""
    grid.fold(room or WIDTH)
    every = list(range(len(grid.columns)))
    if room is not None and grid.width > room:
        grid.break_heads()
        grid.fold(room)
    if room is None or grid.width <= room:
        yield _Part(grid, every)
        return
    grid.narrow_labels(room)
    labels = _labels(grid, room)
    taken = _Part(grid, labels)
    others = sorted(every[len(labels) :], key=lambda place: not grid.columns[place].main)
    for _, group in groupby(others, key=lambda place: grid.columns[place].group):
        places = list(group)
        whole = _Part(grid, [*labels, *places]).width <= room
        for block in [places] if whole else [[place] for place in places]:
            more = _Part(grid, [*taken.places, *block])
            if more.width > room and len(taken.places) > len(labels):
                yield taken
                more = _Part(grid, [*labels, *block])
            taken = more
    yield taken


def _labels(grid: _Grid, room: int) -> list[int]:
    """Return the leading columns of texts that label rows, as far as there is room."""
    labels: list[int] = []
    for place, each in enumerate(grid.columns[:-1]):
        used = sum(grid.widths[label] + GAP for label in labels) + grid.widths[place]
        if not each.left or (labels and used > room // 2):
            break
        labels.append(place)
    return labels


def _words(text: str) -> list[str]:
    """Split a text where a line may end."""
    return re.split("(?<=[ ,])|(?<=[a-z]:)(?=[a-z])", text)


def _folded(text: str, room: int) -> list[str]:
    """Break a text between words, or else behind commas and the name of a scheduler."""
    if cell_len(text) <= room:
        return [text]
    lines = [""]
    for word in _words(text):
        if lines[-1] and cell_len((lines[-1] + word).rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [part for line in lines for part in textwrap.wrap(line, room) or [""]]


def bar(share: float) -> str:
    """Return a line of blocks as long as a share of `BAR_WIDTH`.

    >>> bar(0.33)
    '██████▋'
    """
    full, rest = divmod(round(share * BAR_WIDTH * len(EIGHTHS)), len(EIGHTHS))
    return EIGHTHS[-1] * full + (EIGHTHS[rest - 1] if rest else "")


def print_json(document: object) -> None:
    """Print one JSON object on standard output."""
    to = plain(sys.stdout)
    to.writelines(map(visible_json, json_pieces(document)))
    to.write("\n")
