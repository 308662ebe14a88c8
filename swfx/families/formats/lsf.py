"""Accounting of LSF: the file lsb.acct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from swfx.accounting.dates import unix_time
from swfx.accounting.fields import Declaration, Label, LogField, amount, count, total, unix_times
from swfx.accounting.imported import built, records_of, written
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import whole
from swfx.accounting.record_error import NOT_A_NUMBER, TOO_FEW_FIELDS, RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.fields import MISSING
from swfx.reading.report import Rule

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
        """Jobs of a log."""
        listing = Listing(text.name)
        records = records_of(written(text), listing, _values)
        return built(_DECLARATION, records, text, listing, self.timezone)


def _values(record: str) -> dict[str, Any]:
    """Fields of a job by name, its hosts, and its run limit (s)."""
    if not record.startswith(FINISHED):
        raise RecordError(NOT_A_JOB, record)
    fields = _FIELD.findall(record)
    if record.count('"') % 2:
        raise RecordError(TOO_FEW_FIELDS, record)
    hosts, place = _list_at(fields, _list_at(fields, len(_BEFORE_HOSTS))[1])
    behind = fields[place : place + len(_BEHIND_HOSTS)]
    if len(behind) < _NEEDED:
        raise RecordError(TOO_FEW_FIELDS, record)
    values = dict(zip(_BEHIND_HOSTS, map(_unquoted, behind), strict=False))
    values |= dict(zip(_BEFORE_HOSTS, map(_unquoted, fields), strict=False))
    limit = _limit(fields[place + len(_BEHIND_HOSTS) :])
    return {**values, "hosts": tuple(hosts), "limit": limit}


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


def _hosts(hosts: Any) -> int | None:
    """Return the number of hosts of a job, None without any."""
    return len({entry.rpartition("*")[2] for entry in hosts}) or None


def _name(job: str, element: str) -> str:
    """Name of a job; elements of an array count from 1."""
    number = f"{whole(job, 'jobId')}"
    return f"{number}[{element}]" if element not in {"", "0"} else number


def _state(status: str, why: str) -> str:
    if status == _EXITED:
        return _STATES.get(why, "FAILED")
    return "COMPLETED" if status == _DONE else ""


_DECLARATION = Declaration(
    origin="accounting of LSF",
    times=unix_times("submitTime", "startTime", "eventTime"),
    fields={
        "processors": LogField(("hosts",), lambda hosts: sum(map(_slots, hosts)) or None),
        "requested_processors": count("numProcessors", above_zero=True),
        "cpu_time": total("ru_utime", "ru_stime", of="size"),
        "memory": amount("maxRMem", of="size", above_zero=True),
        "requested_time": LogField(("limit",), float),
        "eligible": amount("beginTime", read=unix_time),
        "tres/node": LogField(("hosts",), _hosts),
    },
    labels={
        "user": Label(("userName",)),
        "project": Label(("projectName",)),
        "job_name": Label(("jobName", "command")),
        "queue": Label(("queue",)),
        "state": Label(("jStatus", "exitInfo"), _state),
    },
    means={"group": "project", "executable": "job_name"},
    job=Label(("jobId", "idx"), _name),
)
