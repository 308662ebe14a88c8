"""Names in data frames of jobs: users, queues and other labels, and jobs, as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from swfx.base.columns import Column
from swfx.base.errors import InputError
from swfx.fields import MISSING
from swfx.header import Header, named
from swfx.job_names import JOB_KEY, JobIds, job_names
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import FIELD_KINDS, NUMBER, UNKNOWN, LabelNames, label_names, meaning

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["named_columns", "numbered_columns"]

JOBS = ("job_id", "preceding_job", "part_of")
"""Columns with numbers of jobs of the same log."""

_BEYOND = 10**18
"""Above all numbers of labels and jobs, which have 18 digits at most."""


def named_columns(header: Header, columns: dict[str, Column]) -> dict[str, list[str]]:
    """Columns of names, for those columns of numbers that have names, (n,) each.

    Parameters
    ----------
    header : Header
        Its lines name the numbers.
    columns : dict of str to ndarray
        Columns of a workload by name, (n,) each.

    Examples
    --------
    >>> named_columns(Header((" User: 3 ann",)), {"user": np.array([3, 4, -1])})
    {'user': ['ann', '4', 'unknown']}
    """
    texts: dict[str, list[str]] = {}
    for names, kept in _families(header, [*columns]):
        if names.names:
            texts |= {column: _names(names, columns[column]) for column in kept}
    return texts


def numbered_columns(header: Header, frame: pd.DataFrame) -> tuple[Header, dict[str, Any]]:
    """Return columns of a table with numbers in place of names, behind a header with the names.

    Parameters
    ----------
    header : Header
        Names that it has keep their numbers; other names get the numbers that follow.
    frame : pandas.DataFrame
        One row per job. Text in the column of a label, or of numbers of jobs, is a name, but for
        whole numbers, which stay what they are; no text, None, NaN and ``unknown`` are -1.

    Raises
    ------
    InputError
        A cell of such a column is neither text nor a whole number, or a name cannot be written.

    Examples
    --------
    >>> import pandas as pd
    >>> header, columns = numbered_columns(Header(), pd.DataFrame({"user": ["ann", "7", None]}))
    >>> header.lines, columns["user"].tolist()
    ((' User: 8 ann',), [8, 7, -1])
    """
    columns: dict[str, Any] = {str(name): frame[name].to_numpy() for name in frame.columns}
    lines = list(header.lines)
    for names, kept in _families(header, [*columns]):
        texts: dict[str, list[str]] = {}
        highest = 0
        for column in kept:
            cells = _numbers_or_texts(frame[column], column)
            if isinstance(cells, list):
                texts[column] = cells
            else:
                columns[column] = cells
                highest = max(highest, int(np.max(cells, initial=0, where=cells < _BEYOND)))
        distinct = dict.fromkeys(text for column in texts.values() for text in column)
        numbers = _numbers([*distinct], names, highest)
        new = distinct.keys() - names.by_name.keys() - {UNKNOWN}
        key = LABEL_KINDS[names.kind].key if names.kind in LABEL_KINDS else JOB_KEY
        lines += [named(key, numbers[t], t) for t in distinct if t in new and not _is_number(t)]
        for column, cells in texts.items():
            columns[column] = np.array([numbers[text] for text in cells], np.int64)
    return Header(tuple(lines)), columns


def _families(header: Header, columns: Sequence[str]) -> Iterator[tuple[LabelNames, list[str]]]:
    """Yield the names of each kind of label, and of jobs, with the columns of their numbers."""
    yield JobIds(job_names(header), np.empty(0, np.int64)), [c for c in JOBS if c in columns]
    kinds: dict[str, list[str]] = {}
    for column in columns:
        if column in LABEL_KINDS:
            kind = meaning(header, column) if column in FIELD_KINDS else column
            kinds.setdefault(kind, []).append(column)
    for kind, kept in kinds.items():
        yield label_names(header, kind), kept


def _names(names: LabelNames, numbers: Column) -> list[str]:
    texts = {n: UNKNOWN if n == MISSING else names.name(n) for n in set(numbers.tolist())}
    return [texts[number] for number in numbers.tolist()]


def _numbers(texts: Sequence[str], names: LabelNames, highest: int) -> dict[str, int]:
    """Return numbers of texts: that of a known name, that of digits, and new ones for the rest.

    New numbers begin above those of texts and names, and above `highest`.
    """
    numbers = {UNKNOWN: MISSING} | {text: int(text) for text in texts if _is_number(text)}
    numbers |= names.by_name
    following = 1 + max([highest, *numbers.values(), *names.names])
    unnamed = (text for text in texts if text not in numbers)
    return numbers | {text: following + place for place, text in enumerate(unnamed)}


def _is_number(text: str) -> bool:
    """Whether a text is a whole number as it is written without need, not such as ``007``."""
    return bool(NUMBER.fullmatch(text)) and str(int(text)) == text


def _numbers_or_texts(column: pd.Series, name: str) -> Column | list[str]:
    """Return the numbers of a column of numbers, -1 where one is missing, or texts of another."""
    from pandas.api.types import is_float_dtype, is_numeric_dtype  # noqa: PLC0415  slow

    missing = column.isna().to_numpy()
    if is_numeric_dtype(column.dtype):
        if not missing.any():
            return column.to_numpy()
        whole = np.float64 if is_float_dtype(column.dtype) else np.int64
        return column.to_numpy(whole, na_value=MISSING)
    cells = zip(column.tolist(), missing.tolist(), strict=True)
    return [UNKNOWN if absent else _text(cell, name) for cell, absent in cells]


def _text(cell: object, column: str) -> str:
    if isinstance(cell, str):
        return cell or UNKNOWN
    number: Any = cell if isinstance(cell, Real) else math.nan
    if math.isfinite(number) and number == int(number):
        return str(int(number))
    raise InputError(f"{cell!r} is no name", field=column, remedy="give text or whole numbers")
