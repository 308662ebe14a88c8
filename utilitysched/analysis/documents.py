"""Documents of results: facts, tables and charts, before anybody has chosen how they look.

`utilitysched.report` writes them for terminals, pages, papers and programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from swfx.base.numbers import UNKNOWN, percent, significant, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cell = str | int | float | None

Kind = Literal["text", "count", "number", "percent"]
"""How cells are written: as they are, whole, to three digits unless whole, a share in percent."""


def _no_style(_: object) -> str:
    return ""


@dataclass(frozen=True)
class Column:
    """A column of a result table: heading, unit, formatter.

    Attributes
    ----------
    name : str
        Heading; breaks between its lines are kept where lines can be broken.
    unit : str
        Of the cells, empty if they have none.
    write : callable
        From a cell to the text that people read.
    left : bool
        Whether the texts start at the left; numbers end at the right.
    key : str
        Name in JSON.
    fold : bool
        Texts may be broken where there is little room.
    group : str
        What columns beside each other have in common: a heading above theirs.
    main : bool
        Stands beside the labels of rows where the table is too wide for one part.
    style : callable
        From a cell to its classes on pages, apart by blanks.
    """

    name: str
    unit: str = ""
    write: Callable[[Any], str] = str
    left: bool = False
    key: str = ""
    fold: bool = False
    group: str = ""
    main: bool = False
    style: Callable[[Any], str] = _no_style

    @property
    def heading(self) -> str:
        """The name, and the unit in brackets behind it."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True)
