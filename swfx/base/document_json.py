"""Documents in JSON: read as those in TOML are, by `swfx.base.document`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from swfx.base.document import checked
from swfx.base.document_mistakes import Contents
from swfx.base.errors import InputError

__all__ = ["line_of", "parsed_json", "read_json_document"]

Model = TypeVar("Model")
Result = TypeVar("Result")

_BLANK = " \t\n\r"


def read_json_document(
    model: type[Model], text: str, source: str, kind: str, then: Callable[[Model], Result]
) -> Result:
    """Read a JSON document as a dataclass.

    Parameters
    ----------
    model : type
        A dataclass derived from `swfx.base.document.DocumentTable`.
    text : str
        The document.
    source : str
        Name of the document, for messages.
    kind : str
        Kind of document, for messages: ``a snapshot``.
    then : callable
        Makes the result from the dataclass; its `DocumentError` is refused with its place.

    Raises
    ------
    InputError
        The text is not JSON; or its first mistake, with line, field, value and remedy.
    """
    contents = Contents(parsed_json(text, source, kind), {}, source, kind)
    result: Result
    try:
        result = checked(model, contents, then)
    except InputError as error:
        line = line_of(text, _steps(error.field or ""))
        raise InputError(
            error.message, source=source, line=line, field=error.field, remedy=error.remedy
        ) from None
    return result


def line_of(text: str, path: Sequence[str | int]) -> int:
    r"""Return the line of the value that `path` leads to, from 1.

    Parameters
    ----------
    text : str
        A JSON document.
    path : sequence of str or int
        Keys and positions, from the outermost; where one is missing the line is that of the
        innermost value that is there.

    Examples
    --------
    >>> line_of('{"a": [1,\n 2]}', ("a", 1))
    2
    """
    at = _skip(text, 0)
    for step in path:
        inner = next((place for key, place in _members(text, at) if key == step), None)
        if inner is None:
            break
        at = inner
    return text.count("\n", 0, at) + 1


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield the key and the place of each member of the object or list at `at`."""
    decoder = json.JSONDecoder()
    kind, at = text[at], _skip(text, at + 1)
    position = 0
    while kind in "{[" and text[at] not in "}]":
        key: str | int = position
        if kind == "{":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        yield key, at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at] == "," else at
        position += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _steps(field: str) -> list[str | int]:
    """Return the steps of a field's name: ``queued[2].submit`` is queued, 2, submit."""
    steps = re.findall(r"[^.\[\]]+", field)
    return [int(step) if step.isdigit() else step for step in steps]


def parsed_json(text: str, source: str, kind: str) -> Any:
    """Return the value of a JSON text, as `json` does; numbers are finite, each key is given once.

    Raises
    ------
    InputError
        The text is not JSON, with the line.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", source=source, line=error.lineno) from None
    except InputError as error:
        raise InputError(error.message, source=source, field=error.field) from None
    except RecursionError:
        raise InputError(f"is not {kind}: lists in lists without end", source=source) from None
    except ValueError:
        raise InputError("holds a number of thousands of digits", source=source) from None


def _each_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise InputError("is given twice in one place", field=key)
        members[key] = value
    return members


def _refuse_constant(constant: str) -> NoReturn:
    raise InputError(f"{constant} is no number of JSON")
