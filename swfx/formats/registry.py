"""Log formats by name, and what importing a log gives.

An importer is a frozen dataclass whose fields are its options, with a method
``read(data, name) -> Imported``. A log and its format are written ``NAME[,key=value,...]:FILE``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import NamedTuple

from swfx.accounting.jobs import LogJob, workload_of
from swfx.accounting.listing import Listing
from swfx.accounting.record_error import BEYOND_LIMIT, RecordError
from swfx.cleaning import no_job_left
from swfx.columns import LIMIT, Ints
from swfx.configured import Configured
from swfx.fields import MISSING
from swfx.registry import Registry
from swfx.report import LoadReport, Rule
from swfx.segments import Segment, Segments
from swfx.workload import Workload

__all__ = ["IMPORTERS", "Imported", "Importer", "imported"]


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
    segments : Segments or None
        Every run of every job, where the log tells of several.
    """

    workload: Workload
    report: LoadReport
    line: Ints
    segments: Segments | None = None


class Importer(Configured, ABC):
    """Base of the log formats; options are dataclass fields."""

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


EARLY_START = Rule(
    "start-before-submission",
    "repaired",
    "the job started before it was submitted: its wait is unknown",
)

IMPORTERS: Registry[Importer] = Registry("log format", "swfx.formats")
"""Log formats by name."""


def imported(
    jobs: Sequence[LogJob],
    listing: Listing,
    *,
    header_lines: Iterable[str] = (),
    zone: tzinfo | None = None,
    segments: Iterable[Segment] | None = None,
) -> Imported:
    """Make the result of an importer.

    Parameters
    ----------
    jobs : sequence of LogJob
        Jobs that are kept, in the order of the log.
    listing : Listing
        All other records, and what there is to say about those of the jobs.
    header_lines : iterable of str
        What the workload's header says after the times.
    zone : tzinfo, optional
        Time zone of the log; None where `LogJob.submit` is no Unix time.
    segments : iterable of Segment, optional
        Every run of every job, on the clock of `LogJob.submit`.

    Raises
    ------
    InputError
        If no job is kept.
    """
    kept = [_in_order(job, listing) for job in jobs if _within_limit(job, listing)]
    report = listing.report(len(kept))
    if not kept:
        raise no_job_left(report)
    workload, line, start = workload_of(kept, header_lines, zone)
    runs = None if segments is None else Segments.of(segments, start)
    return Imported(workload, report, line, runs)


def _within_limit(job: LogJob, listing: Listing) -> bool:
    """Whether a workload can hold the numbers of a job; if not it is listed."""
    for name, value in zip(job._fields, job, strict=True):
        if isinstance(value, int | float) and abs(value) > LIMIT:
            listing.refuse(job.line, RecordError(BEYOND_LIMIT, f"{value:.0f}", name))
            return False
    return True


def _in_order(job: LogJob, listing: Listing) -> LogJob:
    """Job whose wait is unknown if it would be negative; then it is listed."""
    if job.wait >= 0 or job.wait == MISSING:
        return job
    listing.add(job.line, EARLY_START)
    return job._replace(wait=MISSING)
