"""Places of the lines of a log, before any number is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.extension import EXTRA_FIELDS, extra_field
from swfx.header import ENCODING, SWFX_VERSION, Header

__all__ = ["Survey", "has_job_line", "survey"]

_NEWLINE = 10
_JOB_LINE = re.compile(rb"^[ \t\r]*[^ \t\r\n;]", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Survey:
    """Number, first and last byte of the job lines of a text, and the header.

    The header holds the comment lines above the first job line; `stray` is how many there are
    below it, `first_stray` the number of the first.
    """

    text: bytes
    lines: int
    line: Ints
    begin: Ints
    end: Ints
    comment_lines: int
    stray: int
    first_stray: int
    header: Header

    @cached_property
    def buffer(self) -> npt.NDArray[np.uint8]:
        """Bytes of the text, as an array."""
        return np.frombuffer(self.text, np.uint8)

    def row_text(self, row: int) -> str:
        """Job line `row`, whatever bytes it holds."""
        return self.text[self.begin[row] : self.end[row]].decode(*ENCODING)

    def rows(self, rows: slice) -> Survey:
        """Survey of these of the job lines."""
        return replace(self, line=self.line[rows], begin=self.begin[rows], end=self.end[rows])


def survey(text: bytes, lines_above: int = 0, header: Header | None = None) -> Survey:
    """Find the lines of a log, or of a part of it.

    Parameters
    ----------
    text : bytes
        Whole lines.
    lines_above : int
        Lines of the log before these.
    header : Header, optional
        Header of the log; its first part brings it.

    Raises
    ------
    InputError
        If the header announces an unknown version or column.
    """
    from swfx.kernels.scan import locate  # noqa: PLC0415  numba is slow to import

    buffer = np.frombuffer(text, np.uint8)
    lines = int(np.count_nonzero(buffer == _NEWLINE)) + (not text.endswith(b"\n"))
    line, begin, end, *comment = (np.empty(lines, np.int64) for _ in range(5))
    jobs, comments = locate(buffer, line, begin, end, *comment)
    stray, _ = places = [column[:comments] for column in comment]
    if header is None:
        above = int(np.searchsorted(stray, begin[0])) if jobs else comments
        header = _header(text, list(zip(*(p[:above].tolist() for p in places), strict=True)))
        stray = stray[above:]
    return Survey(
        text=text,
        lines=lines,
        line=line[:jobs] + lines_above,
        begin=begin[:jobs],
        end=end[:jobs],
        comment_lines=comments,
        stray=len(stray),
        first_stray=_line_of(text, int(stray[0])) + lines_above if len(stray) else 0,
        header=header,
    )


def has_job_line(text: bytes) -> bool:
    """Whether whole lines of text hold a job."""
    return _JOB_LINE.search(text) is not None


def _header(text: bytes, comments: list[tuple[int, int]]) -> Header:
    header = Header(tuple(text[begin:end].decode(*ENCODING) for begin, end in comments))
    for version in header.all("SWFX"):
        if version != SWFX_VERSION:
            raise InputError(
                f"unknown version of extended SWF: {version!a}",
                line=_line_with(text, comments, header, "SWFX", version),
                field="SWFX",
                remedy=f"this reader knows {SWFX_VERSION}",
            )
    _check_extra_columns(header, text, comments)
    return header


def _line_of(text: bytes, place: int) -> int:
    return text.count(b"\n", 0, place) + 1


def _line_with(
    text: bytes, comments: list[tuple[int, int]], header: Header, key: str, value: str
) -> int:
    """Count to the first header line of this key and value."""
    places = zip(header.lines, comments, strict=True)
    begins = (begin for line, (begin, _) in places if Header((line,)).get(key) == value)
    return _line_of(text, next(begins))


def _check_extra_columns(header: Header, text: bytes, comments: list[tuple[int, int]]) -> None:
    for name in header.extra_columns:
        known = extra_field(name) is not None
        if not known or header.extra_columns.count(name) > 1:
            listing = ", ".join(field.name for field in EXTRA_FIELDS)
            names = header.get("ExtraColumns") or ""
            raise InputError(
                f"column {name!a} is named twice" if known else f"unknown column {name!a}",
                line=_line_with(text, comments, header, "ExtraColumns", names),
                field="ExtraColumns",
                remedy=f"name each column once; the columns are {listing}, labels and resources",
            )
