"""Texts of files and people, fit for a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO
from unicodedata import category

_STEERS = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Unicode categories that move the cursor or turn the direction of letters: controls, formats, and
separators of lines and paragraphs."""


class _Escapes(dict[int, int | str]):
    """Escapes by code point, made when first asked for."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        super().__init__()
        self._escape = escape

    def __missing__(self, code: int) -> int | str:
        letter = chr(code)
        steers = letter not in "\t\n" and category(letter) in _STEERS
        self[code] = self._escape(letter) if steers else code
        return self[code]


_FOR_PEOPLE = _Escapes(lambda letter: ascii(letter)[1:-1].replace("\\r", "\\x0d"))
_FOR_JSON = _Escapes(lambda letter: json.dumps(letter)[1:-1])


def visible(text: str) -> str:
    r"""Return text with control and bidirectional characters escaped.

    Examples
    --------
    >>> print(visible("red: \x1b[31m, backwards: \u202e"))
    red: \x1b[31m, backwards: \u202e
    """
    return text if text.isprintable() else text.translate(_FOR_PEOPLE)


def visible_json(text: str) -> str:
    """Return JSON of the same value in which all letters are visible."""
    return text if text.isprintable() else text.translate(_FOR_JSON)


class VisibleStream:
    """A text stream that writes visible text only.

    Parameters
    ----------
    plain : text stream
        Stream that takes the text.
    """

    def __init__(self, plain: TextIO) -> None:
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        self.plain.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def plain(stream: TextIO) -> TextIO:
    """Return the stream below a visible one: for programs' data, and for text that is visible."""
    target: TextIO = getattr(stream, "plain", stream)
    return target


@contextmanager
def visible_output() -> Iterator[None]:
    """Have all that the block prints be visible text, on standard output and standard error."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(VisibleStream, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
