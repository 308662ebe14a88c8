"""The text of a source, unpacked while it is read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeAlias

from swfx.base.compression import unpacked
from swfx.base.errors import InputError, failed
from swfx.base.line_length import within_bounds

__all__ = ["BYTE_ORDER_MARK", "HEAD", "Source", "Text", "check_text", "pieces_of", "source_name"]

Source: TypeAlias = str | Path | BinaryIO

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""U+FEFF in UTF-8, which some programs write before text."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_READ = 2**18  # bytes read at a time

HEAD = 4096
"""First bytes of a file, in which a file of another kind gives itself away."""


def check_source_type(source: object) -> None:
    """Refuse a source of a type that cannot be read, such as None.

    Raises
    ------
    InputError
        Naming its type.
    """
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        raise InputError(
            f"{type(source).__name__} is no source of a workload",
            remedy="give a path or a file opened in binary mode",
        )
    if str(source) == "":
        raise InputError("no workload is named", remedy="give the path of a log")


def source_name(source: Source) -> str:
    """Name a source as messages and reports do."""
    if isinstance(source, str | Path):
        return "standard input" if str(source) == "-" else str(source)
    return str(getattr(source, "name", "stream"))


def check_text(data: bytes, remedy: str, begin: int = 0) -> None:
    """Refuse binary data, and text in UTF-16, which some shells write.

    Parameters
    ----------
    data : bytes
        The text, or a piece of it that has so many bytes before it as `begin` says.
    remedy : str
        Remedy for binary data.

    Raises
    ------
    InputError
        With the remedy, which for UTF-16 is another.
    """
    if begin == 0 and data.startswith(_UTF_16):
        raise InputError("is text in UTF-16", remedy="save it as UTF-8")
    if (place := data.find(b"\0")) >= 0:
        raise InputError(f"is not text: byte {begin + place} is 0", remedy=remedy)


class Text:
    """Text of a file, plain or packed, whose first bytes are checked.

    Parameters
    ----------
    source : str, Path or binary stream
        `-` is standard input.

    Attributes
    ----------
    marked : bool
        Whether it begins with a byte order mark (U+FEFF in UTF-8), which is left out.
    head : bytes
        First bytes, without that mark.

    Raises
    ------
    InputError
        If the source cannot be read.
    """

    def __init__(self, source: Source) -> None:
        self._size = self._taken = 0
        self._pieces = within_bounds(unpacked(self._counted(pieces_of(source))))
        head = b""
        while len(head) < HEAD and (piece := next(self._pieces, None)) is not None:
            head += piece
        self.marked = head.startswith(BYTE_ORDER_MARK)
        head = head.removeprefix(BYTE_ORDER_MARK)
        self.head = head[:HEAD]
        self._pieces = chain((head,), self._pieces)
        self._size = _size(source)

    def check(self) -> None:
        """Refuse what is empty, or no text.

        Raises
        ------
        InputError
            Saying which.
        """
        if not self.head:
            raise InputError("is empty", remedy="give a log in the Standard Workload Format")
        check_text(self.head, "give SWF, plain or compressed by gzip, xz or zstd")

    def _counted(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._taken += len(piece)
            yield piece

    @property
    def fraction(self) -> float:
        """Share of a file that has been read, 0 where its size is unknown."""
        return min(self._taken / self._size, 1.0) if self._size else 0.0

    def blocks(self, size: int | None = None) -> Iterator[bytes]:
        """Whole lines, once: about `size` bytes at a time, or everything at once.

        Raises
        ------
        InputError
            If the source breaks off, when the lines before have been given.
        """
        parts: list[bytes] = []
        held = 0
        try:
            for piece in self._pieces if size is None else _cut(self._pieces, size):
                parts.append(piece)
                held += len(piece)
                end = piece.rfind(b"\n") + 1 if size is not None and held >= size else 0
                if end:
                    parts[-1] = piece[:end]
                    yield _joined(parts)
                    parts.append(piece[end:])
                    held = len(parts[0])
        except InputError:
            text = _joined(parts)
            if end := text.rfind(b"\n") + 1:
                yield text[:end]
            raise
        if held:
            yield _joined(parts)


def pieces_of(source: Source) -> Iterator[bytes]:
    """Bytes of a source as they are, in pieces.

    Raises
    ------
    InputError
        If it cannot be read, or is no binary stream.
    """
    try:
        if not isinstance(source, str | Path):
            yield from _read(source)
        elif str(source) == "-":
            yield from _read(sys.stdin.buffer)
        else:
            with Path(source).open("rb") as stream:
                yield from _read(stream)
    except (OSError, ValueError) as error:  # ValueError: a path that holds NUL
        if isinstance(error, InputError):
            raise
        remedy = "give the path of a readable file, or - for standard input"
        raise failed("cannot be read", error, remedy=remedy) from error


def _read(stream: BinaryIO) -> Iterator[bytes]:
    piece: object = stream.read(_READ)
    while isinstance(piece, bytes) and piece:
        yield piece
        piece = stream.read(_READ)
    if not isinstance(piece, bytes):
        raise InputError("is a text stream", remedy="open it in binary mode")


def _size(source: Source) -> int:
    """Bytes of a file, 0 for everything else."""
    path = Path(source) if isinstance(source, str | Path) else None
    return path.stat().st_size if path and path.is_file() else 0


def _cut(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        yield from (piece[first : first + size] for first in range(0, len(piece), size))


def _joined(parts: list[bytes]) -> bytes:
    """Return the joined parts; the list is emptied, for it is as large as the whole."""
    text = b"".join(parts)
    parts.clear()
    return text
