"""A value of a TOML file that knows where it stands, for messages."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from swfx.base.errors import InputError, failed
from swfx.base.options import as_seconds, nearest
from swfx.base.toml_lines import lines_of, opened_at

Made = TypeVar("Made")

DIGITS = 1000  # binary ones of a whole number that messages repeat; Python refuses to write some

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class Node:
    """A value and its place.

    Attributes
    ----------
    value : object
        As `tomllib` gives it.
    path : tuple of str and int
        Keys and positions that lead to it.
    file : Path
        Where it was read.
    lines : mapping of path to int
        Where in the file.
    """

    value: Any
    path: tuple[str | int, ...]
    file: Path
    lines: Mapping[tuple[str | int, ...], int]

    def table(self, known: Collection[str]) -> dict[str, Node]:
        """Return the members of a table by key.

        Raises
        ------
        InputError
            It is no table, or has a key that is not known.
        """
        if not isinstance(self.value, dict):
            self.refuse(f"is {_kind(self.value)}, not a table")
        for key, value in self.value.items():
            if key not in known:
                self._at(key, value).refuse("is not a known key", nearest(key, known))
        return {key: self._at(key, value) for key, value in self.value.items()}

    def items(self) -> list[Node]:
        """Return the members of a list.

        Raises
        ------
        InputError
            It is no list, or an empty one.
        """
        if not isinstance(self.value, list):
            self.refuse(f"is {_kind(self.value)}, not a list", f"write [{self._shown()}]")
        if not self.value:
            self.refuse("is an empty list", "leave it out, or name at least one")
        return [self._at(i, value) for i, value in enumerate(self.value)]

    def one_or_more(self) -> list[Node]:
        """Return the members of a list, or the value itself where it is none."""
        return self.items() if isinstance(self.value, list) else [self]

    def text(self) -> str:
        """Return a text, environment variables ``${NAME}`` in it replaced.

        Raises
        ------
        InputError
            It is no text, is empty, or a variable is not set.
        """
        if not isinstance(self.value, str):
            self.refuse(f"is {_kind(self.value)}, not a text", f'write "{self._shown()}"')
        if not self.value.strip():
            self.refuse("is empty")
        return _VARIABLE.sub(self._variable, self.value)

    def choice(self, known: Collection[str]) -> str:
        """Return one of the known texts.

        Raises
        ------
        InputError
            It is another.
        """
        text = self.text()
        if text not in known:
            self.refuse(f"{text!r} is not known", nearest(text, known))
        return text

    def whole(self, least: int) -> int:
        """Return a whole number.

        Raises
        ------
        InputError
            It is none, or too small or large.
        """
        if type(self.value) is not int:
            self.refuse(f"is {_kind(self.value)}, not a whole number")
        if not least <= self.value < 2**63:
            self.refuse(f"{self._shown()} is out of range", f"give a whole number from {least}")
        return self.value

    def number(self, accepts: Callable[[float], bool], wanted: str) -> float:
        """Return a finite number.

        Raises
        ------
        InputError
            It is none, or not accepted.
        """
        if type(self.value) not in (int, float):
            self.refuse(f"is {_kind(self.value)}, not a number")
        try:
            number = float(self.value)
        except OverflowError:
            number = math.inf
        if not (math.isfinite(number) and accepts(number)):
            self.refuse(f"{self.value if number < math.inf else number} is not {wanted}")
        return number

    def seconds(self, accepts: Callable[[float], bool], wanted: str) -> float:
        """Return a time (s): a number of seconds, or a text with a unit such as ``"2 min"``.

        Raises
        ------
        InputError
            It is neither, or not accepted.
        """
        if not isinstance(self.value, str):
            return self.number(accepts, wanted)
        time = self.made(lambda text: as_seconds(text, "", "time"))[1]
        if not accepts(time):
            self.refuse(f"{self.value!r} is not {wanted}")
        return time

    def truth(self) -> bool:
        """Return true or false.

        Raises
        ------
        InputError
            It is neither.
        """
        if not isinstance(self.value, bool):
            self.refuse(f"is {_kind(self.value)}", "write true or false")
        return self.value

    def made(self, make: Callable[[str], Made]) -> tuple[str, Made]:
        """Return the text, and what `make` makes of it.

        Raises
        ------
        InputError
            It is no text, or `make` refuses it.
        """
        text = self.text()
        try:
            return text, make(text)
        except InputError as error:
            reason = InputError(
                error.message, source=error.source, line=error.line, field=error.field
            )
            self.refuse(str(reason), error.remedy)

    def refuse(self, message: str, remedy: str | None = None) -> NoReturn:
        """Refuse the value.

        Raises
        ------
        InputError
            With file, line and path.
        """
        raise InputError(
            message, source=str(self.file), line=self._line(), field=self._name(), remedy=remedy
        )

    def _at(self, step: str | int, value: object) -> Node:
        return Node(value, (*self.path, step), self.file, self.lines)

    def _line(self) -> int | None:
        return self.lines.get(self.path)

    def _name(self) -> str | None:
        return "".join(_steps(self.path)).lstrip(".") or None

    def _shown(self) -> str:
        if isinstance(self.value, int) and self.value.bit_length() > DIGITS:
            return "a number of hundreds of digits"
        return f'"{self.value}"' if isinstance(self.value, str) else str(self.value)

    def _variable(self, match: re.Match[str]) -> str:
        name = match[1]
        if not environ.get(name):
            self.refuse(f"the environment variable {name} is not set", f"export {name}=...")
        return environ[name]


def read_toml(file: Path, kind: str) -> Node:
    """Read a TOML file.

    Parameters
    ----------
    file : Path
        Where.
    kind : str
        What it should be, for messages: ``an experiment file``.

    Raises
    ------
    InputError
        It cannot be read, or is no TOML.
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
        raise _not_toml(file, text, str(error)) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        raise InputError("has a value that is too large to be read", source=str(file)) from error
    return Node(value, (), file, lines_of(text))


def _not_toml(file: Path, text: str, said: str) -> InputError:
    found = _PLACE.search(said)
    line = int(found[1]) if found and found[1] else text.count("\n") + 1
    if said.startswith("Unclosed"):
        line = opened_at(text, line)
    reason = _PLACE.sub("", said)
    return InputError(
        f"is not TOML: {reason[:1].lower()}{reason[1:]}",
        source=str(file),
        line=line,
        remedy="texts need quotes, tables [brackets]",
    )


def _steps(path: tuple[str | int, ...]) -> Iterator[str]:
    for step in path:
        yield f"[{step}]" if isinstance(step, int) else f".{step}"


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    names |= {list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")