class ResultTable:
    """A table of results: columns, rows, a caption and notes.

    Attributes
    ----------
    columns : sequence of Column
        At least one.
    rows : sequence of sequence
        Cells in the unit of their column and to full precision; None is not known.
    caption : str
        One line above the table.
    notes : sequence of str
        Below the table, each on its own.
    total : sequence of sequence
        Further rows, apart from the others.
    key : str
        Name in JSON.
    bars : str
        Key of the column of shares that is drawn, too; empty for none.
    rest : bool
        The last row is all that have no row of their own: it is not drawn.
    broken : bool
        Headings are broken between words where they are wider than what stands below them.

    Raises
    ------
    ValueError
        If a row has not one cell per column.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    notes: Sequence[str] = ()
    total: Sequence[Sequence[Any]] = ()
    key: str = ""
    bars: str = ""
    rest: bool = False
    broken: bool = True

    def __post_init__(self) -> None:
        for row in (*self.rows, *self.total):
            if len(row) != len(self.columns):
                raise ValueError(f"{len(row)} cells in a row of {len(self.columns)} columns: {row}")

    def texts(self) -> list[list[str]]:
        """Return the cells as text, equal in the terminal, on pages and in papers."""
        return self._texts(self.rows)

    def total_texts(self) -> list[list[str]]:
        """Return the same of the further rows."""
        return self._texts(self.total)

    def drawn(self) -> list[float]:
        """Return the length of each row's bar, 1 for the longest; empty if there are none."""
        if not self.bars:
            return []
        place = [column.key for column in self.columns].index(self.bars)
        drawn = [float(row[place] or 0) for row in self.rows]
        if self.rest:
            drawn[-1] = 0.0
        longest = max(drawn, default=0.0) or 1.0
        return [share / longest for share in drawn]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the rows for JSON."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]

    def _texts(self, rows: Iterable[Sequence[Any]]) -> list[list[str]]:
        return [
            [column.write(cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in rows
        ]


def column(name: str, kind: Kind, key: str) -> Column:
    """Return a column of a kind of cells, with its name in JSON.

    Examples
    --------
    >>> column("% of jobs", "percent", "share").write(0.2345)
    '23.4'
    >>> [column("most", "number", "most").write(value) for value in (60.0, 60.25, None)]
    ['60', '60.2', '-']
    """
    text = kind == "text"
    return Column(name, write=_WRITERS[kind], left=text, key=key, fold=text)


def panel(  # noqa: PLR0913 - what a table has, in the order in which it is read
    key: str,
    title: str,
    note: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    bars: str = "",
    *,
    rest: bool = False,
) -> ResultTable:
    """Return a table under a title, with one or two sentences below; see `ResultTable`."""
    notes = (note,) if note else ()
    return ResultTable(columns, rows, title, notes, key=key, bars=bars, rest=rest, broken=False)


def plain_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    left: int = 1,
    total: Iterable[Sequence[object]] = (),
    caption: str = "",
) -> ResultTable:
    """Return a table of texts; the first `left` columns start at the left, others end right."""
    columns = [Column(head, left=place < left) for place, head in enumerate(heads)]
    return ResultTable(columns, list(rows), caption, total=list(total), broken=False)


def _text(cell: Cell) -> str:
    return UNKNOWN if cell is None else str(cell)


def _count(cell: Cell) -> str:
    return cell if isinstance(cell, str) else whole(cell)


def _number(cell: Cell) -> str:
    if cell is None or isinstance(cell, str):
        return _text(cell)
    return whole(cell) if float(cell).is_integer() else significant(cell)


def _percent(cell: Cell) -> str:
    return cell if isinstance(cell, str) else percent(cell)


_WRITERS: dict[Kind, Callable[[Any], str]] = {
    "text": _text,
    "count": _count,
    "number": _number,
    "percent": _percent,
}


@dataclass(frozen=True)
class ValueChart:
    """A picture of values.

    Attributes
    ----------
    key, title : str
        Name in JSON, and for people.
    caption : str
        What is drawn, in a sentence or two.
    unit : str
        Of the values.
    """

    key: str
    title: str
    caption: str
    unit: str


@dataclass(frozen=True)
class ColumnChart(ValueChart):
    """One value for each of many steps of time.

    Attributes
    ----------
    labels : sequence of str
        What each value is of.
    values : sequence of float
        From 0 up.
    """

    labels: Sequence[str]
    values: Sequence[float]

    def to_dict(self) -> dict[str, object]:
        """Return the values for JSON."""
        return {"unit": self.unit, "labels": list(self.labels), "values": list(self.values)}


class Estimate(NamedTuple):
    """A value, and the interval that it may lie in; None is not known."""

    value: float | None
    low: float | None = None
    high: float | None = None


class IntervalRow(NamedTuple):
    """A named value with its interval; None for unknown ends."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class IntervalChart(ValueChart):
    """Values with intervals, row by row on one scale.

    Attributes
    ----------
    rows : sequence of IntervalRow
        In the order in which they are shown.
    reference : float
        What values are beside.
    """

    rows: Sequence[IntervalRow]
    reference: float

    def to_dict(self) -> dict[str, object]:
        """Return the values for JSON."""
        return {"unit": self.unit, "rows": [row._asdict() for row in self.rows]}


class Line(NamedTuple):
    """Values of equal steps, with those below and above between which most lie, if known."""

    name: str
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


class Point(NamedTuple):
    """A place on a line that has a name."""

    name: str
    at: float
    value: float


class ReferenceLine(NamedTuple):
    """A value that others are beside, with its name."""

    name: str
    value: float


@dataclass(frozen=True)
class LineChart(ValueChart):
    """Values over time, or over some other quantity; one line for each of a few.

    Attributes
    ----------
    step : str
        What values are one for each of, or the quantity with its unit.
    lines : sequence of Line
        As many as can be told apart.
    levels : sequence of ReferenceLine
        What values are beside.
    at : sequence of float
        The quantity, above 0, on a logarithmic scale; empty for 1, 2, ...
    points : sequence of Point
        Places on the lines to be named.
    """

    step: str
    lines: Sequence[Line]
    levels: Sequence[ReferenceLine] = ()
    at: Sequence[float] = ()
    points: Sequence[Point] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the values for JSON."""
        return {"unit": self.unit, "step": self.step, "lines": [x._asdict() for x in self.lines]}


class Fact(NamedTuple):
    """A named value of a document.

    Attributes
    ----------
    key, name : str
        Name in JSON, and for people.
    value : str, int, float or None
        In JSON; None if unknown.
    text : str
        For people; empty to leave it out.
    """

    key: str
    name: str
    value: Cell
    text: str


@dataclass(frozen=True)
class Facts:
    """Single values, one a line."""

    key: str
    title: str
    facts: Sequence[Fact]

    def to_dict(self) -> dict[str, Cell]:
        """Return the values for JSON."""
        return {fact.key: fact.value for fact in self.facts}


class LandscapePart(NamedTuple):
    """Values by two coordinates between -1 and 1, the first one down; not a number where none is.

    Attributes
    ----------
    name : str
        What is the same in all of it.
    values : (n, n) float64
        By row and column.
    """

    name: str
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Landscape(ValueChart):
    """Maps side by side, coloured by the logarithms of positive values on one scale.

    Attributes
    ----------
    across, down : str
        The coordinates.
    least, most : float
        Of all values.
    parts : sequence of LandscapePart
        At least one.
    """

    across: str
    down: str
    least: float
    most: float
    parts: Sequence[LandscapePart]

    def to_dict(self) -> dict[str, object]:
        """Return the ends of the values for JSON."""
        return {"unit": self.unit, "least": self.least, "most": self.most}


Panel = Facts | ResultTable | ColumnChart | IntervalChart | LineChart | Landscape


@dataclass(frozen=True)
class Description:
    """A document of results: title, leading sentences, tables and charts.

    Attributes
    ----------
    title : str
        Of which workload.
    panels : sequence of Facts, ResultTable, ColumnChart, IntervalChart, LineChart or Landscape
        In the order in which they are shown; those about what the workload lacks are left out.
    lead : sequence of str
        What is to be known first, in sentences.
    folded : sequence of Facts, ResultTable, ColumnChart, IntervalChart, LineChart or Landscape
        Details below, which a page shows on a click, and the terminal if asked for an answer.
    """

    title: str
    panels: Sequence[Panel]
    lead: Sequence[str] = ()
    folded: Sequence[Panel] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain numbers, texts, lists and dicts, fit for JSON."""
        return {
            "workload": self.title,
            **{panel.key: panel.to_dict() for panel in self.panels},
        }
