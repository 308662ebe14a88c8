"""Files that are complete or absent: written beside their place, renamed into it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from swfx import InputError


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Text file that takes the name `path` when the block ends, and leaves nothing if it fails.

    Raises
    ------
    InputError
        If the file, or the directory for it, cannot be made or written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("w", encoding="utf-8", newline="") as file:
            yield file
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot be written: {reason}",
            source=str(path),
            remedy="choose a directory you can write to, with space left",
        ) from error
    finally:
        _discard(temporary)


def _discard(path: Path) -> None:
    # a parent that is a file, or that may not be entered, holds no temporary of ours
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return
