"""Annotations of the values of documents: ``seeds: Annotated[tuple[int, ...], one_or_more]``.

Each says how a value is written in the document; a mistake becomes a refusal with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import Annotated, Any

from swfx.base.document import DocumentError
from swfx.base.options import as_seconds, nearest

__all__ = [
    "Annotation",
    "BesideFile",
    "Flag",
    "NameOrNumber",
    "Text",
    "TextOrNumber",
    "after",
    "each_once",
    "listed",
    "made",
    "made_beside",
    "number",
    "one_of",
    "one_or_more",
    "seconds",
    "valid",
    "whole",
    "zero_or_more",
]

LARGEST = 2**63 - 1
"""Largest whole number of a TOML file."""

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class Annotation:
    """An annotation that pydantic reads.

    Attributes
    ----------
    schema : callable
        Makes pydantic's schema of the value from the module `pydantic_core.core_schema` and from
        a function that returns the schema of the annotated type.
    make : callable or None
        Makes the value from its text, where it is always written as one.
    """

    schema: Callable[[Any, Callable[[], Any]], Any]
    make: Callable[[str], Any] | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Return pydantic's schema."""
        from pydantic_core import core_schema  # noqa: PLC0415  only where a document is read

        return self.schema(core_schema, lambda: handler(source))


def expanded(text: str) -> str:
    """Return a text with its environment variables ``${NAME}`` replaced.

    Raises
    ------
    DocumentError
        The text is empty, or a variable is not set.
    """
    if not text.strip():
        raise DocumentError("is empty")
    return _VARIABLE.sub(_variable, text)


def _variable(match: re.Match[str]) -> str:
    name = match[1]
    if not environ.get(name):
        raise DocumentError(f"the environment variable {name} is not set", f"export {name}=...")
    return environ[name]


def _text(core: Any, *_: Any) -> Any:
    return core.no_info_after_validator_function(expanded, core.str_schema(strict=True))


Text = Annotated[str, Annotation(_text)]
"""Text that is not empty; environment variables ``${NAME}`` in it are replaced."""

Flag = Annotated[bool, Annotation(lambda core, _: core.bool_schema(strict=True))]
"""``true`` or ``false``."""


def _name_or_number(value: object) -> int | str:
    if isinstance(value, str):
        return expanded(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise DocumentError("is neither a name nor a number")
    if not 0 <= value <= LARGEST:
        raise DocumentError(f"{value} is out of range", "give a whole number from 0")
    return value


NameOrNumber = Annotated[
    int | str, Annotation(lambda core, _: core.no_info_plain_validator_function(_name_or_number))
]
"""Name of a user, account or the like, or its number in the log."""


def _as_text(value: object) -> str:
    return str(_name_or_number(value))


TextOrNumber = Annotated[
    str, Annotation(lambda core, _: core.no_info_plain_validator_function(_as_text))
]
"""Text, which need not be quoted if it is a whole number."""


def whole(least: int = 0, most: int = LARGEST) -> Annotation:
    """Return the annotation of a whole number between two bounds, both included."""
    return Annotation(lambda core, _: core.int_schema(strict=True, ge=least, le=most))


def number(**bounds: float) -> Annotation:
    """Return the annotation of a finite number.

    Parameters
    ----------
    **bounds
        ``ge``, ``gt``, ``le`` and ``lt``: least, largest value; included or not.
    """
    return Annotation(lambda core, _: core.float_schema(strict=True, allow_inf_nan=False, **bounds))


def seconds(**bounds: float) -> Annotation:
    """Return the annotation of a time (s): a number, or a text with a unit such as ``"2 min"``."""
    plain = number(**bounds)

    def schema(core: Any, inner: Callable[[], Any]) -> Any:
        return core.no_info_before_validator_function(_seconds, plain.schema(core, inner))

    return Annotation(schema)


def _seconds(value: Any) -> Any:
    return as_seconds(value, "", "") if isinstance(value, str) else value


def made(make: Callable[[str], Any]) -> Annotation:
    """Return the annotation of what `make` makes of a text; its `InputError` gets the place."""

    def schema(core: Any, _: object) -> Any:
        return core.no_info_after_validator_function(make, _text(core))

    return Annotation(schema, make)


def valid(check: Callable[[str], object]) -> Annotation:
    """Return the annotation of a text that `check` does not refuse with an `InputError`."""

    def checked(text: str) -> str:
        check(text)
        return text

    return made(checked)


def made_beside(make: Callable[[str, Path], Any]) -> Annotation:
    """Return the annotation of what `make` makes of a text and of the folder of the document."""

    def schema(core: Any, _: object) -> Any:
        def beside(text: str, info: Any) -> Any:
            return make(text, info.context.folder)

        return core.with_info_after_validator_function(beside, _text(core))

    return Annotation(schema)


BesideFile = Annotated[Path, made_beside(lambda text, folder: folder / text)]
"""Path, relative to the folder of the document."""


def one_of(known: Collection[str] | Callable[[], Collection[str]]) -> Annotation:
    """Return the annotation of one of the known texts, or keys of a table."""

    def check(text: str) -> str:
        names = known() if callable(known) else known
        if text not in names:
            raise DocumentError(f"{text!r} is not known", nearest(text, names))
        return text

    return made(check)


def after(function: Callable[[Any], Any]) -> Annotation:
    """Return the annotation of what `function` makes of a value that has the annotated type."""
    return Annotation(lambda core, inner: core.no_info_after_validator_function(function, inner()))


def _listed(core: Any, inner: Callable[[], Any]) -> Any:
    return core.no_info_before_validator_function(_as_list, inner())


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


listed = Annotation(_listed)
"""A list, or a single value without brackets."""


def each_once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values of which none comes twice.

    Raises
    ------
    DocumentError
        One does.
    """
    for place, value in enumerate(values):
        if value in values[:place]:
            raise DocumentError("is named twice", "once will do", at=(place,))
    return values


def _zero_or_more(core: Any, inner: Callable[[], Any]) -> Any:
    return core.no_info_after_validator_function(each_once, _listed(core, inner))


def _one_or_more(core: Any, inner: Callable[[], Any]) -> Any:
    return core.no_info_before_validator_function(_not_empty, _zero_or_more(core, inner))


def _not_empty(value: Any) -> Any:
    if value == []:
        raise DocumentError("is an empty list", "leave it out, or name at least one")
    return value


zero_or_more = Annotation(_zero_or_more)
"""A list, or a single value without brackets; no value comes twice."""

one_or_more = Annotation(_one_or_more)
"""As `zero_or_more`, but the list is not empty."""
