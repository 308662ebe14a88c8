"""Identity of files that decide results: known by their bytes, not by their paths."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.errors import failed
from swfx.reading.imports import files_of
from swfx.reading.located import PIECES, names_file
from swfx.reading.sources import swf_file


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
    """Return the files named by a text with options: the whole text or pieces of it.

    Logs of the archive are files, too.

    Raises
    ------
    InputError
        A file cannot be read, or a log of the archive is unknown or not fetched.
    """
    return tuple(NamedFile(name, _bytes_of(name)) for name in dict.fromkeys(_names(text)))


def _names(text: str) -> Iterator[str]:
    """Files between the marks; a path may hold marks itself, so the longest is meant."""
    pieces = PIECES.split(text)
    at = 0
    while at < len(pieces):
        ends = range(len(pieces), at, -1)
        end = next((end for end in ends if _is_file("".join(pieces[at:end]))), at + 1)
        name = "".join(pieces[at:end])
        if name.startswith("archive:") or _is_file(name):
            yield name
        at = end


def _bytes_of(name: str) -> str:
    """Return the digest of a file, or of all that fit a pattern."""
    if name.startswith("archive:"):
        return digest_of(Path(str(swf_file(name))))
    first, *others = (digest_of(Path(file)) for file in files_of(name))
    return hashlib.sha256("".join([first, *others]).encode()).hexdigest() if others else first


def without_paths(text: str, files: Iterable[NamedFile]) -> str:
    """Return a text with the digests of files in place of their names.

    Examples
    --------
    >>> without_paths("merge:log=a.swf,users=same", [NamedFile("a.swf", "12ab")])
    'merge:log=sha256 12ab,users=same'
    """
    digests = {file.text: f"sha256 {file.digest}" for file in files}
    names = "|".join(map(re.escape, sorted(digests, key=len, reverse=True)))
    named = rf"(?<![^:=,\[\]])(?:{names})(?![^:=,\[\]])"
    return re.sub(named, lambda name: digests[name[0]], text) if names else text


def on_any_machine(text: str) -> str:
    """Return a text with digests in place of the files that it names: equal on every machine.

    Raises
    ------
    InputError
        As of `named_files`.
    """
    return without_paths(text, named_files(text))


def check_unchanged(files: Iterable[NamedFile]) -> None:
    """Refuse files with changed contents.

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


def require_files(files: Iterable[NamedFile]) -> None:
    """Refuse files with other contents on this machine than on the machine of the experiment.

    Raises
    ------
    InputError
        A file cannot be read, or its bytes are others.
    """
    for file in files:
        remedy = "fetch it there, too"
        if not file.text.startswith("archive:"):
            remedy = "every worker must see the same file under this path: use a shared file system"
        try:
            here = named_files(file.text)
        except InputError as error:
            raise InputError(str(error), remedy=remedy) from error
        if not here:
            raise InputError(f"{file.text} cannot be found", remedy=remedy)
        if here != (file,):
            raise InputError(
                f"{file.text} holds other bytes than where the experiment runs", remedy=remedy
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
        raise failed("cannot be read", error, path) from error


@cache
def _digest(path: Path, *_: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_file(piece: str) -> bool:
    # the name of something may be that of a file, too
    return not {"/", ".", "*"}.isdisjoint(piece) and names_file(piece)
