"""Cells of a line of sacct, whose texts may hold the separator and line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice

from swfx.accounting.names import number_of
from swfx.accounting.table import Columns
from swfx.slurm.job_ids import JOB_NUMBER
from swfx.slurm.states import STATES

__all__ = ["Alignment"]

MOST_SEPARATORS = 400
"""Separators in the texts of one record beyond which it is not taken apart."""

_MOST_WAYS = 8
"""Ways to take a record apart of which two differ in more than what is behind line breaks."""

_DATE = r"(?:\d[^\n]{7,}|(?i:unknown|none|n/a))"
_NUMBER = r"\d*"
_LENGTH = r"[\d-]+:[\d:.]*"
_TIME = f"(?:{_LENGTH})?"
_STATES = "|".join(name for state in STATES for name in (state.name, state.short))
_SHAPES = {
    "": "",  # behind the last separator of `sacct -p`
    "jobid": JOB_NUMBER.pattern,
    "jobidraw": JOB_NUMBER.pattern,
    "submit": _DATE,
    "start": _DATE,
    "end": _DATE,
    "eligible": _DATE,
    "state": rf"(?:(?:{_STATES})(?: by [^\n]*|\+)?)?",
    "elapsed": _TIME,
    "elapsedraw": _NUMBER,
    "suspended": _LENGTH,
    "totalcpu": _TIME,
    "cputime": _TIME,
    "systemcpu": _TIME,
    "usercpu": _TIME,
    "alloccpus": _NUMBER,
    "ncpus": _NUMBER,
    "reqcpus": _NUMBER,
    "nnodes": _NUMBER,
    "uid": _NUMBER,
    "gid": _NUMBER,
    "alloctres": r"(?:\S+=\S*)?",
    "reqtres": r"(?:\S+=\S*)?",
    "submitline": r"(?:(?:[\w./-]*/)?(?:sbatch|srun|salloc|scrontab)\b.*)?",
    "constraints": r"""(?:[^\s"{}|]+(?:\|[^\s"{}|]+)*)?""",
    "workdir": r"(?:/[^\n]*)?",
}
"""What cells of these columns look like: tells where the cells of a record begin."""

_ONE_LINE = r"[^\n]*"
_TEXTS = frozenset(
    {"submitline", "comment", "admincomment", "systemcomment", "jobname", "extra", "workdir",
     "stdin", "stdout", "stderr", "constraints", "reason"}
)  # fmt: skip
"""Columns that hold what users write, which may hold separators and line breaks."""

_NAMES = frozenset({"user", "account", "group", "partition", "qos", "cluster"})
"""Columns of names that come again on other lines."""


class Alignment:
    """Assignment of the pieces of a line, between separators, to the columns of a table.

    Parameters
    ----------
    columns : Columns
        Columns of the table. Without `JobID` or `JobIDRaw` it cannot be read, and is refused later.
    separator : str
        What stands between two cells.
    names : dict of str to set of str, optional
        Names in other parts of the log by column, which `learn` adds to.

    Examples
    --------
    >>> alignment = Alignment(Columns(["JobID", "JobName", "Submit"]), "|")
    >>> alignment.readings("7|a|b|2024-03-01T08:00:00")
    [['7', 'a|b', '2024-03-01T08:00:00']]
    >>> alignment.begins("7|a"), alignment.begins("b|2024-03-01T08:00:00")
    (True, False)
    """

    def __init__(
        self, columns: Columns, separator: str, names: dict[str, set[str]] | None = None
    ) -> None:
        folded = [name.casefold() for name in columns.names]
        self.columns = columns
        self.separator = separator
        self.ends_with_command = folded[-1] == "submitline"
        self._id = columns.position(columns.first(("JobID", "JobIDRaw")) or columns.names[0])
        self._is_text = [name in _TEXTS for name in folded]
        self._command = folded.index("submitline") if "submitline" in folded else -1
        self._shapes = [
            None
            if name in _TEXTS and name not in _SHAPES
            else re.compile(_SHAPES.get(name, _ONE_LINE), re.DOTALL)
            for name in folded
        ]
        known = {} if names is None else names
        self._known = {
            place: known.setdefault(name, set())
            for place, name in enumerate(folded)
            if name in _NAMES and any(self._is_text)
        }
        fixed = [
            place
            for place, name in enumerate(folded)
            if name in _SHAPES and not self._is_text[place]
        ]
        self._enough = fixed[1] if len(fixed) > 1 else len(columns)

    def is_of(self, columns: Columns, separator: str) -> bool:
        """Whether it is that of such columns."""
        return (self.columns.names, self.separator) == (columns.names, separator)

    def learn(self, cells: Sequence[Sequence[str]]) -> None:
        """Take in the names in cells of clear records, by column."""
        for place, names in self._known.items():
            names.update(cells[place])

    def readings(self, record: str, *, known: bool = False) -> list[list[str]]:
        """Return the cells of a record, of one or several lines, in each way that fits.

        Parameters
        ----------
        record : str
            The record.
        known : bool
            Have names only that other lines have.
        """
        pieces = record.split(self.separator)
        if not 0 <= len(pieces) - len(self.columns) <= MOST_SEPARATORS:
            return []
        if f"\\{self.separator}" in record:
            escaped = re.split(rf"(?<!\\){re.escape(self.separator)}", record)
            cells = [cell.replace(f"\\{self.separator}", self.separator) for cell in escaped]
            if len(cells) == len(self.columns) and all(map(self._fits, count(), cells)):
                return [cells]
        return list(islice(self._assignments(pieces, known=known), _MOST_WAYS))

    def one_line(self, cells: list[str]) -> list[str]:
        """Return the cells up to their first line break, but for the command."""
        return [
            cell.partition("\n")[0] for place, cell in enumerate(cells) if place != self._command
        ]

    def command(self, cells: list[str]) -> str:
        """Return the command that submitted the job, if there is a column of it."""
        return cells[self._command] if self._command >= 0 else ""

    def certain(self, ways: Sequence[list[str]]) -> list[str] | None:
        """Cells that are the same in all ways, texts that differ empty; None if others differ.

        Texts end at line breaks, but for commands and the JSON of comments.
        """
        cells = [column[0] if len({*column}) == 1 else None for column in zip(*ways, strict=True)]
        if any(cell is None and not self._is_text[place] for place, cell in enumerate(cells)):
            return None
        return [
            text if place == self._command or text.startswith("{") else text.partition("\n")[0]
            for place, text in enumerate(cell or "" for cell in cells)
        ]

    def by_column(self, lines: Sequence[str]) -> list[list[str]] | None:
        """Cells of lines each of which is a record, by column; None if one is not.

        Examples
        --------
        >>> alignment = Alignment(Columns(["JobID", "JobName"]), "|")
        >>> alignment.by_column(["7|a", "8|b"]), alignment.by_column(["7|a", "b"])
        ([['7', '8'], ['a', 'b']], None)
        """
        between = [line.count(self.separator) for line in lines]
        if between.count(len(self.columns) - 1) < len(lines):
            return None
        cells = "\n".join(lines).replace(self.separator, "\n").split("\n")
        begin = (
            number_of(cell) >= 0 or self._fits(self._id, cell)
            for cell in cells[self._id :: len(self.columns)]
        )
        if not all(begin):
            return None
        return [cells[place :: len(self.columns)] for place in range(len(self.columns))]

    def begins(self, line: str) -> bool:
        """Whether a line is a record, or the part of a record before a line break."""
        pieces = line.split(self.separator)
        if len(pieces) == len(self.columns) and self._fits(self._id, pieces[self._id]):
            return True
        return self._begin_a_record(pieces, self._may_end)

    def breaks_off(self, line: str) -> bool:
        """Whether a line may be the cells of a record up to a line break in a text."""
        pieces = line.split(self.separator)
        if not 1 < len(pieces) < len(self.columns):
            return False
        return self._begin_a_record(pieces, self._is_text_before)

    def _fits(self, column: int, cell: str, *, known: bool = False) -> bool:
        shape = self._shapes[column]
        if known and cell not in self._known.get(column, (cell,)):
            return False
        # a command begins where its cell does: blanks before it are of a script that it holds
        text = cell if column == self._command else cell.strip()
        return shape is None or shape.fullmatch(text) is not None

    def _begin_a_record(self, pieces: list[str], may_end: Callable[[int], bool]) -> bool:
        return next(self._assignments(pieces, may_end=may_end), None) is not None

    def _assignments(
        self,
        pieces: list[str],
        *,
        may_end: Callable[[int], bool] | None = None,
        known: bool = False,
    ) -> Iterator[list[str]]:
        """Yield the cells that pieces may be: of all columns, or of those before one `may_end`."""
        in_vain: set[tuple[int, int]] = set()
        last = len(self.columns)

        def search(column: int, place: int) -> Iterator[list[str]]:
            if place == len(pieces):
                if column == last or (may_end is not None and may_end(column)):
                    yield []
                return
            if column == last or (column, place) in in_vain:
                return
            most = len(pieces) - place if self._is_text[column] else 1
            if may_end is None:
                most = min(most, len(pieces) - place - (last - column) + 1)
            fits = False
            for width in range(1, most + 1):
                cell = self.separator.join(pieces[place : place + width])
                if self._fits(column, cell, known=known):
                    for rest in search(column + 1, place + width):
                        fits = True
                        yield [cell, *rest]
            if not fits:
                in_vain.add((column, place))

        return search(0, 0)

    def _is_text_before(self, column: int) -> bool:
        return self._is_text[column - 1]

    def _may_end(self, column: int) -> bool:
        """Whether a line may break off before this column, and be known as one of a record."""
        return column > self._id and (self._is_text[column - 1] or column > self._enough)
