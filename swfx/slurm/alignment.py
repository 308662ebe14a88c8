"""Cells of a line of sacct, whose texts may hold the separator and line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from swfx.accounting.names import number_of
from swfx.accounting.table import Columns
from swfx.slurm.job_ids import JOB_NUMBER
from swfx.slurm.states import STATES

__all__ = ["Alignment"]

MOST_SEPARATORS = 400
"""Separators in the texts of one record beyond which it is not taken apart."""

_DATE = r"(?:\d[^\n]{7,}|(?i:unknown|none|n/a))"
_LENGTH = r"[\d-]+:[\d:.]*"
_STATES = "|".join(name for state in STATES for name in (state.name, state.short))
_SHAPES = {
    name: re.compile(shape, re.DOTALL)
    for shape, names in {
        "": ("",),  # behind the last separator of `sacct -p`
        JOB_NUMBER.pattern: ("jobid", "jobidraw"),
        _DATE: ("submit", "start", "end", "eligible"),
        rf"(?:{_STATES})(?: by [^\n]*|\+)?": ("state",),
        _LENGTH: ("suspended",),
        f"(?:{_LENGTH})?": ("elapsed", "totalcpu", "cputime", "systemcpu", "usercpu"),
        r"\d*": ("elapsedraw", "alloccpus", "ncpus", "reqcpus", "nnodes", "uid", "gid"),
        r"(?:\S+=\S*)?": ("alloctres", "reqtres"),
        r"(?:(?:[\w./-]*/)?(?:sbatch|srun|salloc|scrontab)\b.*)?": ("submitline",),
        r"""(?:[^\s"{}|]+(?:\|[^\s"{}|]+)*)?""": ("constraints",),
        r"(?:/[^\n]*)?": ("workdir",),
    }.items()
    for name in names
}
"""What cells of these columns look like: tells where the cells of a record begin."""

_ONE_LINE = re.compile(r"[^\n]*")
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

    Attributes
    ----------
    steps : int
        Cells that have been tried, about.

    Examples
    --------
    >>> alignment = Alignment(Columns(["JobID", "JobName", "Submit"]), "|")
    >>> alignment.choices("7|a|b|2024-03-01T08:00:00")
    [{'7'}, {'a|b'}, {'2024-03-01T08:00:00'}]
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
        self.steps = 0
        self._id = columns.position(columns.first(("JobID", "JobIDRaw")) or columns.names[0])
        self._ids = [place for place, name in enumerate(folded) if name in {"jobid", "jobidraw"}]
        self._is_text = [name in _TEXTS for name in folded]
        self._command = folded.index("submitline") if "submitline" in folded else -1
        self._shapes = [_SHAPES.get(name, None if name in _TEXTS else _ONE_LINE) for name in folded]
        known = {} if names is None else names
        self._known = {
            place: known.setdefault(name, set())
            for place, name in enumerate(folded)
            if name in _NAMES and any(self._is_text)
        }
        fixed = [place for place, name in enumerate(folded) if name in _SHAPES.keys() - _TEXTS]
        self._enough = fixed[1] if len(fixed) > 1 else len(columns) - 1

    def is_of(self, columns: Columns, separator: str) -> bool:
        """Whether the alignment is one of these columns and this separator."""
        return (self.columns.names, self.separator) == (columns.names, separator)

    def learn(self, cells: Sequence[Sequence[str]]) -> None:
        """Take in the names in cells of clear records, by column."""
        for place, names in self._known.items():
            names.update(cells[place])

    def choices(self, record: str, *, known: bool = False) -> list[set[str]]:
        """Return the cells that each column may hold; nothing for what is no record.

        Cells end at line breaks, but for commands and the JSON of comments.

        Parameters
        ----------
        record : str
            One or several lines.
        known : bool
            Have names only that other lines have.
        """
        pieces = record.split(self.separator)
        spare = len(pieces) - len(self.columns)
        if not 0 <= spare <= MOST_SEPARATORS:
            return []
        if f"\\{self.separator}" in record:
            escaped = re.split(rf"(?<!\\){re.escape(self.separator)}", record)
            cells = [cell.replace(f"\\{self.separator}", self.separator) for cell in escaped]
            if len(cells) == len(self.columns) and all(map(self._fits, count(), cells)):
                return [{self._cut(column, cell)} for column, cell in enumerate(cells)]
        spans = [*self._spans(pieces, spare, known=known)]
        if len(spans) < len(self.columns):
            return []
        choices: list[set[str]] = []
        ends = {len(pieces)}
        for column in reversed(range(len(spans))):  # of the cells that lead to the end
            cell_at = {
                (begin, end): self._cut(column, self.separator.join(pieces[begin:end]))
                for begin, end in spans[column]
                if end in ends
            }
            if column == self._command and any(cell_at.values()):
                cell_at = {span: cell for span, cell in cell_at.items() if cell}
            ends = {begin for begin, _ in cell_at}
            choices.append(set(cell_at.values()))
        return choices[::-1] if ends else []

    def goes_on_with(self, line: str) -> bool:
        """Whether a line can but go on with the command that a record above ends with."""
        if not self.ends_with_command or f"\\{self.separator}" in line:
            return False
        behind = line.split(self.separator)[1:]
        return not any(self._fits(self._command, piece) for piece in behind)

    def with_command(self, choices: list[set[str]], line: str) -> list[set[str]]:
        """Return the choices of a record whose command goes on with a line."""
        commands = {f"{command}\n{line}" for each in choices[-1:] for command in each if command}
        return [*choices[:-1], commands] if commands else []

    def certain(self, choices: Sequence[set[str]]) -> list[str] | None:
        """Return the cells that are the only choice, empty texts for others; None if no texts."""
        cells = [next(iter(each)) if len(each) == 1 else "" for each in choices]
        several = (place for place, each in enumerate(choices) if len(each) > 1)
        return cells if all(self._is_text[place] for place in several) else None

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
        by_column = [cells[place :: len(self.columns)] for place in range(len(self.columns))]
        begin = (number_of(cell) >= 0 or self._fits(self._id, cell) for cell in by_column[self._id])
        return by_column if all(begin) else None

    def begins(self, line: str) -> bool:
        """Whether a line is a record, or the part of a record before a line break."""
        pieces = line.split(self.separator)
        if len(pieces) == len(self.columns) and self._fits(self._id, pieces[self._id]):
            return True
        return any(
            column > self._id and (self._is_text[column - 1] or column > self._enough)
            for column in self._columns_of(pieces)
        )

    def may_begin(self, line: str) -> bool:
        """Whether the first cell of a line may be that of a record."""
        return self._is_text[0] or self._fits(0, line.partition(self.separator)[0])

    def lacks_number(self, line: str) -> bool:
        """Whether a line is a record but for the number of the job, which cannot be read."""
        pieces = line.split(self.separator)
        if len(pieces) < len(self.columns):
            return False
        for place in self._ids:
            pieces[place] = "1"
        return bool(self.choices(self.separator.join(pieces)))

    def breaks_off(self, line: str) -> bool:
        """Whether a line may be the cells of a record up to a line break in a text."""
        pieces = line.split(self.separator)
        if not 1 < len(pieces) < len(self.columns):
            return False
        return any(self._is_text[column - 1] for column in self._columns_of(pieces))

    def is_cut(self, line: str) -> bool:
        """Whether all cells of a line but the last are the first of a record."""
        return any(self._columns_of(line.split(self.separator)[:-1]))

    def has_in_text(self, record: str, part: str) -> bool:
        """Whether it is a record, and a text that users write holds a part."""
        cells = zip(self._is_text, self.choices(record), strict=False)
        return any(is_text and part in cell for is_text, each in cells for cell in each)

    def _columns_of(self, pieces: list[str]) -> Iterator[int]:
        """Yield the numbers of columns, from the first on, whose cells may be these pieces."""
        for column, spans in enumerate(self._spans(pieces, len(pieces)), 1):
            if any(end == len(pieces) for _, end in spans):
                yield column

    def _spans(
        self, pieces: list[str], spare: int, *, known: bool = False
    ) -> Iterator[list[tuple[int, int]]]:
        """Yield the first and last place, by column, of the pieces that a cell may be.

        No more than `spare` separators are in texts.
        """
        begins = {0}
        for column, (is_text, shape) in enumerate(zip(self._is_text, self._shapes, strict=True)):
            last = min(len(pieces), column + 1 + spare)
            self.steps += len(begins) * (last if is_text else 1)
            spans = [
                (begin, end)
                for begin in begins
                for end in range(begin + 1, (last if is_text else min(begin + 1, last)) + 1)
                if shape is None
                or self._fits(column, self.separator.join(pieces[begin:end]), known=known)
            ]
            if not spans:
                return
            begins = {end for _, end in spans}
            yield spans

    def _fits(self, column: int, cell: str, *, known: bool = False) -> bool:
        shape = self._shapes[column]
        if known and cell not in self._known.get(column, (cell,)):
            return False
        # a command begins where its cell does: blanks before it are of a script that it holds
        text = cell if column == self._command else cell.strip()
        return shape is None or shape.fullmatch(text) is not None

    def _cut(self, column: int, cell: str) -> str:
        goes_on = column == self._command or cell.startswith("{")
        return cell if goes_on else cell.partition("\n")[0]
