"""The folder of fetched logs, and the check that a file is the log that it is taken for."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from swfx.archive.catalogue import ArchiveLog
from swfx.base.errors import InputError

__all__ = ["ArchiveCache", "default_folder", "digest_of"]


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
        with self.path(log).open("rb") as stream:
            digest_of(log, stream, str(self.path(log)))
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


def _wrong(source: str, what: str) -> InputError:
    return InputError(
        what, source=source, remedy="it is not used; remove it and fetch again, or name a mirror"
    )
