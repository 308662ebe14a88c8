"""The logs of the Parallel Workloads Archive, their digests, and the folder of fetched ones."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import BinaryIO, NamedTuple

from swfx.base.errors import InputError
from swfx.base.options import nearest

__all__ = [
    "ARCHIVE",
    "LOGS",
    "ArchiveCache",
    "ArchiveLog",
    "Content",
    "default_folder",
    "digest_of",
    "find_log",
]

ARCHIVE = "http://www.cs.huji.ac.il/labs/parallel/workload"
"""Where the archive is (Feitelson, Tsafrir, Krakov, J. Parallel Distrib. Comput. 74(10), 2014)."""


class Content(NamedTuple):
    """Content of the unpacked file of a log.

    Attributes
    ----------
    jobs : int
        Job lines.
    size : int
        Bytes.
    sha256 : str
        Digest (hex).
    """

    jobs: int
    size: int
    sha256: str


class ArchiveLog(NamedTuple):
    """One log of the archive.

    Attributes
    ----------
    name : str
        Name for people.
    version : str
        What follows it in the name of the file: year, version, and whether it is cleaned.
    folder : str
        Folder of the file in the archive.
    content : Content or None
        What must come out of a download; None if that is not known here.
    """

    name: str
    version: str
    folder: str
    content: Content | None = None

    @property
    def file(self) -> str:
        """File name of the log in the archive.

        >>> find_log("KTH-SP2").file
        'KTH-SP2-1996-2.1-cln.swf.gz'
        """
        return f"{self.name}-{self.version}.swf.gz"

    def url(self, base: str) -> str:
        """Address of its file in the archive or a mirror; a base ending in .gz is the file's."""
        return base if base.endswith(".gz") else f"{base.rstrip('/')}/{self.folder}/{self.file}"


def _listed() -> Iterator[ArchiveLog]:
    """Yield the logs that the table beside this module lists."""
    text = resources.files("swfx.archive").joinpath("logs.csv").read_text("ascii")
    for row in csv.DictReader(text.splitlines()):
        digest = row["sha256"]
        content = Content(int(row["jobs"]), int(row["bytes"]), digest) if digest else None
        yield ArchiveLog(row["name"], row["version"], row["folder"], content)


LOGS: tuple[ArchiveLog, ...] = tuple(_listed())
"""Logs of the archive, first those whose content is known, then the others, each by name."""


def find_log(name: str) -> ArchiveLog:
    """Return the log of this name, in any case, or of this file's name with or without suffix.

    Raises
    ------
    InputError
        There is none; the message has the nearest name.
    """
    wanted = name.lower().removesuffix(".gz").removesuffix(".swf")
    for log in LOGS:
        if wanted in (log.name.lower(), log.file.lower().removesuffix(".swf.gz")):
            return log
    names = [log.name for log in LOGS]
    raise InputError(
        f"the archive has no log that is named {name!r} here",
        source="archive",
        remedy=nearest(name, names, "utilitysched fetch"),
    )


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
