"""Documents that people write: dataclasses declare them, and every mistake is refused in one line.

A document is a TOML file. Its tables are dataclasses derived from `DocumentTable`. The annotations
of their fields are those of `swfx.base.document_values`, or plain types. pydantic compares the file
with the dataclasses; it is imported with the first document, so that declaring one costs no time.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, overload

from swfx.base.document_mistakes import Contents, DocumentError, first_mistake, refusal
from swfx.base.errors import InputError, failed
from swfx.base.toml_lines import lines_of, opened_at

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = [
    "DocumentError",
    "DocumentTable",
    "Surroundings",
    "check_document",
    "checked",
    "read_document",
    "toml_contents",
]

Model = TypeVar("Model")
Result = TypeVar("Result")

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


class DocumentTable:
    """Base of frozen dataclasses that are tables of a document; other keys are refused.

    A rule about several fields goes into ``__post_init__``, which raises a `DocumentError`: it then
    holds for tables made in Python, too. pydantic takes texts for a plain `int`, `float` or `bool`,
    too; `swfx.base.document_values` has annotations that do not.

    Attributes
    ----------
    EXAMPLES : mapping of str to str
        What to write for a required key, where the key alone does not say it.
    REST : str
        Field that holds, as a dictionary, all keys that are no fields; empty where there are none.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Tax(DocumentTable):
    ...     name: str
    ...     percent: float = 0.0
    >>> check_document(Tax, {"name": "VAT", "percent": 19})
    Tax(name='VAT', percent=19.0)
    """

    EXAMPLES: ClassVar[dict[str, str]] = {}
    REST: ClassVar[str] = ""
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Return pydantic's schema of the dataclass, which remembers what each table should be."""
        from pydantic_core import core_schema  # noqa: PLC0415  only where a document is read

        def remember(value: object, info: Any) -> object:
            info.context.tables[id(value)] = cls
            return _with_rest(value, cls) if cls.REST and isinstance(value, dict) else value

        return core_schema.with_info_before_validator_function(remember, handler(source))


@dataclass(frozen=True)
class Surroundings:
    """Context in which a document is validated.

    Attributes
    ----------
    folder : Path
        Folder of the file: paths in the document are relative to it.
    tables : dict of int to type
        Dataclass of each table that was visited, by the identity of its value.
    """

    folder: Path = Path()
    tables: dict[int, type[DocumentTable]] = field(default_factory=dict)


@overload
def read_document(model: type[Model], file: Path, kind: str) -> Model: ...
@overload
def read_document(
    model: type[Model], file: Path, kind: str, then: Callable[[Model], Result]
) -> Result: ...
def read_document(
    model: type[Any], file: Path, kind: str, then: Callable[[Any], Any] | None = None
) -> Any:
    """Read a TOML file as a dataclass.

    Parameters
    ----------
    model : type
        A dataclass derived from `DocumentTable`.
    file : Path
        Path of the file.
    kind : str
        Kind of document, for messages: ``an experiment file``.
    then : callable, optional
        Makes the result from the dataclass; its `DocumentError` is refused with its place.

    Returns
    -------
    Model or Result
        The dataclass, or the result of `then`.

    Raises
    ------
    InputError
        The file cannot be read or is not TOML; or its first mistake, in the order of the file,
        with line, field, value, and remedy.
    """
    return checked(model, toml_contents(file, kind), then)


def check_document(
    model: type[Model], value: object, source: str = "", folder: Path = Path()
) -> Model:
    """Make a dataclass from a value as `tomllib` or `json` return it.

    Parameters
    ----------
    model : type
        A dataclass derived from `DocumentTable`.
    value : object
        Contents of the document.
    source : str
        Name of the document, for messages.
    folder : Path
        Folder that paths in the document are relative to.

    Raises
    ------
    InputError
        As `read_document`, without a line.
    """
    made: Model = checked(model, Contents(value, {}, source, "a document", folder), None)
    return made


def toml_contents(file: Path, kind: str) -> Contents:
    """Read a TOML file, with the line of every value.

    Raises
    ------
    InputError
        The file cannot be read, or is not TOML.
    """
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise failed("cannot be read", error, file, f"give the path of {kind}") from error
    except UnicodeDecodeError as error:
        raise InputError("is not text in UTF-8", source=str(file)) from error
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        _refuse_syntax(file, text, str(error))
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        raise InputError("has a value that is too large to be read", source=str(file)) from error
    return Contents(value, lines_of(text), str(file), kind, file.parent)


def checked(model: Any, contents: Contents, then: Callable[[Any], Any] | None) -> Any:
    """Make a dataclass from the contents of a document, and the result from that."""
    from pydantic import ValidationError  # noqa: PLC0415  takes 60 ms

    surroundings = Surroundings(contents.folder)
    try:
        made = _adapter(model).validate_python(contents.value, context=surroundings)
        return then(made) if then else made
    except ValidationError as error:
        raise first_mistake(error, contents, surroundings.tables) from None
    except DocumentError as fault:
        raise refusal(fault, contents) from None


def _with_rest(value: dict[str, Any], model: type[Any]) -> dict[str, Any]:
    own = {each.name for each in fields(model)} - {model.REST}
    rest = {key: each for key, each in value.items() if key not in own}
    return {key: value[key] for key in value if key in own} | {model.REST: rest}


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415  takes 60 ms

    return TypeAdapter(model)


def _refuse_syntax(file: Path, text: str, reason: str) -> NoReturn:
    place = _PLACE.search(reason)
    line = int(place[1]) if place and place[1] else text.count("\n") + 1
    if reason.startswith("Unclosed"):
        line = opened_at(text, line)
    reason = _PLACE.sub("", reason)
    raise InputError(
        f"is not TOML: {reason[:1].lower()}{reason[1:]}",
        source=str(file),
        line=line,
        remedy="texts need quotes, tables [brackets]",
    )
