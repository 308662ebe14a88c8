"""The comment lines of a log and the values in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from swfx.base.errors import InputError

__all__ = ["ENCODING", "SWFX_VERSION", "Header", "named"]

SWFX_VERSION = "1.0"
"""Version of the extended format that is read and written."""

ENCODING = ("utf-8", "surrogateescape")
"""Codec and error handler of header lines: any bytes survive being read and written."""

_KEY = re.compile(r"\s*([A-Za-z][A-Za-z0-9_ ]*?)\s*")
_NAMED = re.compile(r"([0-9]{1,15})\s+(\S.*)", re.DOTALL)
_PLAIN_NAME = re.compile(r"[^\s\"]\S*")
_LEADING_INTEGER = re.compile(r"[+-]?\d{1,15}(?!\d)")
"""Of at most 15 digits, which is below the 2^53 that job lines keep to, too."""


@dataclass(frozen=True)
class Header:
    """Comment lines, verbatim and in order, with access to their `Key: value` pairs.

    Parameters
    ----------
    lines : tuple of str
        Each line as it stands after its leading `;`, without the line end.

    Raises
    ------
    InputError
        If a line holds a line break or does not survive being written and read again.

    Examples
    --------
    >>> Header((" MaxProcs: 1664 (72, 1368, 224)",)).max_procs
    1664
    """

    lines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for line in self.lines:
            if not _survives(line):
                raise InputError(
                    f"header line {line!a} cannot be written",
                    remedy="leave out line breaks, NUL and broken characters",
                )

    def get(self, key: str) -> str | None:
        """First value of `key` (case does not matter), blanks stripped, or None."""
        return next(iter(self.all(key)), None)

    def all(self, key: str) -> tuple[str, ...]:
        """All values of `key` in order: `Queue`, `Note` and others may repeat."""
        return tuple(line.partition(":")[2].strip() for line in self._lines_of(key))

    @cached_property
    def _index(self) -> Mapping[str, list[str]]:
        """Lines of each key, in small letters: a log may name a million jobs."""
        index: dict[str, list[str]] = {}
        keys: dict[str, list[str] | None] = {}
        for line in self.lines:
            text, colon, _ = line.partition(":")
            if text not in keys:
                match = _KEY.fullmatch(text)
                keys[text] = index.setdefault(match[1].lower(), []) if match else None
            if colon and (lines := keys[text]) is not None:
                lines.append(line)
        return index

    def _lines_of(self, *keys: str) -> list[str]:
        return [line for key in keys for line in self._index.get(key.lower(), ())]

    def names(self, key: str) -> Mapping[int, str]:
        """Names of numbers in lines such as ``User: 3 alice``; the first of a number counts.

        A name ends at the first blank (archives have remarks behind it), or stands in quotation
        marks as in JSON, as `named` writes it.

        Examples
        --------
        >>> Header((" Queue: 1 express (2 h)", ' JobName: 7 "my job"')).names("Queue")
        {1: 'express'}
        """
        if key not in self._names:
            names: dict[int, str] = {}
            for value in self.all(key):
                if match := _NAMED.match(value):
                    names.setdefault(int(match[1]), _name(match[2]))
            self._names[key] = names
        return self._names[key]

    @cached_property
    def _names(self) -> dict[str, Mapping[int, str]]:
        return {}

    @property
    def max_procs(self) -> int | None:
        """Processors of the machine, the leading integer of `MaxProcs`; None if unusable."""
        return _positive(self.get("MaxProcs"))

    @property
    def max_nodes(self) -> int | None:
        """Nodes of the machine, the leading integer of `MaxNodes`; None if unusable."""
        return _positive(self.get("MaxNodes"))

    @property
    def machine_size(self) -> int | None:
        """Processors of the machine: `MaxProcs`, else `MaxNodes`, else None."""
        return self.max_procs or self.max_nodes

    @property
    def unix_start_time(self) -> int | None:
        """Unix time (s) of time 0 of the log, or None."""
        return _integer(self.get("UnixStartTime"))

    @cached_property
    def extended(self) -> bool:
        """Whether the line that announces extended SWF is there."""
        return self.get("SWFX") is not None

    def with_value(self, key: str, value: object) -> Header:
        """Header in which `key` has this one value, in place of its first line or at the end."""
        return self.with_values(key, (value,))

    def with_values(self, key: str, values: Iterable[object]) -> Header:
        """Header in which `key` has these values, in place of its first line or at the end."""
        new = [f" {key}: {value}" for value in values]
        old = self._lines_of(key)
        first = self.lines.index(old[0]) if old else len(self.lines)
        kept = self.without(key).lines
        return replace(self, lines=(*kept[:first], *new, *kept[first:]))

    def without(self, *keys: str) -> Header:
        """Header without the lines of these keys; the same object if there are none."""
        gone = set(self._lines_of(*keys))
        return replace(self, lines=tuple(s for s in self.lines if s not in gone)) if gone else self

    def only(self, *keys: str) -> Header:
        """Header of the lines of these keys alone."""
        kept = set(self._lines_of(*keys))
        return replace(self, lines=tuple(s for s in self.lines if s in kept))

    @cached_property
    def extra_columns(self) -> tuple[str, ...]:
        """Names of the columns behind the utility function, in the order of the file."""
        return tuple((self.get("ExtraColumns") or "").split()) if self.extended else ()

    def announcing(self, extended: bool, extra_columns: tuple[str, ...] = ()) -> Header:
        """Header that announces extended SWF with these extra columns, in any order, or neither.

        The same object if it is right.
        """
        if extended == self.extended and sorted(extra_columns) == sorted(self.extra_columns):
            return self
        rest = self.without("SWFX", "ExtraColumns")
        if not extended:
            return rest
        units = () if self.get("UtilityUnits") else (" UtilityUnits: SU",)
        columns = (f" ExtraColumns: {' '.join(extra_columns)}",) if extra_columns else ()
        return replace(self, lines=(f" SWFX: {SWFX_VERSION}", *units, *columns, *rest.lines))


def named(key: str, number: int, name: str) -> str:
    """Header line that names a number; `Header.names` gives the name back.

    >>> named("User", 3, "alice"), named("JobName", 17, "my job")
    (' User: 3 alice', ' JobName: 17 "my job"')
    """
    plain = _PLAIN_NAME.fullmatch(name) and name.isprintable()
    return f" {key}: {number} {name if plain else json.dumps(name, ensure_ascii=False)}"


def _name(text: str) -> str:
    if text.startswith('"'):
        try:
            name = json.loads(text)
        except ValueError:
            name = None
        if isinstance(name, str):
            return name
    return text.split(None, 1)[0]


def _survives(line: str) -> bool:
    if line.isascii() and line.isprintable():
        return True
    if "\n" in line or "\0" in line or line.endswith("\r"):
        return False
    try:
        return line.encode(*ENCODING).decode(*ENCODING) == line
    except UnicodeEncodeError:
        return False


def _integer(text: str | None) -> int | None:
    match = _LEADING_INTEGER.match(text or "")
    return int(match[0]) if match else None


def _positive(text: str | None) -> int | None:
    number = _integer(text)
    return number if number is not None and number > 0 else None
