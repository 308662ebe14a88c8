"""Accounting of LSF: the file lsb.acct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import unix_time
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob, waited
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import numbered
from swfx.accounting.quantities import number, per_processor, whole
from swfx.accounting.record_error import NOT_A_NUMBER, TOO_FEW_FIELDS, RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, imported
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.record import NEVER_STARTED
from swfx.slurm.states import status_of

__all__ = ["Lsf"]

NOT_A_JOB = Rule("not-a-job", "dropped", "the record is of no job that has finished")
FINISHED = '"JOB_FINISH"'

_BEFORE_HOSTS = (
    "event", "version", "eventTime", "jobId", "userId", "options", "numProcessors", "submitTime",
    "beginTime", "termTime", "startTime", "userName", "queue", "resReq", "dependCond",
    "preExecCmd", "fromHost", "cwd", "inFile", "outFile", "errFile", "jobFile",
)  # fmt: skip
_BEHIND_HOSTS = (
    "jStatus", "hostFactor", "jobName", "command", "ru_utime", "ru_stime", *["other usage"] * 17,
    "mailUser", "projectName", "exitStatus", "maxNumProcessors", "loginShell", "timeEvent", "idx",
    "maxRMem", "maxRSwap", "inFileSpool", "commandSpool", "rsvId", "sla", "exceptMask",
    "additionalInfo", "exitInfo", "warningAction", "warningTimePeriod", "chargedSAAP",
    "licenseProject", "app", "postExecCmd", "runtimeEstimation", "jobGroupName", "requeueEvalues",
    "options2", "resizeNotifyCmd", "lastResizeTime", "rsvId", "jobDescription",
)  # fmt: skip
_NEEDED = _BEHIND_HOSTS.index("projectName") + 1

_FIELD = re.compile(r'"(?:[^"]|"")*"|[^" ]+')
"""A text in quotes, in which a quote is written twice, or a number or name."""

_COUNT = re.compile(r"[0-9]{1,7}")
_SLOTS = re.compile(r"([0-9]{1,7})\*.+", re.DOTALL)
_AMOUNT = re.compile(r"-?[0-9]{1,15}")
_OF_HOSTS = (6, 5)
"""Fields that tell what was used on a host: as files have them, and as the manual has them."""

_DONE, _EXITED = "64", "32"
_STATES = {
    "1": "PREEMPTED", "2": "PREEMPTED", "3": "PREEMPTED", "31": "PREEMPTED",
    "5": "TIMEOUT", "12": "TIMEOUT", "6": "DEADLINE",
    "8": "CANCELLED by user", "14": "CANCELLED by user",
    "9": "CANCELLED by another", "15": "CANCELLED by another",
    "16": "OUT_OF_MEMORY", "20": "OUT_OF_MEMORY",
    "19": "NODE_FAIL", "26": "NODE_FAIL", "28": "LAUNCH_FAILED",
}  # fmt: skip
"""States of jobs that exited, by exitInfo; FAILED by any other."""


class _Record(NamedTuple):
    """A finished job: values by name, entries of the hosts it ran on, and its limit (s) or -1."""

    line: int
    values: dict[str, str]
    hosts: list[str]
    limit: float


@IMPORTERS.register("lsf")
@dataclass(frozen=True)
class Lsf(LineImporter):
    """Accounting file of LSF (lsb.acct): one finished job a line.

    Parameters
    ----------
    timezone : ZoneInfo
        What the header says; the times themselves are Unix times.

    References
    ----------
    IBM Spectrum LSF 10.1 configuration reference: lsb.acct. Files have the run limit before
    options3, not behind it.
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first lines are records."""
        return any(line.startswith(FINISHED) for line in lines)

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an accounting file."""
        listing = Listing(text.name)
        builder = _Builder(listing)
        written = ((n, line) for n, line in enumerate(text, 1) if line.strip())
        jobs = JobColumns(job for n, line in written if (job := builder.job(n, line)))
        listing.count(text.lines, listing.records)
        header_lines = (" Conversion: from accounting of LSF", *builder.names.header_lines())
        jobs = numbered(jobs, listing)
        return imported(jobs, listing, header_lines=header_lines, zone=self.timezone)


