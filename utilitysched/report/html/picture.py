"""A chart of a report with all that stands around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from utilitysched.analysis.description.panels import Table
from utilitysched.report.html.palette import DASHES, MARKER_PATHS
from utilitysched.report.page import table_rows


@dataclass(frozen=True)
class Picture:
    """One section of a report.

    Attributes
    ----------
    key, title : str
        Name in the page, and for people.
    caption : str
        What is seen, in words and figures.
    chart : figure
        Drawn by the browser.
    columns : sequence of ColumnDataSource
        What the page's script draws from, besides.
    table : Table, optional
        The same in figures, folded away.
    lines : mapping of int to str
        Places and labels of the runs that a key tells apart; there is none for a single run.
    marked : bool
        Draw the runs' markers in the key, too.
    controls, legend : str
        HTML above and below the chart.
    wide : bool
        Over the whole width of the page.
    """

    key: str
    title: str
    caption: str
    chart: figure
    columns: Sequence[ColumnDataSource] = ()
    table: Table | None = None
    lines: Mapping[int, str] = field(default_factory=dict)
    marked: bool = False
    controls: str = ""
    legend: str = ""
    wide: bool = False

    def html(self) -> str:
        """Return the section, with an empty place for the chart."""
        wide = ' class="wide"' if self.wide else ""
        parts = [
            f'<section id="{self.key}"{wide} aria-labelledby="{self.key}-title">',
            f'<h2 id="{self.key}-title">{escape(self.title)}</h2>',
            self.controls,
            _key(self.lines, marked=self.marked) if len(self.lines) > 1 else "",
            f'<figure aria-labelledby="{self.key}-title" aria-describedby="{self.key}-caption">',
            f'<div class="chart" id="{self.place}"></div>',
            self.legend,
            f'<figcaption id="{self.key}-caption">{escape(self.caption)}</figcaption>',
            "</figure>",
            _figures(self.table),
            "</section>",
        ]
        return "\n".join(part for part in parts if part)

    @property
    def place(self) -> str:
        """Name of the element that the chart is drawn in."""
        return f"chart-{self.key}"


def _key(lines: Mapping[int, str], *, marked: bool) -> str:
    items = "".join(
        f"<li>{_stroke(place, marked=marked)} {escape(label)}</li>"
        for place, label in lines.items()
    )
    return f'<ul class="key">{items}</ul>'


def _stroke(place: int, *, marked: bool) -> str:
    dashes = " ".join(map(str, DASHES[place])) or "none"
    mark = f'<path d="{MARKER_PATHS[place]}"/>' if marked else ""
    return (
        f'<svg viewBox="-16 -6 32 12" aria-hidden="true" style="stroke:var(--ink-{place})">'
        f'<line x1="-16" x2="16" stroke-dasharray="{dashes}"/>{mark}</svg>'
    )


def _figures(table: Table | None) -> str:
    if table is None or not table.rows:
        return ""
    caption = f"<p>{escape(table.caption)}</p>" if table.caption else ""
    return (
        f"<details><summary>{escape(table.title)}</summary>{table_rows(table)}{caption}</details>"
    )
