"""Files that decide results: known by their bytes, not by their paths."""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.sources import swf_file

_PIECES = re.compile(r"(archive:[^,\[\]]*|[:=,\[\]])")


class NamedFile(NamedTuple):
    """A file that a text names.

    Attributes
    ----------
    text : str
        As it is named there.
    digest : str
        sha256 of its bytes (hex).
    """

    text: str
    digest: str


def named_files(text: str) -> tuple[NamedFile, ...]:
    """Files that a text with options names: all of it, or pieces between its marks.

    Logs of the archive are files, too.

    Raises
    ------
    InputError
        A file cannot be read, or a log of the archive is unknown or not fetched.
    """
    pieces = [text] if _is_file(text) else dict.fromkeys(_PIECES.split(text))
    return tuple(
        NamedFile(piece, digest_of(_path(piece))) for piece in pieces if _names_file(piece)
    )


def _names_file(piece: str) -> bool:
    return piece.startswith("archive:") or _is_file(piece)


def _path(piece: str) -> Path:
    return Path(str(swf_file(piece))) if piece.startswith("archive:") else Path(piece)


def without_paths(text: str, files: Iterable[NamedFile]) -> str:
    """Return a text with the digests of files in place of their names.

    Examples
    --------
    >>> without_paths("merge:log=a.swf,users=same", [NamedFile("a.swf", "12ab")])
    'merge:log=sha256 12ab,users=same'
    """
    digests = {file.text: f"sha256 {file.digest}" for file in files}
    if text in digests:
        return digests[text]
    return "".join(digests.get(piece, piece) for piece in _PIECES.split(text))


def check_unchanged(files: Iterable[NamedFile]) -> None:
    """Refuse files that are no longer what they were.

    Raises
    ------
    InputError
        A file cannot be read, or its bytes are others.
    """
    for text, digest in files:
        if named_files(text) != ((text, digest),):
            raise InputError(
                "has changed, or cannot be found, since the experiment was started",
                source=text,
                remedy="start it again",
            )


def digest_of(path: Path) -> str:
    """Return the sha256 of a file's bytes (hex); read once as long as size and time stay.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    try:
        state = path.stat()
        return _digest(path, state.st_size, state.st_mtime_ns, state.st_ino)
    except OSError as error:
        raise InputError(
            f"cannot be read: {(error.strerror or str(error)).lower()}", source=str(path)
        ) from error


@cache
def _digest(path: Path, *_: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_file(piece: str) -> bool:
    if not {"/", "."} & set(piece):  # the name of something, whatever file is named alike
        return False
    try:
        return Path(piece).is_file()
    except OSError:  # a piece too long for a name
        return False
