"""Bounds on lines and on blank text, which would fill the memory: packed they may be short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from swfx.base.errors import InputError

__all__ = ["LONGEST", "within_bounds"]

LONGEST = 2**24
"""Bytes of a line, without its end."""

MOST_BLANK = 2**24
"""Bytes of blanks and empty lines in a row."""


def within_bounds(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on pieces of a text, none longer than `LONGEST`.

    Raises
    ------
    InputError
        A line is longer than that, or more than `MOST_BLANK` bytes are blank, by line.
    """
    line, held, blank = 1, 0, 0
    for whole in pieces:
        for begin in range(0, len(whole), LONGEST):
            piece = whole[begin : begin + LONGEST]
            first = piece.find(b"\n")
            if held + (len(piece) if first < 0 else first) > LONGEST:
                raise InputError(
                    f"the line is longer than {LONGEST:,} bytes",
                    line=line,
                    remedy="give a file of shorter lines",
                )
            blank = blank + len(piece) if piece.isspace() else 0
            if blank > MOST_BLANK:
                raise InputError(
                    f"more than {MOST_BLANK:,} bytes in a row are blank",
                    line=line,
                    remedy="give a file without that many empty lines",
                )
            line += piece.count(b"\n")
            held = len(piece) - piece.rfind(b"\n") - 1 + (held if first < 0 else 0)
            yield piece
