"""Utilities and checkpoints that travel in the comment of a job, as a JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from swfx.accounting.quantities import MEMOISED
from swfx.accounting.table import Table
from swfx.base.columns import LIMIT
from swfx.base.errors import InputError
from swfx.extension import CHECKPOINT_FIELDS, EXTRA_FIELDS, ExtensionField
from swfx.reading.report import Rule
from swfx.utility import UtilityFunction

__all__ = [
    "COMMENTS",
    "COMMENT_IMPOSSIBLE",
    "COMMENT_UNREADABLE",
    "Annotations",
    "annotations_of",
    "read_comment",
    "said_by_user",
]

COMMENTS = ("Comment", "AdminComment")
"""Columns of Slurm, of which the first one counts that says something."""

COMMENT_UNREADABLE = Rule(
    "comment-unreadable",
    "repaired",
    "the comment begins like a JSON object and is none: the job has no utility from it",
)
COMMENT_IMPOSSIBLE = Rule(
    "comment-impossible",
    "repaired",
    "a utility, checkpoint or estimate in the comment is impossible: the job is without it",
)


class Annotations(NamedTuple):
    """Values of a job in a comment, in the units of extended SWF; -1 and None: unknown."""

    checkpoint_interval: float = -1.0
    restart_overhead: float = -1.0
    soft_estimate: float = -1.0
    confidence: float = -1.0
    utility: UtilityFunction | None = None


_NOTHING: tuple[Annotations, tuple[Rule, ...]] = (Annotations(), ())


@lru_cache(maxsize=MEMOISED)
def read_comment(text: str) -> tuple[Annotations, tuple[Rule, ...]]:
    """Return the annotations in a comment, and the rules under which the line is listed.

    Parameters
    ----------
    text : str
        A JSON object with any of the keys `utility` (a list of points ``[time, value]``, s and SU),
        `checkpoint` (s), `restart_overhead` (s), `soft_estimate` (s) and `confidence` (0 to 1).
        Other keys do not count here (`said_by_user` gives the number in `quote`), nor does a
        comment that does not begin with ``{``.

    Examples
    --------
    >>> said, rules = read_comment('{"utility": [[0, 100], [3600, 0]], "checkpoint": 900}')
    >>> said.utility, said.checkpoint_interval, rules
    (UtilityFunction([0.0, 3600.0], [100.0, 0.0]), 900.0, ())
    """
    if not _is_annotation(text):
        return _NOTHING
    try:
        comment = json.loads(text)
    except (ValueError, RecursionError):
        return Annotations(), (COMMENT_UNREADABLE,)
    values: dict[str, Any] = {}
    impossible = False
    for key, (field, read) in _READERS.items():
        if key in comment:
            try:
                values[field] = read(comment[key])
            except (InputError, TypeError, ValueError, OverflowError):
                impossible = True
    return Annotations(**values), (COMMENT_IMPOSSIBLE,) if impossible else ()


def annotations_of(
    table: Table, columns: Sequence[str]
) -> Iterator[tuple[int, Annotations, tuple[Rule, ...]]]:
    """Yield places of records whose comments say something, with the result of `read_comment`.

    Parameters
    ----------
    table : Table
        n records.
    columns : sequence of str
        Columns with comments, of which the first one counts that says something.
    """
    present = [table[name] for name in columns if name in table.columns]
    for place, texts in enumerate(zip(*present, strict=True)):
        comments = map(read_comment, filter(_is_annotation, texts))
        annotations = next((each for each in comments if each != _NOTHING), None)
        if annotations is not None:
            yield place, *annotations


def said_by_user(text: str) -> str:
    """Return a comment for people: of a JSON object only the number of the quote.

    Examples
    --------
    >>> said_by_user("as usual"), said_by_user('{"utility": [[0, 9], [60, 0]], "quote": 17}')
    ('as usual', 'quote 17')
    """
    if not _is_annotation(text):
        return text
    try:
        number = json.loads(text).get("quote")
    except (ValueError, RecursionError):
        return ""
    named = isinstance(number, int) and not isinstance(number, bool) and 0 < number < LIMIT
    return f"quote {number}" if named else ""


def _is_annotation(text: str) -> bool:
    return text.lstrip().startswith("{")


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not 0 <= value <= LIMIT:
        raise ValueError
    return float(value)


def _curve(points: Any) -> UtilityFunction:
    pairs = [(_number(time), _number(value)) for time, value in points]
    return UtilityFunction([time for time, _ in pairs], [value for _, value in pairs])


def _possible(field: ExtensionField, value: object) -> float:
    number = _number(value)
    if field.impossible(np.array([number])).any():
        raise ValueError
    return number


_READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "utility": ("utility", _curve),
    **{
        field.name.removesuffix("_interval"): (field.name, partial(_possible, field))
        for field in (*CHECKPOINT_FIELDS, *EXTRA_FIELDS)
        if field.name in Annotations._fields
    },
}
"""Keys of comments, the names of what they tell, and how they are read."""