class _Builder:
    """Makes jobs of records, and lists the others."""

    def __init__(self, listing: Listing) -> None:
        self.names = JobNames(group="project", executable="job_name")
        self._listing = listing

    def job(self, line: int, text: str) -> LogJob | None:
        """Job that a line tells of; None if it cannot be kept."""
        self._listing.records += 1
        if not text.startswith(FINISHED):
            self._listing.add(line, NOT_A_JOB)
            return None
        try:
            job = self._job(_record(line, text))
        except RecordError as error:
            self._listing.refuse(line, error)
            return None
        return job if within_limit(job, self._listing) else None

    def _job(self, record: _Record) -> LogJob:
        values, names = record.values, self.names
        start, end, submit = (
            unix_time(values[key], key) for key in ("startTime", "eventTime", "submitTime")
        )
        if start is None or end is None:
            raise RecordError(NEVER_STARTED, values["startTime"], "startTime")
        asked = self._whole(record, "numProcessors")
        processors = sum(map(_slots, record.hosts)) or MISSING
        size = processors if processors > 0 else asked
        state = _state(values)
        nodes = len(set(map(_host, record.hosts))) or MISSING
        return LogJob(
            record.line,
            start if submit is None else submit,
            run=end - start,
            processors=processors,
            wait=waited(submit, start),
            job_id=whole(values["jobId"], "jobId"),
            cpu_time=self._used(record, ("ru_utime", "ru_stime"), size),
            memory=self._used(record, ("maxRMem",), size) or MISSING,
            requested_processors=asked or MISSING,
            requested_time=record.limit,
            status=status_of(state),
            user=names.user.number(values["userName"]),
            group=names.group.number(values["projectName"]),
            executable=names.executable.number(values["jobName"] or values["command"]),
            queue=names.queue.number(values["queue"]),
            extra={"tres/node": nodes, **names.extra(state=state)},
        )

    def _whole(self, record: _Record, name: str) -> int:
        return int(self._listing.or_unknown(record.line, partial(whole, record.values[name], name)))

    def _used(self, record: _Record, names: Sequence[str], processors: int) -> float:
        """Sum of amounts that were used, over the processors; -1 where one is unknown."""
        amounts = [
            self._listing.or_unknown(record.line, partial(number, record.values[name], name))
            for name in names
            if name in record.values
        ]
        known = len(amounts) == len(names) and min(amounts) >= 0
        return per_processor(sum(amounts), processors) if known else MISSING


def _record(line: int, text: str) -> _Record:
    fields = _FIELD.findall(text)
    if text.count('"') % 2:
        raise RecordError(TOO_FEW_FIELDS, text)
    hosts, place = _list_at(fields, _list_at(fields, len(_BEFORE_HOSTS))[1])
    behind = fields[place : place + len(_BEHIND_HOSTS)]
    if len(behind) < _NEEDED:
        raise RecordError(TOO_FEW_FIELDS, text)
    values = dict(zip(_BEHIND_HOSTS, map(_unquoted, behind), strict=False))
    values |= dict(zip(_BEFORE_HOSTS, map(_unquoted, fields), strict=False))
    return _Record(line, values, hosts, _limit(fields[place + len(_BEHIND_HOSTS) :]))


def _unquoted(field: str) -> str:
    return field[1:-1].replace('""', '"') if field[0] == '"' else field


def _list_at(fields: Sequence[str], place: int) -> tuple[list[str], int]:
    """Read a number of fields, and these fields; give the place behind them, too."""
    behind = place + 1 + _count_at(fields, place)
    return [_unquoted(field) for field in fields[place + 1 : behind]], behind


def _count_at(fields: Sequence[str], place: int) -> int:
    if place >= len(fields):
        raise RecordError(TOO_FEW_FIELDS, f"{len(fields)}")
    if not _COUNT.fullmatch(fields[place]):
        raise RecordError(NOT_A_NUMBER, fields[place])
    return int(fields[place])


def _limit(rest: Sequence[str]) -> float:
    """Read the run limit (s), which stands behind two lists; -1 for none.

    It is followed by two numbers and the effective resource request.
    """
    try:
        place = 1 + 2 * _count_at(rest, 0)
        hosts = _count_at(rest, place)
    except RecordError:
        return MISSING
    for of_a_host in _OF_HOSTS:
        first = place + 1 + of_a_host * hosts
        *numbers, request = (*rest[first : first + 4], "")[:4]
        are_numbers = len(numbers) == 3 and all(map(_AMOUNT.fullmatch, numbers))
        if are_numbers and request.startswith('"'):
            limit = float(numbers[0])
            return limit if limit > 0 else MISSING
    return MISSING


def _slots(host: str) -> int:
    """Slots of an entry of the list of hosts: `n1` or `16*n1`."""
    several = _SLOTS.fullmatch(host)
    return int(several[1]) if several else 1


def _host(entry: str) -> str:
    """Name of the host of such an entry."""
    return entry.rpartition("*")[2]


def _state(values: dict[str, str]) -> str:
    if values["jStatus"] == _EXITED:
        return _STATES.get(values.get("exitInfo", ""), "FAILED")
    return "COMPLETED" if values["jStatus"] == _DONE else ""
