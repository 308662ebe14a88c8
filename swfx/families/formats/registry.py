"""Log formats by name, and what importing a log gives.

An importer is a frozen dataclass whose fields are its options, with a method
``read(data, name) -> Imported``. A log and its format are written ``NAME[,key=value,...]:FILE``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import NamedTuple, Self

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.placed import placed_of
from swfx.accounting.segments import RunSegments
from swfx.accounting.text import LogText
from swfx.base.columns import Ints
from swfx.base.configured import Configured
from swfx.base.registry import Registry
from swfx.fields import MISSING
from swfx.header import ENCODING
from swfx.reading.cleaning import no_job_left
from swfx.reading.report import LoadReport, Rule
from swfx.workload import Workload

__all__ = [
    "IMPORTERS",
    "Imported",
    "Importer",
    "LineImporter",
    "cells_of",
    "format_of",
    "imported",
]


class Imported(NamedTuple):
    """The jobs of a log, before cleaning.

    Attributes
    ----------
    workload : Workload
        Jobs in the order of submission.
    report : LoadReport
        What happened to every record of the log.
    line : ndarray of int64, shape (n,)
        Line of the log that each job stands on.
    segments : RunSegments or None
        Every run of every job, where the log tells of several.
    """

    workload: Workload
    report: LoadReport
    line: Ints
    segments: RunSegments | None = None


class Importer(Configured, ABC):
    """Base of the log formats; options are dataclass fields."""

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether a file is a log of this format, as far as its first lines tell.

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


EARLY_START = Rule(
    "start-before-submission",
    "repaired",
    "the job started before it was submitted: it counts as submitted when it started",
)

IMPORTERS: Registry[Importer] = Registry("log format", "swfx.formats", "swfx.families.formats")
"""Log formats by name."""


def format_of(head: bytes) -> str | None:
    """Name the format of a log by its first bytes; None where no importer recognises them.

    Examples
    --------
    >>> format_of(b"JobID|User|Submit|Start|End"), format_of(b"; Version: 2.2")
    ('slurm', None)
    """
    lines = [line for line in head.decode(*ENCODING).split("\n") if line.strip()]
    known = sorted(IMPORTERS.members().items()) if lines else []
    return next((name for name, importer in known if importer.recognises(lines)), None)


def cells_of(line: str) -> frozenset[str]:
    """Words of a line of column names, in small letters, whatever stands between them."""
    return frozenset(re.split(r"[^\w%.]+", line.casefold()))


def imported(
    jobs: JobColumns,
    listing: Listing,
    *,
    header_lines: Iterable[str] = (),
    zone: tzinfo | None = None,
    segments: RunSegments | None = None,
) -> Imported:
    """Make the result of an importer.

    Parameters
    ----------
    jobs : JobColumns
        Jobs that are kept, in the order of the log; they are used up.
    listing : Listing
        All other records, and what there is to say about those of the jobs.
    header_lines : iterable of str
        What the workload's header says after the times.
    zone : tzinfo, optional
        Time zone of the log; None where `LogJob.submit` is no Unix time.
    segments : RunSegments, optional
        Every run of every job, on the clock of `LogJob.submit`.

    Raises
    ------
    InputError
        If no job is kept.
    """
    early = (jobs["wait"] < 0) & (jobs["wait"] != MISSING)
    listing.add_all(jobs["line"][early], EARLY_START)
    jobs.put("submit", jobs["submit"] + np.where(early, jobs["wait"], 0.0))
    jobs.put("wait", np.where(early, 0.0, jobs["wait"]))
    report = listing.report(len(jobs))
    if not len(jobs):
        raise no_job_left(report)
    workload, line, start = placed_of(jobs, header_lines, zone)
    return Imported(workload, report, line, segments and segments.since(start))
