"""CSV files as columns, with the line of every row for errors."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from swfx.base.columns import LIMIT, Floats, Ints
from swfx.base.compression import unpacked
from swfx.base.csv_rows import MARK, readable
from swfx.base.errors import InputError, failed, placed
from swfx.base.line_length import within_bounds

__all__ = ["CsvColumns", "number", "read_columns"]

Value = TypeVar("Value", int, float)


def number(text: str) -> float:
    """Read a finite number, at most 2^53 in magnitude, or raise ValueError."""
    return _usable(text, float(text))


def whole_number(text: str) -> int:
    """Read a whole number, at most 2^53 in magnitude, or raise ValueError."""
    return _usable(text, int(text))


def _usable(text: str, value: Value) -> Value:
    # to Python 123_4 is 1234, to Slurm a task of a job array
    if "_" in text or not abs(value) <= LIMIT:
        raise ValueError(text)
    return value


@dataclass(frozen=True)
class CsvColumns:
    """The rows of a CSV file by column.

    Parameters
    ----------
    source : str
        The file.
    digest : str
        SHA-256 (hex) of its bytes.
    line : ndarray of int64, shape (n,)
        Line of each row, from 1.
    cells : mapping of str to sequence of str
        Texts by column name, n each.
    """

    source: str
    digest: str
    line: Ints
    cells: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.line)

    @cached_property
    def label(self) -> str:
        """Name of the file without its folder, and enough of the digest to know it again."""
        return f"{Path(self.source).name} (sha256 {self.digest[:16]})"

    def require(self, columns: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Refuse a file that lacks one of the columns, or has one of another name.

        Raises
        ------
        InputError
            Naming the column and all that there may be.
        """
        may = f"; there may be {','.join(optional)}, too" if optional else ""
        remedy = f"head the columns {','.join(columns)}{may}"
        for name in columns:
            if name not in self.cells:
                raise InputError("is missing", source=self.source, field=name, remedy=remedy)
        for name in self.cells:
            if name not in (*columns, *optional):
                raise InputError(
                    "is no column of such a file", source=self.source, field=name, remedy=remedy
                )

    def numbers(self, name: str, read: Callable[[str], float] = number) -> Floats:
        """Numbers of a column, shape (n,).

        Parameters
        ----------
        name : str
            Column.
        read : callable
            Makes a number from a text, or raises ValueError.

        Raises
        ------
        InputError
            Something is no number, by line and field.
        """
        return np.array(self._each(name, read, "a finite number"), np.float64)

    def optional(self, name: str, default: float, read: Callable[[str], float] = number) -> Floats:
        """Numbers of a column that may be absent or empty in places: these are `default`."""
        if name not in self.cells:
            return np.full(len(self), default)
        return self.numbers(name, lambda text: read(text) if text.strip() else default)

    def whole(self, name: str) -> Ints:
        """Whole numbers of a column, shape (n,).

        Raises
        ------
        InputError
            Something is no whole number, by line and field.
        """
        return np.array(self._each(name, whole_number, "a whole number"), np.int64)

    def refusal(self, row: int, field: str, message: str, remedy: str) -> InputError:
        """Error that says what is wrong in a row."""
        line = int(self.line[row])
        return InputError(message, source=self.source, line=line, field=field, remedy=remedy)

    def _each(self, name: str, read: Callable[[str], float], kind: str) -> list[float]:
        values: list[float] = []
        try:
            for text in self.cells[name]:
                values.append(read(text))  # noqa: PERF401  tells which row it was
        except ValueError:
            text = self.cells[name][len(values)]
            message = f"{text!r} is not {kind} of at most 2^53 in magnitude"
            raise self.refusal(len(values), name, message, f"give {kind}") from None
        return values


def read_columns(source: str, remedy: str = "give a CSV file") -> CsvColumns:
    """Read a CSV file, plain or packed by gzip, xz or zstd, headed by its column names.

    Parameters
    ----------
    source : str
        The file.
    remedy : str
        Where it cannot be read.

    Raises
    ------
    InputError
        It cannot be read, is no UTF-8 text, names a column twice, or has a row of another length.
    """
    text, digest = _content(source, remedy)
    reader = csv.reader(io.StringIO(text, newline=""))
    header = [name.strip() for name in next(reader, [])]
    _check_header(source, header)
    cells: list[
        str
    ] = []  # of all rows, one after another: a list for each would take twice as long
    line: list[int] = []
    has_marks = MARK in text
    try:
        for row in reader:
            if row:
                _check_width(row, header, source, reader.line_num)
                cells += map(readable, row) if has_marks else row
                line.append(reader.line_num)
    except csv.Error as error:
        raise InputError(str(error), source=source, line=reader.line_num, remedy=remedy) from error
    columns = {name: cells[place :: len(header)] for place, name in enumerate(header)}
    return CsvColumns(source, digest, np.array(line, np.int64), columns)


def _content(source: str, remedy: str) -> tuple[str, str]:
    try:
        data = Path(source).read_bytes()
        text = b"".join(within_bounds(unpacked([data])))
        return text.decode("utf-8-sig"), hashlib.sha256(data).hexdigest()
    except InputError as error:
        raise placed(error, source) from error
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", source=source, remedy=remedy) from None
    except (OSError, ValueError) as error:  # ValueError: a path that holds NUL
        raise failed("cannot be read", error, source, remedy) from error


def _check_header(source: str, header: Sequence[str]) -> None:
    for name in header:
        if header.count(name) > 1:
            raise InputError(
                f"two columns are named {name!r}", source=source, line=1, remedy="name one anew"
            )


def _check_width(row: Sequence[str], header: Sequence[str], source: str, line: int) -> None:
    if len(row) != len(header):
        raise InputError(
            f"{len(row)} cells for {len(header)} columns",
            source=source,
            line=line,
            remedy="separate cells by commas, and leave them empty, not out",
        )
