"""Mistakes in documents as one-line refusals: place, value and remedy from pydantic's errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from swfx.base.errors import InputError
from swfx.base.options import as_text, nearest
from swfx.base.removed import replacement

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["Contents", "DocumentError", "Steps", "field_name", "first_mistake", "refusal"]

Steps = tuple[str | int, ...]
"""Keys and positions that lead to a value of a document."""

DIGITS = 1000  # binary ones of a whole number that messages repeat; Python refuses to write some

_QUOTED = re.compile(r"'([^']*)'")


def field_name(steps: Steps) -> str:
    """Return steps as messages name a field: ``queued[2].submit``."""
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return name.lstrip(".")


class DocumentError(InputError):
    """A mistake in a part of a document.

    Parameters
    ----------
    message : str
        What is wrong, with the value.
    remedy : str, optional
        What to write instead.
    at : tuple of str and int
        Keys and positions that lead to the mistake from the value that is being checked.
    """

    def __init__(self, message: str, remedy: str | None = None, *, at: Steps = ()) -> None:
        super().__init__(message, field=field_name(at) or None, remedy=remedy)
        self.at = at


@dataclass(frozen=True)
class Contents:
    """A parsed document.

    Attributes
    ----------
    value : object
        As `tomllib` or `json` return it.
    lines : mapping of tuple to int
        Line of each value, in the order of the file; empty where lines are unknown.
    source : str
        Path of the file, or another name for messages.
    kind : str
        Kind of document: ``an experiment file``.
    folder : Path
        Folder of the file.
    """

    value: Any
    lines: Mapping[Steps, int]
    source: str
    kind: str
    folder: Path = Path()


class _Mistake(NamedTuple):
    """A mistake and its place; `code` is pydantic's name for it."""

    steps: Steps
    message: str
    remedy: str | None
    code: str = ""


def first_mistake(
    error: ValidationError, contents: Contents, tables: Mapping[int, type[Any]]
) -> InputError:
    """Return the refusal of the first mistake in the order of the document.

    A missing key counts only where no key of its table is unknown, which may be the one misspelt.

    Parameters
    ----------
    error : ValidationError
        pydantic's list of mistakes.
    contents : Contents
        The document.
    tables : mapping of int to type
        Dataclass of each table, by the identity of its value.
    """
    mistakes = [_mistake(each, contents, tables) for each in error.errors(include_url=False)]
    misspelt = {each.steps[:-1] for each in mistakes if each.code == _UNKNOWN}
    counted = [each for each in mistakes if each.code != _MISSING or each.steps not in misspelt]
    order = {steps: place for place, steps in enumerate(contents.lines)}
    first = min(counted, key=lambda each: order.get(each.steps, len(order)))
    return _refused(first, contents)


def refusal(fault: DocumentError, contents: Contents) -> InputError:
    """Return the refusal of a fault whose steps lead from the top of the document."""
    return _refused(_Mistake(_taken(contents.value, fault.at), *_reason(fault)), contents)


_UNKNOWN = "unexpected_keyword_argument"
_MISSING = "missing"
_KEY = "[key]"  # pydantic's step from a dictionary to one of its keys
_CHOICE = "literal_error"


def _mistake(
    error: Mapping[str, Any], contents: Contents, tables: Mapping[int, type[Any]]
) -> _Mistake:
    code, location = error["type"], error["loc"]
    fault = error.get("ctx", {}).get("error")
    at = fault.at if isinstance(fault, DocumentError) else ()
    steps = _taken(contents.value, (*location, *at))
    problem: tuple[str, str | None]
    if code == _UNKNOWN:
        model = tables[id(_at(contents.value, steps[:-1]))]
        problem = _unknown(str(steps[-1]), [each.name for each in fields(model)], contents.kind)
    elif code == _MISSING:
        key = location[-1]
        examples = getattr(tables.get(id(_at(contents.value, steps))), "EXAMPLES", {})
        problem = f"{key} is missing", examples.get(key, f"add {key}")
    elif isinstance(fault, InputError):
        problem = _reason(fault)
    elif code == _CHOICE and _KEY in location:
        problem = _unknown(str(error["input"]), _QUOTED.findall(error["ctx"]["expected"]), "")
    else:
        problem = _described(code, error["input"], error["msg"], error.get("ctx", {}))
    return _Mistake(steps, *problem, code)


def _taken(value: Any, steps: Steps) -> Steps:
    """Return the steps that lead through the document.

    Others are pydantic's own: members of unions, a single value that is taken for a list.
    """
    taken: list[str | int] = []
    for step in steps:
        places = dict(enumerate(value)) if isinstance(value, list) else value
        if isinstance(places, dict) and step in places:
            taken.append(step)
            value = places[step]
    return tuple(taken)


def _at(value: Any, steps: Steps) -> Any:
    return reduce(lambda inner, step: inner[step], steps, value)


def _unknown(key: str, known: list[str], kind: str) -> tuple[str, str]:
    instead = replacement(f"key of {kind}", key)
    return ("was removed", instead) if instead else ("is not a known key", nearest(key, known))


def _reason(fault: InputError) -> tuple[str, str | None]:
    """Return what an error says without its remedy, and the remedy."""
    field = None if isinstance(fault, DocumentError) else fault.field
    without = InputError(fault.message, source=fault.source, line=fault.line, field=field)
    return str(without), fault.remedy


_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "date_type": "a date",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "dataclass_type": "a table",
}
"""Kind of value that pydantic wanted."""

_BOUNDS = {"ge": "{} or more", "gt": "a number above {}", "le": "at most {}", "lt": "less than {}"}


def _described(
    code: str, value: object, message: str, context: Mapping[str, Any]
) -> tuple[str, str | None]:
    """Return what is wrong with a value, and what to write."""
    if code == "float_type" and type(value) is int:  # more than a float can be
        return f"{_shown(value)} is out of range", None
    if code in _WANTED:
        remedy = f"write {_shown(value, quoted=True)}" if code == "string_type" else None
        return f"is {_kind(value)}, not {_WANTED[code]}", remedy
    if code == _CHOICE:
        return f"{value!r} is not known", nearest(str(value), _QUOTED.findall(context["expected"]))
    for bound, words in _BOUNDS.items():
        if bound in context:
            return (
                f"{_shown(value)} is out of range",
                f"give {words.format(as_text(context[bound]))}",
            )
    return f"{_shown(value)}: {message[:1].lower()}{message[1:]}", None


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    names |= {list: "a list", dict: "a table", type(None): "null"}
    return names.get(type(value), "a date or time")


def _shown(value: object, *, quoted: bool = False) -> str:
    if isinstance(value, int) and value.bit_length() > DIGITS:
        return "a number of hundreds of digits"
    if isinstance(value, float) and not quoted:
        return as_text(value)
    return f'"{value}"' if quoted or isinstance(value, str) else str(value)


def _refused(mistake: _Mistake, contents: Contents) -> InputError:
    return InputError(
        mistake.message,
        source=contents.source or None,
        line=contents.lines.get(mistake.steps),
        field=field_name(mistake.steps) or None,
        remedy=mistake.remedy,
    )
