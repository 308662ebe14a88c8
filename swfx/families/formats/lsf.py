"""Accounting of LSF: the file lsb.acct."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import instant, is_no_time, unix_time
from swfx.accounting.fields import Declaration, Label, LogField, amount, count, total, unix_times
from swfx.accounting.imported import built, records_of
from swfx.accounting.listing import Listing
from swfx.accounting.outputs import blocks, flat, json_entries, opened, size_in
from swfx.accounting.quantities import duration, whole
from swfx.accounting.record_error import (
    NOT_A_DATE,
    NOT_A_NUMBER,
    STILL_RUNNING,
    STILL_WAITING,
    TOO_FEW_FIELDS,
    RecordError,
)
from swfx.accounting.text import LogText
from swfx.base import configured
from swfx.base.configured import option
from swfx.base.errors import InputError
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

_JSON = re.compile(r"[\[{]")
_JOB = re.compile(
    r"\s*Job ?<(\d+)(?:\[(\d+)\])?> ?(?:, ?Job ?Name ?<(.*?)> ?)?, ?User ?<(.*?)> ?(?=,)"
    r"(?:, ?Project ?<(.*?)> ?(?=,))?.*?, ?Status ?<([A-Z]+)> ?, ?Queue ?<(.*?)>"
)
_BEGINS = re.compile(r"\s*Job ?<\d+")
_EVENT = re.compile(
    r"^ *(\w{3} \w{3} [ \d]\d [\d:]{7,8}(?: \d{4})?): *(?:\[\d+\] *)?"
    r"(Submitted|[Dd]ispatched|Completed)(.*)", re.MULTILINE
)  # fmt: skip
_CUT = re.compile(r"\n {21}")
"""How `bacct -l` goes on with a line that it cuts at 80 columns."""

_ASKED = re.compile(r"(\d+) (?:Task\(s\)|Processors Requested)")
_HOST = re.compile(r"<([^<>]+)>")
_SUMS = re.compile(r"^ +(CPU_T .*)\n +(.*)", re.MULTILINE)
_WHY = re.compile("TERM_([A-Z_]+)")
_DATE = re.compile(
    r"(?:(?P<weekday>[A-Z][a-z]{2}) )?(?P<day>[A-Z][a-z]{2} +\d+) (?P<time>\d\d:\d\d(?::\d\d)?)"
    r"(?: (?P<year>\d{4}))?(?: [A-Z])?"
)
_KEYS_OF_BJOBS = {
    "jobId": "JOBID", "idx": "JOBINDEX", "userName": "USER", "projectName": "PROJ_NAME",
    "queue": "QUEUE", "jobName": "JOB_NAME", "command": "COMMAND", "slots": "NALLOC_SLOT SLOTS",
    "jStatus": "STAT", "numProcessors": "NREQ_SLOT MIN_REQ_PROC", "exitInfo": "EXIT_REASON",
    "used": "CPU_USED",
    "hosts": "ALLOC_SLOT EXEC_HOST", "maxRMem": "MAX_MEM", "RUNTIMELIMIT": "RUNTIMELIMIT",
    "submitTime": "SUBMIT_TIME", "startTime": "START_TIME", "eventTime": "FINISH_TIME",
    "ran": "RUN_TIME",
}  # fmt: skip
"""Fields that `bjobs -o` prints, by those of lsb.acct; the first that is not empty counts."""

_TIMES = ("submitTime", "startTime", "eventTime")
_WAITING = frozenset({"PEND", "PSUSP", "WAIT"})

_DONE, _EXITED = frozenset({"64", "DONE"}), frozenset({"32", "EXIT"})
_ENDS = {
    "PREEMPTED": "1 2 3 31 PREEMPT WINDOW LOAD RC_RECLAIM",
    "TIMEOUT": "5 12 RUNLIMIT CPULIMIT", "DEADLINE": "6 DEADLINE",
    "CANCELLED by user": "8 14 FORCE_OWNER OWNER", "CANCELLED by another": "9 15 FORCE_ADMIN ADMIN",
    "OUT_OF_MEMORY": "16 20 MEMLIMIT SWAP", "NODE_FAIL": "19 26 ZOMBIE REMOVE_HUNG_JOB",
    "LAUNCH_FAILED": "28 PRE_EXEC_FAIL",
}  # fmt: skip
_STATES = {why: state for state, ends in _ENDS.items() for why in ends.split()}
"""States of jobs that exited, by exitInfo or its name in bjobs and bacct; FAILED by any other."""


@IMPORTERS.register("lsf")
@dataclass(frozen=True)
class Lsf(LineImporter):
    """Accounting of LSF: its file lsb.acct, or what `bacct -l` or `bjobs -json` prints.

    Parameters
    ----------
    timezone : ZoneInfo
        Of the dates of commands; times in lsb.acct are Unix times.
    year : int
        Of the first dates of commands, which tell none unless LSF is so configured.

    References
    ----------
    IBM Spectrum LSF 10.1 configuration reference: lsb.acct. Files have the run limit before
    options3, not behind it. IBM Spectrum LSF 10.1 command reference: bacct, bjobs.
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))
    year: int = configured.whole(0, (0, 9999))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first lines are records, or what commands print of jobs."""
        of_command = re.compile(r'.*"COMMAND" *: *"bjobs"|.*"JOBID" *:|\s*Job ?<\d+.*>, .*User ?<')
        return any(line.startswith(FINISHED) or of_command.match(line) for line in lines)

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a log, or of what commands print."""
        listing = Listing(text.name)
        layout, lines = opened(text, _BEGINS, _JSON)
        dates = _Dates(self.timezone, self.year, text.name)
        entries: Iterable[tuple[int, Any]] = (line for line in lines if line[1].strip())
        parse: Callable[[Any], dict[str, Any]] = _values
        if layout == 2:
            remedy = "give what bjobs -a -o 'jobid stat submit_time ...' -json prints"
            entries = json_entries(lines, text, listing, remedy, _entries)
            parse = partial(_of_bjobs, dates)
        elif layout:
            entries, parse = blocks(lines, _BEGINS), partial(_of_bacct, dates)
        records = records_of(entries, listing, parse)
        return built(_DECLARATION, records, text, listing, self.timezone)


