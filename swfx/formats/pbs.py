"""Accounting logs of PBS, PBS Professional and Torque."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import zone_option
from swfx.accounting.jobs import CANCELLED, COMPLETED, FAILED, UNKNOWN, LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.malformed import NOT_A_DATE, TOO_FEW_FIELDS, Malformed
from swfx.accounting.names import Names
from swfx.accounting.quantities import number, whole
from swfx.accounting.text import lines_of
from swfx.formats.pbs_resources import allocated, kilobytes, requested, seconds
from swfx.formats.registry import IMPORTERS, Imported, Importer, imported
from swfx.report import Rule
from swfx.segments import Segment, Segments

__all__ = ["Pbs"]

NOT_A_JOB = Rule("not-a-job", "dropped", "the record is about a reservation, licence or node")
ARRAY = Rule("array", "folded", "the record is about a whole job array: its members count")
OTHER_RECORD = Rule("other-record", "folded", "the job stands on another line")
NEVER_STARTED = Rule("never-started", "dropped", "the log does not say that the job started")
NEVER_ENDED = Rule("never-ended", "dropped", "the log does not say that the job ended")
RERUN = Rule("rerun", "noted", "the job ran more than once: the last run counts")

STARTS, STOPS, ENDS = "ST", "RCEA", "EA"
"""Types of records: started, restarted; rerun, checkpointed and held, ended, aborted."""
JOB_TYPES = "QD" + STARTS + STOPS

_RECORD = re.compile(r"([0-9/]{10} [0-9:]{8});([A-Za-z]);([^;]+)(?:;(.*))?")
_KEY = re.compile(r"(?:^|\s)([A-Za-z_][A-Za-z0-9_.]*)=")
_JOB_NUMBER = re.compile(r"([0-9]{1,15})(?![0-9])")
_RESOURCES = "Resource_List."
_TIMES = ("ctime", "qtime", "etime", "start", "end")


class Record(NamedTuple):
    """One line of the log; times are Unix times (s), those of `_TIMES` by their names."""

    line: int
    written: float
    kind: str
    job: str
    values: dict[str, str]
    times: dict[str, float]


class Run(NamedTuple):
    """One run of a job (Unix times, s), and the record that ended it."""

    start: float
    end: float
    record: Record


class Kept(NamedTuple):
    """A job and its runs."""

    job: LogJob
    runs: list[Run]


@IMPORTERS.register("pbs")
@dataclass(frozen=True)
class Pbs(Importer):
    """Accounting log of PBS, PBS Professional or Torque (server_priv/accounting).

    Files of several days may be joined. A job is kept if the log says that it started and ended.

    Parameters
    ----------
    timezone : ZoneInfo
        Of the dates that records begin with; these count only where a record has no Unix times.

    References
    ----------
    Torque administrator guide, "Accounting records"; PBS Professional reference guide, "Accounting
    log".
    """

    timezone: ZoneInfo = zone_option()

    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of an accounting log."""
        lines = lines_of(data, name)
        listing = Listing()
        written = [(n, text) for n, text in enumerate(lines, 1) if text.strip()]
        by_job: dict[str, list[Record]] = {}
        for record in _records(written, self.timezone, listing):
            by_job.setdefault(record.job, []).append(record)
        builder = _Builder(listing)
        kept = [job for records in by_job.values() if (job := builder.job(records))]
        kept, notes = _numbered(kept)
        result = imported(
            [job for job, _ in kept],
            listing,
            source=name,
            lines=(len(lines), len(lines) - len(written), len(written)),
            header_lines=builder.header_lines(),
            zone=self.timezone,
            notes=notes,
        )
        return result._replace(segments=_segments(kept, result))


class _Builder:
    """Makes jobs from their records."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._users, self._groups, self._queues = Names("User"), Names("Group"), Names("Queue")

    def header_lines(self) -> tuple[str, ...]:
        names = (self._users, self._groups, self._queues)
        return tuple(line for kind in names for line in kind.header_lines())

    def job(self, records: Sequence[Record]) -> Kept | None:
        """Job that these records tell of, None if it cannot be kept; lists all of them."""
        runs = _runs(records)
        final = runs[-1].record if runs else records[-1]
        for record in records:
            if record is not final:
                self._listing.add(record.line, OTHER_RECORD)
        ended = bool(runs) and final.kind in ENDS
        if not ended:
            started = any(record.kind in STARTS + STOPS for record in records) and runs
            self._listing.add(final.line, NEVER_ENDED if started else NEVER_STARTED)
            return None
        ...
