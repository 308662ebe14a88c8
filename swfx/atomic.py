"""Files that appear complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from swfx.errors import InputError

__all__ = ["atomic_write"]


@contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """Binary stream to a temporary file beside `path`, renamed to it if the block succeeds.

    A device or pipe is written in place. On any exception nothing is left behind and an existing
    file keeps its content.

    Raises
    ------
    InputError
        If the file cannot be made or written.
    """
    target = Path(path)
    special = target.exists() and not target.is_file()
    temporary = target if special else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            yield stream
        if not special:
            temporary.replace(target)
    except BaseException as error:
        if not special:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(
                f"cannot be written: {(error.strerror or str(error)).lower()}",
                source=str(path),
                remedy="give a file in a folder that exists and that you may write to",
            ) from error
        raise
