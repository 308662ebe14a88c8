"""The comment lines of a log and the values in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from swfx.base.errors import InputError

__all__ = ["ENCODING", "SWFX_VERSION", "Header"]

SWFX_VERSION = "1.0"
"""Version of the extended format that is read and written."""

ENCODING = ("utf-8", "surrogateescape")
"""Codec and error handler of header lines: any bytes survive being read and written."""

_LINE = re.compile(r"\s*(?P<key>[A-Za-z][A-Za-z0-9_ ]*?)\s*:(?P<value>.*)", re.DOTALL)
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
        return tuple(value for line in self.lines if (value := _value(line, key)) is not None)

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
        places = [i for i, old in enumerate(self.lines) if _value(old, key) is not None]
        first = places[0] if places else len(self.lines)
        kept = [old for i, old in enumerate(self.lines) if i not in places]
        return replace(self, lines=(*kept[:first], *new, *kept[first:]))

    def without(self, *keys: str) -> Header:
        """Header without the lines of these keys; the same object if there are none."""
        kept = tuple(s for s in self.lines if all(_value(s, key) is None for key in keys))
        return self if kept == self.lines else replace(self, lines=kept)

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


def _survives(line: str) -> bool:
    if "\n" in line or "\0" in line or line.endswith("\r"):
        return False
    try:
        return line.encode(*ENCODING).decode(*ENCODING) == line
    except UnicodeEncodeError:
        return False


def _value(line: str, key: str) -> str | None:
    match = _LINE.fullmatch(line)
    if match is None or match["key"].casefold() != key.casefold():
        return None
    return match["value"].strip()


def _integer(text: str | None) -> int | None:
    match = _LEADING_INTEGER.match(text or "")
    return int(match[0]) if match else None


def _positive(text: str | None) -> int | None:
    number = _integer(text)
    return number if number is not None and number > 0 else None