class _Dates(NamedTuple):
    """How dates of commands are read: their time zone, their year if they tell none, their log."""

    zone: ZoneInfo
    year: int
    source: str

    def in_order(self, texts: Iterable[str]) -> dict[str, str]:
        """Return Unix times (s) of submission, start and end by field of lsb.acct."""
        times = accumulate(texts, lambda before, text: self.read(text, before), initial="")
        return dict(zip(_TIMES, [*times][1:], strict=True))

    def read(self, text: str, after: str = "") -> str:
        """Return the Unix time (s) of a date, which is not before another; empty for none."""
        match = _DATE.fullmatch(" ".join(text.split()))
        if match is None:
            return "" if is_no_time(text) or text == "-" else f"{instant(text, self.zone)}"
        weekday, day, time, year = match.groups()
        if not (year or self.year):
            raise InputError(
                f"tells dates without a year, such as {text!r}",
                source=self.source,
                remedy="say the year: lsf,year=2026:FILE",
            )
        for each in (int(year),) if year else (self.year, self.year + 1, self.year - 1):
            try:
                date = datetime.strptime(f"{each} {day} {f'{time}:00'[:8]}", "%Y %b %d %H:%M:%S")
            except ValueError:
                continue
            seconds = date.replace(tzinfo=self.zone).timestamp()
            if weekday in {None, f"{date:%a}"} and seconds >= float(after or 0):
                return f"{seconds}"
        raise RecordError(NOT_A_DATE, text)


def _entries(document: Any) -> list[Any]:
    """Return the jobs of what bjobs prints, or of a list of them."""
    jobs = document.get("RECORDS") if isinstance(document, dict) else document
    return jobs if isinstance(jobs, list) else []


def _of_bjobs(dates: _Dates, entry: Any) -> dict[str, Any]:
    """Return the values of a job that `bjobs -json` printed, as the file has them."""
    job = {key.upper(): "" if text == "-" else text for key, text in flat(entry).items()}
    values: dict[str, Any] = {
        name: next((job[key] for key in keys.split() if job.get(key)), "")
        for name, keys in _KEYS_OF_BJOBS.items()
    }
    if not (status := values["jStatus"]):
        raise RecordError(TOO_FEW_FIELDS, f"{entry}")
    if status not in _DONE | _EXITED:
        raise RecordError(STILL_WAITING if status in _WAITING else STILL_RUNNING, status)
    times = dates.in_order(values[name] for name in _TIMES)
    if times["startTime"] and (ran := _seconds(values["ran"], "RUN_TIME")) is not None:
        times["eventTime"] = f"{float(times['startTime']) + ran}"  # dates may be to the minute
    return {**values, **times, "hosts": tuple(filter(None, values["hosts"].split(":")))}


def _of_bacct(dates: _Dates, block: str) -> dict[str, Any]:
    """Return the values of a job that `bacct -l` printed, as the file has them."""
    text = _CUT.sub("", block)
    job = _JOB.match(text)
    events = {event.casefold(): (date, rest) for date, event, rest in _EVENT.findall(text)}
    if job is None or not {"submitted", "completed"} <= events.keys():
        raise RecordError(TOO_FEW_FIELDS, block)
    (submitted, request), (started, place), (ended, result) = (
        events.get(name, ("", "")) for name in ("submitted", "dispatched", "completed")
    )
    asked = _ASKED.search(request)
    place = place.partition("Effective")[0]
    sums = _SUMS.search(text)
    used = dict(zip(*(line.split() for line in sums.groups()), strict=False)) if sums else {}
    names = ("jobId", "idx", "jobName", "userName", "projectName", "jStatus", "queue")
    return {
        **dict(zip(names, job.groups(""), strict=True)),
        **dates.in_order((submitted, started, ended)),
        "exitInfo": result,
        "hosts": tuple(_HOST.findall(place.partition("Allocated")[2] or place)),
        "numProcessors": asked[1] if asked else "1",
        "used": used.get("CPU_T", ""),
        "maxRMem": used.get("MEM", "").strip("-"),
    }


def _seconds(text: str, name: str) -> float | None:
    """Length of time (s): `300 second(s)` or 00:05:00; run limits alone are minutes: 60.0/n1."""
    alone = 60.0 if name == "RUNTIMELIMIT" else 1.0
    return duration(text.partition("/")[0].removesuffix("second(s)"), name, alone=alone)


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
    if status in _EXITED:
        name = _WHY.search(why)
        return _STATES.get(name[1] if name else why, "FAILED")
    return "COMPLETED" if status in _DONE else ""


_DECLARATION = Declaration(
    origin="accounting of LSF",
    times=unix_times(*_TIMES),
    fields={
        "processors": (
            LogField(("hosts",), lambda hosts: sum(map(_slots, hosts)) or None),
            count("slots", above_zero=True),
        ),
        "requested_processors": count("numProcessors", above_zero=True),
        "cpu_time": (
            total("ru_utime", "ru_stime", of="size"),
            amount("used", of="size", read=_seconds),
        ),
        "memory": amount("maxRMem", of="size", read=size_in, above_zero=True),
        "requested_time": (
            LogField(("limit",), lambda limit: limit or None),
            amount("RUNTIMELIMIT", read=_seconds),
        ),
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
