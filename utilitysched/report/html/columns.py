"""Columns and charts as they stand in a page: few bytes, and the same ones each time."""

import json
import re
from collections.abc import Sequence

import numpy as np
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models import ColumnDataSource
from numpy.typing import NDArray

SMALL = (np.uint8, np.uint16, np.int32)
"""Whole numbers that browsers have arrays of, the smallest first."""

NUMBER = re.compile(r"p[0-9]+")


def compact(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return whole numbers in the smallest type that holds them, others as they are.

    Examples
    --------
    >>> compact(np.array([0.0, 300.0])).dtype, compact(np.array([0.5])).dtype
    (dtype('uint16'), dtype('float64'))
    """
    if column.dtype.kind == "f" and not np.array_equal(column, np.trunc(column)):
        return column
    low, high = (np.min(column), np.max(column)) if len(column) else (0, 0)
    for kind in SMALL:
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return column.astype(kind)
    return column.astype(np.float64)


def single(column: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return numbers that are only looked at: whole ones compact, others to seven digits."""
    found = compact(column)
    return found.astype(np.float32) if found.dtype.kind == "f" else found


def stored(name: str, **columns: NDArray[np.generic]) -> ColumnDataSource:
    """Return columns for the page's script, which finds them by name."""
    return ColumnDataSource(data=columns, name=name)


def document_json(roots: Sequence[Model]) -> str:
    """Return models as JSON to stand in a script of a page.

    The library numbers its models in the order in which a process makes them. Here they are
    numbered anew, by the order in which they are found, so that a page does not depend on what
    the process did before.
    """
    document = Document()
    with document.models.freeze():  # its models are counted once, not after every root
        for root in roots:
            document.add_root(root)
    names: dict[str, str] = {}
    plain = _renamed(document.to_json(deferred=False), names)
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _renamed(value: object, names: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {
            key: _name(item, names)
            if key == "id" and isinstance(item, str) and NUMBER.fullmatch(item)
            else _renamed(item, names)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_renamed(item, names) for item in value]
    return value


def _name(number: str, names: dict[str, str]) -> str:
    return names.setdefault(number, f"m{len(names) + 1}")
