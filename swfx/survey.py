"""Where the lines of a log are, before any number is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from swfx.columns import Ints
from swfx.errors import InputError
from swfx.extension import EXTRA_FIELDS
from swfx.header import ENCODING, SWFX_VERSION, Header
from swfx.selection import selected

__all__ = ["Survey", "survey"]


@dataclass(frozen=True, eq=False)
class Survey:
    """Where the lines of a text are: number, first and last byte of the job lines; the header."""

    text: bytes
    lines: int
    line: Ints
    begin: Ints
    end: Ints
    header: Header

    @cached_property
    def buffer(self) -> npt.NDArray[np.uint8]:
        """The text as bytes."""
        return np.frombuffer(self.text, np.uint8)

    def row_text(self, row: int) -> str:
        """Job line `row`, whatever bytes it holds."""
        return self.text[self.begin[row] : self.end[row]].decode(*ENCODING)

    def selected(self, jobs: slice | None) -> Survey:
        """Survey of the job lines at these positions.

        Raises
        ------
        InputError
            If the slice has a step or selects nothing.
        """
        if jobs is None:
            return self
        rows = selected(jobs, len(self.line))
        return Survey(
            self.text, self.lines, self.line[rows], self.begin[rows], self.end[rows], self.header
        )


def survey(text: bytes) -> Survey:
    """Find the lines of a log.

    Raises
    ------
    InputError
        If the text is empty, not text, has no job line, or announces an unknown version.
    """
    from swfx.kernels.scan import locate  # noqa: PLC0415  numba is slow to import

    _refuse_no_text(text)
    buffer = np.frombuffer(text, np.uint8)
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    line, begin, end, *comment = (np.empty(lines, np.int64) for _ in range(5))
    jobs, comments = locate(buffer, line, begin, end, *comment)
    spans = list(zip(*(column[:comments].tolist() for column in comment), strict=True))
    header = Header(tuple(_decoded(text, *span) for span in spans))
    _check_version(text, spans)
    _check_extra_columns(header, text, spans)
    if not jobs:
        raise InputError("holds no job lines", remedy="give a log in the Standard Workload Format")
    return Survey(text, lines, line[:jobs], begin[:jobs], end[:jobs], header)


def _refuse_no_text(text: bytes) -> None:
    if not text:
        raise InputError("is empty", remedy="give a log in the Standard Workload Format")
    if (place := text.find(b"\0")) >= 0:
        raise InputError(
            f"is not text: byte {place} is 0",
            remedy="give SWF, plain or compressed by gzip, xz or zstd",
        )


def _decoded(text: bytes, begin: int, end: int) -> str:
    return text[begin:end].decode(*ENCODING)


def _check_version(text: bytes, comments: list[tuple[int, int]]) -> None:
    for begin, end in comments:
        version = Header((_decoded(text, begin, end),)).get("SWFX")
        if version not in {None, SWFX_VERSION}:
            raise InputError(
                f"unknown version of extended SWF: {version!a}",
                line=text.count(b"\n", 0, begin) + 1,
                field="SWFX",
                remedy=f"this reader knows {SWFX_VERSION}",
            )


def _check_extra_columns(header: Header, text: bytes, comments: list[tuple[int, int]]) -> None:
    known = [field.name for field in EXTRA_FIELDS]
    for name in header.extra_columns:
        if name not in known or header.extra_columns.count(name) > 1:
            begin = next(
                begin
                for begin, end in comments
                if Header((_decoded(text, begin, end),)).get("ExtraColumns") is not None
            )
            raise InputError(
                f"column {name!a} is named twice" if name in known else f"unknown column {name!a}",
                line=text.count(b"\n", 0, begin) + 1,
                field="ExtraColumns",
                remedy=f"name each column once; the columns are {', '.join(known)}",
            )
