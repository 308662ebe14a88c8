"""Blocks of records, by columns, and what stands in their cells, read once for each text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from swfx.accounting.quantities import MEMOISED
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns, Row
from swfx.base.columns import Floats, Ints
from swfx.fields import MISSING

__all__ = ["LARGEST_BLOCK", "DistinctCells", "RecordBlock", "in_blocks"]

LARGEST_BLOCK = 2048
"""Records."""


class RecordBlock(NamedTuple):
    """Records one below the other.

    Attributes
    ----------
    line : ndarray of int64, shape (n,)
        Line on which each begins.
    cells : list of sequence of str
        Cells of the n records, for each column of the table.
    """

    line: Ints
    cells: Sequence[Sequence[str]]

    def row(self, place: int) -> Row:
        """Give one of the records."""
        return Row(int(self.line[place]), [column[place] for column in self.cells])

    def rows(self) -> Iterator[Row]:
        """Give one record after the other."""
        return map(self.row, range(len(self.line)))


def in_blocks(rows: Iterator[Row]) -> Iterator[RecordBlock]:
    """Put rows together in blocks."""
    while block := list(islice(rows, LARGEST_BLOCK)):
        lines, cells = zip(*block, strict=True)
        yield RecordBlock(np.array(lines, np.int64), list(zip(*cells, strict=True)))


class DistinctCells(dict[Any, Any]):
    """What cells of some columns say: each distinct combination of texts is read once.

    Parameters
    ----------
    columns : Columns
        Of the table.
    names : iterable of str
        Columns that `read` looks at, of which the table need not have any.
    read : callable
        Takes the cells of a record, all others of them empty, and further arguments of `told`,
        which do not matter where the table has none of the columns.

    Examples
    --------
    >>> columns = Columns(["JobID", "NNodes"])
    >>> nodes = DistinctCells(columns, ["NNodes"], lambda cells: int(columns.cell(cells, "NNodes")))
    >>> nodes.numbers(RecordBlock(np.array([2, 3]), [["7", "8"], ["4", "4"]])).tolist(), len(nodes)
    ([4.0, 4.0], 1)
    """

    def __init__(self, columns: Columns, names: Iterable[str], read: Callable[..., Any]) -> None:
        super().__init__()
        self._width = len(columns)
        self._places = [columns.position(name) for name in names if name in columns]
        self._read = read

    def told(self, block: RecordBlock, *further: Sequence[float]) -> list[Any]:
        """Give what was read of each record; None where that is impossible."""
        if not self._places:
            return [self._constant(*further)] * len(block.line)
        columns = [*(block.cells[place] for place in self._places), *further]
        keys = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
        return list(map(self.__getitem__, keys))

    def numbers(self, block: RecordBlock, *further: Sequence[float]) -> Floats:
        """Give the same as numbers; NaN where that is impossible."""
        if not self._places:
            return np.full(len(block.line), self._constant(*further), np.float64)
        return np.array(self.told(block, *further), np.float64)

    def _constant(self, *further: Sequence[float]) -> Any:
        """Give what all records say where the table has none of the columns."""
        return self[(MISSING,) * len(further)]

    def __missing__(self, key: Any) -> Any:
        """Read a combination of texts that is new."""
        texts = key if isinstance(key, tuple) else (key,)
        cells = [""] * self._width
        for place, text in zip(self._places, texts, strict=False):
            cells[place] = text
        try:
            found = self._read(cells, *texts[len(self._places) :])
        except RecordError:
            found = None
        if len(self) >= MEMOISED:
            self.clear()
        self[key] = found
        return found
