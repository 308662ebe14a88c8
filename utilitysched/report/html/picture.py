"""Charts of reports with all that stands around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from utilitysched.analysis.documents import ResultTable


@dataclass(frozen=True)
class ReportSection:
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
    table : ResultTable, optional
        The same in figures, folded away.
    lines : mapping of int to str
        Places and labels of the runs that a key tells apart; there is none for a single run.
    marked : bool
        Draw the runs' markers in the key, too.
    choices : sequence of str
        Labels of the runs one of which is shown at a time.
    colours : mapping of str to str
        Names of the colours, in CSS, that a key below the chart explains.
    wide : bool
        Over the whole width of the page.
    """

    key: str
    title: str
    caption: str
    chart: figure
    columns: Sequence[ColumnDataSource] = ()
    table: ResultTable | None = None
    lines: Mapping[int, str] = field(default_factory=dict)
    marked: bool = False
    choices: Sequence[str] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    wide: bool = False

    @property
    def place(self) -> str:
        """Name of the element that the chart is drawn in."""
        return f"chart-{self.key}"
