"""The folder of fetched logs, and the check that a file is the log that it is taken for."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from swfx.archive.catalogue import ArchiveLog
from swfx.base.errors import InputError

__all__ = ["ArchiveCache", "default_folder", "digest_of", "remember"]


def default_folder() -> Path:
    """Folder of fetched logs: below XDG_CACHE_HOME if that is set, else below ~/.cache."""
    given = os.environ.get("XDG_CACHE_HOME")
    base = Path(given) if given else Path.home() / ".cache"
    return base / "utilitysched" / "archive"


@dataclass(frozen=True)
class ArchiveCache:
    """A folder of fetched logs.

    Attributes
    ----------
    folder : Path
        Its path; need not exist.
    """

    folder: Path = field(default_factory=default_folder)

    def path(self, log: ArchiveLog) -> Path:
        """Return the file of a log, fetched or not."""
        return self.folder / log.file

    def holds(self, log: ArchiveLog) -> bool:
        """Whether the log was fetched."""
        return self.path(log).is_file()

    def find(self, log: ArchiveLog) -> Path:
        """Return the file of a fetched log.

        Raises
        ------
        InputError
            It is not here, or not what it should be.
        """
        if not self.holds(log):
            raise InputError(
                f"is not in {self.folder}",
                source=f"archive:{log.name}",
                remedy=f"get it once with: utilitysched fetch {log.name}",
            )
        require_unchanged(log, self.path(log))
        return self.path(log)


def digest_of(log: ArchiveLog, stream: BinaryIO, source: str) -> str:
    """Return the SHA-256 (hex) of a packed log's content, if it is the one known.

    Raises
    ------
    InputError
        It is not.
    """
    try:
        with gzip.GzipFile(fileobj=stream, mode="rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _wrong(source, f"is not a whole gzip file: {str(error).lower()}") from error
    if log.content and digest != log.content.sha256:
        raise _wrong(
            source,
            f"is not the {log.name} known: its content has the SHA-256 {digest},"
            f" not {log.content.sha256}",
        )
    return digest


def require_unchanged(log: ArchiveLog, path: Path) -> None:
    """Refuse a kept file that is not the log, or no longer the one that was fetched.

    Unpacking a log takes up to seconds, so size and time of change stand for content that was
    checked before.

    Raises
    ------
    InputError
        Saying what is wrong.
    """
    before = _remembered(path)
    if before.get("stamp") == _stamp(path):
        return
    with path.open("rb") as stream:
        digest = digest_of(log, stream, str(path))
    if before.get("sha256", digest) != digest:
        raise _wrong(
            str(path),
            f"is not what was fetched: its content has the SHA-256 {digest},"
            f" not {before['sha256']}",
        )
    remember(path, digest)


def remember(path: Path, digest: str) -> None:
    """Note the digest of a kept file beside it, if the folder can be written."""
    try:
        _note(path).write_text(json.dumps({"sha256": digest, "stamp": _stamp(path)}), "ascii")
    except OSError:
        return


def _note(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")


def _remembered(path: Path) -> dict[str, object]:
    try:
        found = json.loads(_note(path).read_text("ascii"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _stamp(path: Path) -> list[int]:
    """Size (bytes) and time of change (ns) of a file."""
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _wrong(source: str, what: str) -> InputError:
    return InputError(
        what, source=source, remedy="it is not used; remove it and fetch again, or name a mirror"
    )
