"""Log formats by name, and what importing a log gives.

An importer is a frozen dataclass whose fields are its options, with a method
``read(data, name) -> Imported``. A log and its format are written ``NAME[,key=value,...]:FILE``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from swfx.accounting.imported import Imported
from swfx.accounting.text import LogText
from swfx.base.configured import Configured
from swfx.base.registry import Registry
from swfx.header import ENCODING

__all__ = ["IMPORTERS", "Imported", "Importer", "LineImporter", "cells_of", "format_of"]


class Importer(Configured, ABC):
    """Base of the log formats; options are dataclass fields."""

    LISTED = "utilitysched list formats"

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first lines of a file are those of a log of this format.

        Parameters
        ----------
        lines : sequence of str
            One or more, none of which is blank; the last may be cut off.
        """
        del lines
        return False

    def read_pieces(self, pieces: Iterable[bytes], name: str) -> Imported:
        """Jobs of a log that arrives in pieces; see `read`."""
        return self.read(b"".join(pieces), name)

    def every_run(self) -> Self:
        """Return an importer that leaves out no run of a job that ran more than once, if it can."""
        return self

    @abstractmethod
    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of a log.

        Parameters
        ----------
        data : bytes
            The log, unpacked.
        name : str
            What to call it in messages.

        Raises
        ------
        InputError
            If it is no log of this format, or no job of it can be kept. Single records that cannot
            be read are dropped, and listed in the report.
        """


class LineImporter(Importer):
    """Base of the formats that are read line by line, and need not be held as a whole."""

    def read_pieces(self, pieces: Iterable[bytes], name: str) -> Imported:
        """Jobs of a log that arrives in pieces; see `read`."""
        return self.read_text(LogText(pieces, name))

    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of a log."""
        return self.read_text(LogText((data,), name))

    @abstractmethod
    def read_text(self, text: LogText) -> Imported:
        """Jobs of a log.

        Raises
        ------
        InputError
            As `read`.
        """


_MOST_ABOVE = 40
"""Lines of something else that may be above a log."""

IMPORTERS: Registry[Importer] = Registry("log format", "swfx.formats", "swfx.families.formats")
"""Log formats by name."""


def format_of(head: bytes) -> str | None:
    """Name the format of a log by its first bytes; None where no importer recognises them.

    Examples
    --------
    >>> format_of(b"JobID|User|Submit|Start|End"), format_of(b"; Version: 2.2")
    ('slurm', None)
    """
    return recognised(head)[0]


def recognised(head: bytes) -> tuple[str | None, int]:
    r"""Name the format of a log by its first bytes, and count the lines of something else above it.

    Examples
    --------
    >>> recognised(b"Welcome to hpc1!\n\nJobID|User|Submit|Start|End\n")
    ('slurm', 2)
    """
    text = head.decode(*ENCODING).removeprefix("\ufeff")
    numbered = [(n, line.rstrip("\r")) for n, line in enumerate(text.split("\n")) if line.strip()]
    known = sorted(IMPORTERS.members().items())
    for first, (above, _) in enumerate(numbered[:_MOST_ABOVE]):
        lines = [line for _, line in numbered[first:]]
        for name, importer in known:
            if importer.recognises(lines):
                return name, above
    return None, 0


def cells_of(line: str) -> frozenset[str]:
    """Words of a line of column names, in small letters; none of a line of JSON."""
    if line.lstrip()[:1] in {"{", "["}:
        return frozenset()
    return frozenset(re.split(r"[^\w%.]+", line.casefold()))
