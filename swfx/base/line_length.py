"""The bound on the length of a line: one that is longer would fill the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from swfx.base.errors import InputError

__all__ = ["LONGEST", "within_bounds"]

LONGEST = 2**24
"""Bytes of a line, without its end."""


def within_bounds(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on pieces of a text, none longer than `LONGEST`.

    Raises
    ------
    InputError
        A line is longer than that, by line: packed it may have been short.
    """
    line, held = 1, 0
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
            line += piece.count(b"\n")
            held = len(piece) - piece.rfind(b"\n") - 1 + (held if first < 0 else 0)
            yield piece
