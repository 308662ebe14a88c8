"""Downloads that are not complete yet; each is its own lock, where filelock leaves a file more."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

__all__ = ["Partial", "Version", "locked"]


class Version(NamedTuple):
    """Which state of which file on a server.

    Attributes
    ----------
    url : str
        Address.
    validator : str
        Entity tag or date of change, as the server told; empty if it told none.
    size : int
        Bytes of the whole file; -1 if the server did not tell.
    """

    url: str
    validator: str
    size: int


class Partial:
    """The first bytes of a file on a server, behind one line that says of which version.

    A part without that line, or with another's, is as good as none.

    Parameters
    ----------
    stream : BinaryIO
        Open for reading and writing.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        stream.seek(0)
        first = stream.readline()
        self.version = _version(first)
        self._begin = len(first) if self.version else 0
        self.size = max(stream.seek(0, os.SEEK_END) - self._begin, 0) if self.version else 0

    def restart(self, version: Version) -> None:
        """Drop what is here and begin with this version."""
        line = json.dumps(version).encode() + b"\n"
        self._stream.seek(0)
        self._stream.truncate()
        self._stream.write(line)
        self.version, self._begin, self.size = version, len(line), 0

    def append(self, data: bytes) -> None:
        """Add the next bytes."""
        self._stream.write(data)
        self.size += len(data)

    def content(self) -> BinaryIO:
        """Return the stream, at the first byte of the file."""
        self._stream.flush()
        self._stream.seek(self._begin)
        return self._stream

    def resumable(self, url: str) -> Version | None:
        """Return the version of which a download from `url` can bring the rest, if any."""
        version = self.version
        if version and version.url == url and version.validator and 0 < self.size <= version.size:
            return version
        return None


@contextmanager
def locked(path: Path, on_wait: Callable[[], None]) -> Iterator[Partial]:
    """Hold the part at `path`, made if absent; no other process holds it meanwhile.

    Parameters
    ----------
    path : Path
        Where it is; may be removed in the block.
    on_wait : callable
        Called if another process holds it, before waiting for that one.
    """
    while True:
        with path.open("ab+") as stream:
            _lock(stream, on_wait)
            if _is_still(path, stream):
                yield Partial(stream)
                return


def _lock(stream: BinaryIO, on_wait: Callable[[], None]) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        on_wait()
        fcntl.flock(stream, fcntl.LOCK_EX)


def _is_still(path: Path, stream: BinaryIO) -> bool:
    """Whether `path` is the open file, and not removed by who held it before."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def _version(line: bytes) -> Version | None:
    try:
        url, validator, size = json.loads(line)
        return Version(str(url), str(validator), int(size))
    except (ValueError, TypeError):
        return None
