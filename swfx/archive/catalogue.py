"""The logs of the Parallel Workloads Archive, and the digests that downloads must have."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from swfx.base.errors import InputError
from swfx.base.options import nearest

__all__ = ["ARCHIVE", "LOGS", "ArchiveLog", "Content", "find_log"]

ARCHIVE = "http://www.cs.huji.ac.il/labs/parallel/workload"
"""Where the archive is (Feitelson, Tsafrir, Krakov, J. Parallel Distrib. Comput. 74(10), 2014)."""


class Content(NamedTuple):
    """What is in a log's file once it is unpacked.

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
        remedy=nearest(name, names),
    )
