"""Slices of logs as they are written: ``5000:10000``."""

from __future__ import annotations

import re

from swfx.base.errors import InputError

__all__ = ["slice_of", "slice_text"]


def slice_of(text: str) -> slice:
    """Read `A:B`, positions from 0, B excluded, either side may be empty.

    Raises
    ------
    InputError
        Anything else, or a slice without jobs.

    Examples
    --------
    >>> slice_of("5000:10000")
    slice(5000, 10000, None)
    """
    parts = re.fullmatch("([0-9]{0,18}):([0-9]{0,18})", text)
    if not parts:
        raise InputError(
            f"{text!r} is not A:B with whole numbers from 0", remedy="write it as in 5000:10000"
        )
    found = slice(*(int(part) if part else None for part in parts.groups()))
    if found.stop is not None and found.stop <= (found.start or 0):
        raise InputError(f"{text!r} is empty", remedy="A must be below B")
    return found


def slice_text(jobs: slice) -> str:
    """Return the text that `slice_of` reads.

    Examples
    --------
    >>> slice_text(slice(None, 500))
    ':500'
    """
    return ":".join("" if end is None else str(end) for end in (jobs.start, jobs.stop))
