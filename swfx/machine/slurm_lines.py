"""Lines of slurm.conf as keys and values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from swfx.base.errors import InputError, failed
from swfx.header import ENCODING

__all__ = ["ConfLine", "conf_lines", "read_text"]

DEEPEST = 8
"""Files that include each other."""

_PAIR = re.compile(r'\s*([A-Za-z0-9_.]+)\s*[-*+/]?=\s*(?:"([^"]*)"|(\S+))(?=\s|$)')
_COMMENT = re.compile(r"((?:[^#\\]|\\.)*)#.*", re.DOTALL)
_CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*(\\)\s*$")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_INCLUDE = re.compile(r"\s*include\s+(\S+)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class ConfLine:
    """A line of slurm.conf, or several that are continued.

    Attributes
    ----------
    file : Path
        Its file.
    number : int
        Number of the first of its lines.
    pairs : mapping of str to str
        Values by key; keys as they are written.
    """

    file: Path
    number: int
    pairs: Mapping[str, str]
    _small: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_small", {key.lower(): key for key in self.pairs})

    @property
    def kind(self) -> str:
        """The first key in small letters."""
        return next(iter(self.pairs)).lower()

    @property
    def name(self) -> str:
        """The value of the first key."""
        return next(iter(self.pairs.values()))

    def get(self, key: str) -> str | None:
        """Return the value of a key, however it is capitalised; None without it."""
        written = self._small.get(key.lower())
        return None if written is None else self.pairs[written]

    def with_defaults(self, defaults: ConfLine | None) -> ConfLine:
        """Return the line with the values of a line of defaults for the keys that it lacks."""
        if defaults is None:
            return self
        others = list(defaults.pairs.items())[1:]
        more = {key: value for key, value in others if key.lower() not in self._small}
        return replace(self, pairs={**self.pairs, **more})

    def refused(self, message: str, key: str = "", remedy: str | None = None) -> InputError:
        """Return the error that says what is wrong with the line, or with the value of a key."""
        return InputError(
            message, source=str(self.file), line=self.number, field=key or None, remedy=remedy
        )

    def count(self, key: str, least: int = 0) -> int | None:
        """Return the whole number of a key; None without it, or if it is unlimited.

        Raises
        ------
        InputError
            It is no whole number, or below the least.
        """
        text = self.get(key)
        if text is None or text.lower() in {"unlimited", "infinite"}:
            return None
        if not re.fullmatch("[0-9]{1,15}", text) or int(text) < least:
            raise self.refused(f"is no whole number from {least} on: {text!r}", key)
        return int(text)


def read_text(file: Path) -> str:
    """Return the text of a file.

    Raises
    ------
    InputError
        It cannot be read.
    """
    try:
        return file.read_bytes().decode(*ENCODING)
    except OSError as error:
        raise failed("cannot be read", error, file) from error


def conf_lines(file: Path) -> Iterator[ConfLine]:
    """Yield the lines of a slurm.conf and of the files that it includes.

    Raises
    ------
    InputError
        A file that cannot be read, or a line that is no ``Key=value``.
    """
    return _lines(file, read_text(file), file.parent, 1)


def _lines(file: Path, text: str, folder: Path, depth: int) -> Iterator[ConfLine]:
    for number, line in _joined(text):
        if include := _INCLUDE.fullmatch(line):
            place = ConfLine(file, number, {"Include": include[1]})
            yield from _included(place, folder, depth)
        elif pairs := _pairs(line, file, number):
            yield ConfLine(file, number, pairs)


def _included(place: ConfLine, folder: Path, depth: int) -> Iterator[ConfLine]:
    """Yield the lines of an included file: where its path says, or of its name beside slurm.conf.

    A copy of a configuration seldom has the paths of the machine that it is from.
    """
    path = folder / place.name
    found = path if path.is_file() else folder / path.name
    if depth == DEEPEST:
        raise place.refused(f"files include each other more than {DEEPEST} deep: {place.name}")
    if not found.is_file():
        raise place.refused(f"there is no file {place.name}", remedy=f"copy it to {found}")
    yield from _lines(found, read_text(found), folder, depth + 1)


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line without comment with its number; a backslash at its end continues it."""
    begun, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.fullmatch(line)
        begun, first = begun + (comment[1] if comment else line), first or number
        if continued := _CONTINUED.search(begun):
            begun = begun[: continued.start(1)]
        else:
            yield first, _ESCAPE.sub(r"\1", begun)
            begun, first = "", 0
    if begun:
        yield first, _ESCAPE.sub(r"\1", begun)


def _pairs(line: str, file: Path, number: int) -> dict[str, str]:
    """Return keys and values of a line; none of an empty one."""
    pairs: dict[str, str] = {}
    place = 0
    while line[place:].strip():
        match = _PAIR.match(line, place)
        if match is None:
            shown = line[place:].strip()
            raise InputError(f"is no Key=value: {shown!r}", source=str(file), line=number)
        pairs[match[1]] = match[3] if match[2] is None else match[2]
        place = match.end()
    return pairs
