"""A description as a page in HTML that needs nothing but itself."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from swfx.base.atomic import atomic_write
from utilitysched.analysis.description.panels import (
    Cell,
    Chart,
    Column,
    Description,
    Facts,
    Panel,
    Table,
)
from utilitysched.report.description import written
from utilitysched.report.svg import column_chart

STYLE = """\
:root {
  color-scheme: light dark;
  --page: #fcfcfa; --ink: #1d2126; --quiet: #5a626c; --rule: #d9dce0; --bar: #2f6f9f;
  --panel: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --ink: #e6e8ea; --quiet: #a2abb5; --rule: #353b42; --bar: #6db1e2;
    --panel: #1b1f23;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 82rem; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.5rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr));
  gap: 1.25rem; align-items: start; }
section { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px;
  padding: 1rem 1.1rem; overflow-x: auto; }
section.wide { grid-column: 1 / -1; }
p { margin: .6rem 0 0; color: var(--quiet); font-size: .875rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .18rem .6rem .18rem 0; text-align: right; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; border-bottom: 1px solid var(--rule);
  vertical-align: bottom; }
tbody th { color: inherit; font-weight: normal; border: 0; vertical-align: top;
  white-space: nowrap; }
.text { text-align: left; }
.bar { width: 28%; min-width: 6rem; padding-right: 0; }
.bar span { display: block; height: .8rem; margin-top: .35rem; background: var(--bar);
  border-radius: 2px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.5rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
.rule { stroke: var(--rule); }
.tick { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.column { fill: var(--bar); }
.column:hover { fill: var(--ink); }
@media print { body { max-width: none; padding: 0; } section { break-inside: avoid; } }
"""

WIDE = 6
"""Columns from which a table takes the whole width."""


def write_page(description: Description, path: Path) -> None:
    """Write a description as a page, whole or not at all; ``-`` is standard output.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    text = page(description)
    if path == Path("-"):
        print(text, end="")
        return
    with atomic_write(path) as stream:
        stream.write(text.encode(errors="replace"))  # headers hold any bytes


def page(description: Description) -> str:
    """Return a description as HTML without scripts, and without references to anything else."""
    sections = "\n".join(section(panel) for panel in description.panels)
    return frame(description.title, f"<main>\n{sections}\n</main>")


def frame(title: str, body: str, *, style: str = "", head: str = "", end: str = "") -> str:
    """Return a whole page.

    Parameters
    ----------
    title : str
        Plain text, shown as the first heading, too.
    body : str
        HTML below that.
    style : str
        Further rules, in CSS.
    head : str
        HTML, first in the head of the page.
    end : str
        HTML, last in its body.
    """
    text = escape(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{head}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{text}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{text}</h1>\n{body}\n{end}</body>\n</html>\n"
    )


def section(panel: Panel, *, widest: int = WIDE) -> str:
    """Return a panel as a section of a page; tables of `widest` columns or more take all of it."""
    wide = isinstance(panel, Facts) or (isinstance(panel, Table) and len(panel.columns) >= widest)
    unit = f" ({panel.unit})" if isinstance(panel, Chart) else ""
    inside = [f"<h2>{escape(panel.title + unit)}</h2>", _content(panel)]
    if not isinstance(panel, Facts) and panel.caption:
        inside.append(f"<p>{escape(panel.caption)}</p>")
    start = f'<section id="{panel.key}"' + (' class="wide">' if wide else ">")
    return "\n".join([start, *inside, "</section>"])


def _content(panel: Panel) -> str:
    if isinstance(panel, Chart):
        return column_chart(panel)
    return _facts(panel) if isinstance(panel, Facts) else table_rows(panel)


def _facts(facts: Facts) -> str:
    lines = [
        f"<dt>{escape(fact.name)}</dt><dd>{escape(fact.text)}</dd>"
        for fact in facts.facts
        if fact.text
    ]
    return "\n".join(["<dl>", *lines, "</dl>"])


def table_rows(table: Table) -> str:
    """Return a table alone; empty without rows."""
    if not table.rows:
        return ""
    heads = [f"<th{_class(column)}>{escape(column.name)}</th>" for column in table.columns]
    if table.bars:
        heads.append('<th class="bar"></th>')
    head = f"<thead><tr>{''.join(heads)}</tr></thead>"
    return "\n".join(["<table>", head, "<tbody>", *_rows(table), "</tbody>", "</table>"])


def _rows(table: Table) -> Iterator[str]:
    bars = [_bar(share) for share in table.drawn()] or [""] * len(table.rows)
    for row, bar in zip(table.rows, bars, strict=True):
        first, *others = zip(row, table.columns, strict=True)
        cells = [_cell("th", *first), *(_cell("td", *other) for other in others)]
        yield f"<tr>{''.join(cells)}{bar}</tr>"


def _cell(tag: str, cell: Cell, column: Column) -> str:
    return f"<{tag}{_class(column)}>{escape(written(cell, column))}</{tag}>"


def _bar(share: float) -> str:
    return f'<td class="bar"><span style="width:{100 * share:.2f}%"></span></td>'


def _class(column: Column) -> str:
    return ' class="text"' if column.kind == "text" else ""
