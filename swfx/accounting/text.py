"""Text of a log, whatever bytes it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from swfx.base.errors import InputError, placed
from swfx.base.line_length import within_bounds
from swfx.header import ENCODING
from swfx.reading.text import BYTE_ORDER_MARK, check_text

__all__ = ["LogText", "text_of"]

_AS_TEXT = "give the log as text"


def text_of(data: bytes, name: str) -> str:
    """Decode a log; bytes that are not UTF-8 survive being written to a header.

    Raises
    ------
    InputError
        If there is nothing, or it is not text.
    """
    text = data.decode(*ENCODING).removeprefix("\ufeff")
    if not text.strip():
        raise _empty(name)
    try:
        check_text(data, _AS_TEXT)
    except InputError as error:
        raise placed(error, name) from None
    return text


class LogText:
    r"""The lines of a log that arrives in pieces; iterate once.

    Parameters
    ----------
    pieces : iterable of bytes
        The log, unpacked.
    name : str
        What to call it in messages.

    Attributes
    ----------
    lines : int
        Lines that have been given.
    files : list of tuple of (str, int)
        Of a log in several files the name of each so far, and the number of lines before it; empty
        for a reader that numbers no lines.

    Examples
    --------
    >>> text = LogText([b"a\r\nb", b"c\n"], "log")
    >>> list(text), text.lines
    (['a', 'bc'], 2)
    """

    def __init__(self, pieces: Iterable[bytes], name: str) -> None:
        self.name = name
        self.lines = 0
        self.files: list[tuple[str, int]] = getattr(pieces, "files", [])
        self._pieces = within_bounds(pieces)

    def __iter__(self) -> Iterator[str]:
        """Yield the lines without line ends.

        Raises
        ------
        InputError
            If there is nothing, or it is not text.
        """
        return (line.removesuffix("\r") for line in self.raw())

    def raw(self) -> Iterator[str]:
        """Lines without the line feed at their ends; raises as iteration does."""
        blank = True
        for block in self._blocks():
            text = block.decode(*ENCODING)
            blank = blank and not text.strip()
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            for line in lines:
                self.lines += 1
                yield line
        if blank:
            raise _empty(self.name)

    def _blocks(self) -> Iterator[bytes]:
        """Whole lines at a time, without byte order mark."""
        held: list[bytes] = []
        begin, mark = 0, BYTE_ORDER_MARK
        for piece in chain(self._pieces, (b"",)):
            try:
                check_text(piece, _AS_TEXT, begin)
            except InputError as error:
                raise placed(error, self.name) from None
            begin += len(piece)
            end = piece.rfind(b"\n") + 1
            if end or not piece:
                yield b"".join((*held, piece[:end])).removeprefix(mark)
                held, mark = [], b""
            held.append(piece[end:])


def _empty(name: str) -> InputError:
    return InputError("is empty", source=name, remedy="give a log")
