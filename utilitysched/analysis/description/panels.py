"""Panels of a description: tables and charts, before anybody has chosen how they look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Cell = str | int | float | None

Kind = Literal["text", "count", "number", "percent"]
"""How cells are written: as they are, whole, to three digits unless whole, a share in percent."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Heading, with the unit.
    kind : {"text", "count", "number", "percent"}
        What the cells are; a percent column holds shares from 0 to 1.
    key : str
        Name in JSON.
    """

    name: str
    kind: Kind
    key: str


@dataclass(frozen=True)
class Table:
    """Rows of cells.

    Attributes
    ----------
    key, title : str
        Name in JSON, and for people.
    caption : str
        What is counted, and in which units; one or two sentences.
    columns : sequence of Column
        The first is the rows' label.
    rows : sequence of sequence
        Cells; None where nothing is known.
    bars : str
        Key of the percent column that is drawn, too; empty for none.
    rest : bool
        The last row is all that have no row of their own: it is not drawn.
    """

    key: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    bars: str = ""
    rest: bool = False

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

    def to_dict(self) -> list[dict[str, Cell]]:
        """Return the rows as JSON has them."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Chart:
    """One figure for each of many steps of time.

    Attributes
    ----------
    key, title : str
        Name in JSON, and for people.
    caption : str
        What is counted.
    unit : str
        Unit of the values.
    labels : sequence of str
        What each value is of.
    values : sequence of float
        From 0 up.
    """

    key: str
    title: str
    caption: str
    unit: str
    labels: Sequence[str]
    values: Sequence[float]

    def to_dict(self) -> dict[str, object]:
        """Return the values as JSON has them."""
        return {"unit": self.unit, "labels": list(self.labels), "values": list(self.values)}


class Fact(NamedTuple):
    """One figure.

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
    """Single figures, one a line."""

    key: str
    title: str
    facts: Sequence[Fact]

    def to_dict(self) -> dict[str, Cell]:
        """Return the figures as JSON has them."""
        return {fact.key: fact.value for fact in self.facts}


Panel = Facts | Table | Chart


@dataclass(frozen=True)
class Description:
    """What a workload is like.

    Attributes
    ----------
    title : str
        Of which workload.
    panels : sequence of Facts, Table or Chart
        In the order in which they are shown; those about what the workload lacks are left out.
    """

    title: str
    panels: Sequence[Panel]

    def to_dict(self) -> dict[str, object]:
        """Return plain numbers, texts, lists and dicts, fit for JSON."""
        return {
            "workload": self.title,
            **{panel.key: panel.to_dict() for panel in self.panels},
        }
