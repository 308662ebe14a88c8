"""Descriptions in the terminal, and as pages in HTML that need nothing but themselves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from swfx.base.numbers import significant
from utilitysched.analysis.documents import (
    ColumnChart,
    Description,
    Estimate,
    Facts,
    IntervalChart,
    Landscape,
    LineChart,
    Panel,
    ResultTable,
    plain_table,
)
from utilitysched.report.tables.cells import estimate_text
from utilitysched.report.templating import render, write_html
from utilitysched.report.terminal import console, filled, print_facts, print_table, width

BLOCKS = " ▁▂▃▄▅▆▇█"
CHART_WIDTH = 70

LONG = 8
"""Rows from which a table can be sorted and filtered."""

WIDE = 6
"""Columns from which a table takes the whole width."""


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
            print(panel.caption.upper())
            if panel.rows:
                print_table(replace(panel, caption="", notes=()))
            for note in panel.notes:
                print(filled(note))
        else:
            _print_chart(panel)


def _print_chart(chart: ColumnChart | IntervalChart | LineChart | Landscape) -> None:
    print(chart.title.upper())
    if isinstance(chart, ColumnChart):
        for line in _chart(chart):
            print(line.rstrip())
    elif not isinstance(chart, Landscape):
        print_table(_last(chart) if isinstance(chart, LineChart) else _intervals(chart))
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


def _intervals(chart: IntervalChart) -> ResultTable:
    rows = [(row.name, estimate_text(Estimate(*row[1:]))) for row in chart.rows]
    return plain_table(["", chart.unit], rows)


def _last(chart: LineChart) -> ResultTable:
    rows = [(line.name, significant(line.values[-1])) for line in chart.lines]
    return plain_table([f"in the last {chart.step}", chart.unit], rows)


def _thinned(values: list[float], room: int) -> tuple[list[float], int]:
    """Return means of neighbouring values that fit the line, and the size of each group."""
    each = -(-len(values) // room)
    groups = [values[i : i + each] for i in range(0, len(values), each)]
    return [sum(group) / len(group) for group in groups], each


def write_page(description: Description, path: Path) -> None:
    """Write a description as a page, whole or not at all; ``-`` is standard output."""
    write_html(page(description), path)


def page(description: Description) -> str:
    """Return a description as HTML that refers to nothing else; long tables have a script."""
    panels, notes = _noted_once(description.panels)
    return render(
        "description.html",
        title=description.title,
        sentences=description.lead,
        panels=panels,
        notes=notes,
        widest=WIDE,
        sortable=any(isinstance(each, ResultTable) and len(each.rows) >= LONG for each in panels),
    )


def fragment(description: Description) -> str:
    """Return a description as a part of a page that brings its own style, as notebooks do."""
    return render(
        "fragment.html", sentences=description.lead, panels=description.panels, widest=WIDE
    )


def _noted_once(panels: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Return panels without the notes that several have, and those notes."""
    every = [note for each in panels for note in getattr(each, "notes", ())]
    shared = [note for note in dict.fromkeys(every) if every.count(note) > 1]
    kept = [
        replace(each, notes=[note for note in each.notes if note not in shared])
        if isinstance(each, ResultTable)
        else each
        for each in panels
    ]
    return kept, shared
