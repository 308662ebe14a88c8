"""Files that texts with options name, as absolute paths."""

from __future__ import annotations

import re
from pathlib import Path

from swfx.reading.imports import files_of, is_pattern

__all__ = ["PIECES", "located", "located_source", "names_file"]

PIECES = re.compile(r"(archive:[^,\[\]]*|[:=,\[\]])")
"""What parts a text with options."""


def names_file(text: str, folder: Path = Path()) -> bool:
    """Whether a file of a folder has this name, or fits it, if it is a pattern."""
    try:
        path = folder / text
        return bool(text) and (path.is_file() or (is_pattern(text) and bool(files_of(path))))
    except (OSError, ValueError):  # too long for a name, or nothing fits
        return False


def located(text: str, folder: Path) -> str:
    """Return a text with options, the files of a folder that it names as absolute paths.

    What it begins with, or what is before a colon or an equals sign, is the name of something,
    whatever file is named alike.
    """
    pieces = PIECES.split(text)
    for at in range(2, len(pieces), 2):
        is_name = pieces[at + 1 : at + 2] in (["="], [":"])
        if not is_name and names_file(pieces[at], folder):
            pieces[at] = _absolute(pieces[at], folder)
    return "".join(pieces)


def located_source(text: str, folder: Path) -> str:
    """Return the text of a source of workloads, its file, if it has one, as an absolute path."""
    if text.startswith(("model:", "sample:", "archive:")):
        return text
    is_path = (folder / text).is_file() or len(PIECES.split(text)) == 1
    return _absolute(text, folder) if is_path else located(text, folder)


def _absolute(text: str, folder: Path) -> str:
    return str((folder / text).absolute())
