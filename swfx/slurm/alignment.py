"""Cells of a line of sacct, whose texts may hold the separator and line breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from swfx.accounting.names import number_of
from swfx.accounting.table import Columns
from swfx.slurm.job_ids import JOB_NUMBER

__all__ = ["Alignment"]

MOST_SEPARATORS = 400
"""Separators in the texts of one record beyond which it is not taken apart."""

_DATE = r"[\dUuNn][^\n]*"
_NUMBER = r"\d*"
_TIME = r"(?:[\d-]+:[\d:.]*)?"
_SHAPES = {
    "jobid": JOB_NUMBER.pattern,
    "jobidraw": JOB_NUMBER.pattern,
    "submit": _DATE,
    "start": _DATE,
    "end": _DATE,
    "eligible": _DATE,
    "state": r"(?:[A-Z_]+(?: by .*|\+)?)?",
    "elapsed": _TIME,
    "elapsedraw": _NUMBER,
    "suspended": _TIME,
    "totalcpu": _TIME,
    "cputime": _TIME,
    "systemcpu": _TIME,
    "usercpu": _TIME,
    "alloccpus": _NUMBER,
    "ncpus": _NUMBER,
    "reqcpus": _NUMBER,
    "nnodes": _NUMBER,
    "submitline": r"(?:(?:[\w./-]*/)?(?:sbatch|srun|salloc|scrontab)\b.*)?",
    "constraints": r"""(?:[^\s"{}|]+(?:\|[^\s"{}|]+)*)?""",
    "workdir": r"(?:/[^\n]*)?",
}
"""What cells of these columns look like: tells where the cells of a record begin."""

_TEXTS = frozenset(
    {"submitline", "comment", "admincomment", "systemcomment", "jobname", "extra", "workdir",
     "stdin", "stdout", "stderr", "constraints", "reason"}
)  # fmt: skip
"""Columns that hold what users write, which may hold separators and line breaks."""


class Alignment:
    """Assignment of the pieces of a line, between separators, to the columns of a table.

    Parameters
    ----------
    columns : Columns
        Columns of the table. Without `JobID` or `JobIDRaw` it cannot be read, and is refused later.
    separator : str
        What stands between two cells.

    Examples
    --------
    >>> alignment = Alignment(Columns(["JobID", "JobName", "Submit"]), "|")
    >>> alignment.cells("7|a|b|2024-03-01T08:00:00")
    ['7', 'a|b', '2024-03-01T08:00:00']
    >>> alignment.begins("7|a"), alignment.begins("b|2024-03-01T08:00:00")
    (True, False)
    """

    def __init__(self, columns: Columns, separator: str) -> None:
        names = [name.casefold() for name in columns.names]
        self.separator = separator
        self._columns = len(names)
        self._id = columns.position(columns.first(("JobID", "JobIDRaw")) or columns.names[0])
        self._is_text = [name in _TEXTS for name in names]
        self._shapes = {
            place: re.compile(_SHAPES[name], re.DOTALL)
            for place, name in enumerate(names)
            if name in _SHAPES
        }
        fixed = [place for place in self._shapes if not self._is_text[place]]
        self._enough = fixed[1] if len(fixed) > 1 else self._columns

    def cells(self, record: str) -> list[str] | None:
        """Cells of a record, of one or several lines; None if it cannot be taken apart."""
        pieces = record.split(self.separator)
        if len(pieces) < self._columns:
            return None
        if len(pieces) == self._columns and self._all_fit(pieces):
            return pieces
        escaped = re.split(rf"(?<!\\){re.escape(self.separator)}", record)
        if len(escaped) == self._columns < len(pieces) and self._all_fit(escaped):
            return [cell.replace(f"\\{self.separator}", self.separator) for cell in escaped]
        widths = self._widths(pieces, whole=True)
        return None if widths is None else self._joined(pieces, widths)

    def columns(self, lines: Sequence[str]) -> list[list[str]] | None:
        """Cells of lines each of which begins a record, by column; None if one does not.

        Examples
        --------
        >>> alignment = Alignment(Columns(["JobID", "JobName"]), "|")
        >>> alignment.columns(["7|a", "8|b"]), alignment.columns(["7|a", "b"])
        ([['7', '8'], ['a', 'b']], None)
        """
        between = [line.count(self.separator) for line in lines]
        if between.count(self._columns - 1) < len(lines):
            return None
        cells = "\n".join(lines).replace(self.separator, "\n").split("\n")
        begin = (
            number_of(cell) >= 0 or self._fits(self._id, cell)
            for cell in cells[self._id :: self._columns]
        )
        if not all(begin):
            return None
        return [cells[place :: self._columns] for place in range(self._columns)]

    def begins(self, line: str) -> bool:
        """Whether a line is a record, or the part of a record before a line break."""
        pieces = line.split(self.separator)
        if len(pieces) == self._columns and self._fits(self._id, pieces[self._id]):
            return True
        return self._widths(pieces, whole=False) is not None

    def as_it_stands(self, line: str) -> list[str] | None:
        """Cells of a line that has one for each column, whatever they look like; else None."""
        pieces = line.split(self.separator)
        return pieces if len(pieces) == self._columns else None

    def has_all(self, line: str) -> bool:
        """Whether a line has a cell for each column, or more."""
        return line.count(self.separator) >= self._columns - 1

    def has_more(self, record: str) -> bool:
        """Whether a record has more separators than stand between its cells."""
        return record.count(self.separator) >= self._columns

    def _fits(self, column: int, cell: str) -> bool:
        shape = self._shapes.get(column)
        return shape is None or shape.fullmatch(cell.strip()) is not None

    def _all_fit(self, cells: list[str]) -> bool:
        return all(shape.fullmatch(cells[place].strip()) for place, shape in self._shapes.items())

    def _widths(self, pieces: list[str], *, whole: bool) -> list[int] | None:
        """Find how many pieces each cell has: of the first cells only, unless `whole`."""
        surplus = len(pieces) - self._columns
        if surplus > MOST_SEPARATORS:
            return None
        in_vain: set[tuple[int, int]] = set()

        def search(column: int, place: int) -> list[int] | None:
            if place == len(pieces):
                complete = column == self._columns or not (whole or not self._may_end(column))
                return [] if complete else None
            if column == self._columns or (column, place) in in_vain:
                return None
            most = len(pieces) - place if self._is_text[column] else 1
            if whole:
                most = min(most, len(pieces) - place - (self._columns - column) + 1)
            for width in range(1, most + 1):
                cell = self.separator.join(pieces[place : place + width])
                rest = search(column + 1, place + width) if self._fits(column, cell) else None
                if rest is not None:
                    return [width, *rest]
            in_vain.add((column, place))
            return None

        return search(0, 0)

    def _may_end(self, column: int) -> bool:
        """Whether a line may break off before this column, and be known as one of a record."""
        return column > self._id and (self._is_text[column - 1] or column > self._enough)

    def _joined(self, pieces: list[str], widths: list[int]) -> list[str]:
        ends = list(accumulate(widths, initial=0))
        return [self.separator.join(pieces[a:b]) for a, b in pairwise(ends)]
