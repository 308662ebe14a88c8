"""A description in the terminal."""

import textwrap

from rich.table import Table as Grid

from utilitysched.analysis.description.panels import Cell, Chart, Column, Description, Facts, Table
from utilitysched.report.console import WIDTH, console, grid, show
from utilitysched.report.numbers import UNKNOWN, figures, percent, whole

BLOCKS = " ▁▂▃▄▅▆▇█"
PARTS = "▏▎▍▌▋▊▉█"
BAR_WIDTH = 20
CHART_WIDTH = 70


def print_description(description: Description) -> None:
    """Print a description: figures, tables with bars, and charts one line high."""
    to = console()
    to.print(description.title, soft_wrap=True)
    for panel in description.panels:
        to.print()
        if isinstance(panel, Facts):
            show(to, _facts(panel))
            continue
        to.print(panel.title.upper())
        if isinstance(panel, Chart):
            for line in _chart(panel):
                print(line.rstrip(), file=to.file)
        elif panel.rows:
            show(to, _table(panel))
        if panel.caption:
            print(textwrap.fill(panel.caption, WIDTH), file=to.file)


def _facts(facts: Facts) -> Grid:
    table = Grid.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    for fact in facts.facts:
        if fact.text:
            table.add_row(fact.name, fact.text)
    return table


def _table(table: Table) -> Grid:
    left = next((i for i, c in enumerate(table.columns) if c.kind != "text"), len(table.columns))
    drawn = grid([column.name for column in table.columns], left=left)
    bars = [[bar(share)] for share in table.drawn()] or [[] for _ in table.rows]
    if table.bars:
        drawn.add_column("", no_wrap=True)
    for row, end in zip(table.rows, bars, strict=True):
        cells = (written(cell, column) for cell, column in zip(row, table.columns, strict=True))
        drawn.add_row(*cells, *end)
    return drawn


def bar(share: float) -> str:
    """Return a line of blocks as long as a share of `BAR_WIDTH`.

    >>> bar(0.33)
    '██████▋'
    """
    full, rest = divmod(round(share * BAR_WIDTH * len(PARTS)), len(PARTS))
    return PARTS[-1] * full + (PARTS[rest - 1] if rest else "")


def written(cell: Cell, column: Column) -> str:
    """Return a cell as people read it.

    >>> written(0.2345, Column("% of jobs", "percent", "share"))
    '23.4'
    >>> [written(value, Column("most", "number", "most")) for value in (60.0, 60.25)]
    ['60', '60.2']
    """
    if cell is None:
        return UNKNOWN
    if isinstance(cell, str):
        return cell
    if column.kind == "percent":
        return percent(cell)
    if column.kind == "count" or float(cell).is_integer():
        return whole(cell)
    return figures(cell)


def _chart(chart: Chart) -> list[str]:
    values, each = _thinned(list(chart.values))
    most = max(values)
    top = len(BLOCKS) - 1
    wide = CHART_WIDTH // len(values) if len(values) <= CHART_WIDTH // 2 else 1
    line = "".join(
        BLOCKS[0 if not value else max(round(value / most * top), 1)] * wide for value in values
    )
    first, last = chart.labels[0], chart.labels[-1]
    scale = f"{first}{last.rjust(len(line) - len(first))}" if len(values) > 1 else first
    peak = chart.labels[max(range(len(chart.values)), key=chart.values.__getitem__)]
    mean = f", each column the mean of {each}" if each > 1 else ""
    return [line, scale, f"most: {figures(max(chart.values))} {chart.unit} ({peak}){mean}"]


def _thinned(values: list[float]) -> tuple[list[float], int]:
    """Return means of as many neighbours as it takes to fit, and how many these are."""
    each = -(-len(values) // CHART_WIDTH)
    groups = [values[i : i + each] for i in range(0, len(values), each)]
    return [sum(group) / len(group) for group in groups], each
