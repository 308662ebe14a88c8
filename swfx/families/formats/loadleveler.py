"""History of IBM LoadLeveler, as `llsummary -l` lists it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from swfx.accounting.builder import Record
from swfx.accounting.fields import Declaration, Label, LogField
from swfx.accounting.imported import built
from swfx.accounting.jobs import waited
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import duration, memory, per_processor, read_cores, whole
from swfx.accounting.record_error import NOT_A_DATE, RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.reading.report import Rule

__all__ = ["Dates", "LoadLeveler", "LoadLevelerStep", "steps_of"]

NEVER_STARTED = Rule("never-started", "dropped", "the step has no date of dispatch")
NEVER_ENDED = Rule("never-ended", "dropped", "the step has no date of completion")
RESTARTED = Rule("restarted", "noted", "the step started more than once: only its last run is here")

CANCELLED_STATES = {"Removed", "Canceled", "Cancelled"}

_SUBMISSIONS, _ENDS = ("Queue Date",), ("Completion Date",)
_STARTS = ("Dispatch Time", "Start Time", "Start Date")
_STEP_ID = re.compile(r".*\.([0-9]{1,15})\.[0-9]{1,9}")
_SECONDS = re.compile(r".*\(([0-9]{1,12}) seconds\)")
_CPUS = re.compile(r"ConsumableCpus\(\s*([0-9]{1,6})\s*\)")
_MEMORY = re.compile(r"ConsumableMemory\(([^()]*)\)")

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = r"(?P<day>\d\d?)"
_MONTH = r"(?P<month>[A-Z][a-z][a-z])"
_YEAR = r"(?P<year>\d{4})"
_TIME = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?: (?P<half>[AP]M))?"
_ZONE = r"(?: (?P<zone>[A-Z+-]\S*))?"
_FORMS = tuple(
    re.compile(rf"(?:[A-Z][a-z][a-z] )?{form}", re.ASCII)
    for form in (
        rf"{_MONTH} {_DAY} {_TIME}{_ZONE} {_YEAR}",
        rf"{_DAY} {_MONTH} {_YEAR} {_TIME}{_ZONE}",
    )
)

_JOB = re.compile(r"={5,} Job [^ ]+ ={5,}")
_STEP = re.compile(r"[-=]{5,} (?:Job )?Step [^ ]+ [-=]{5,}")
_ENTRY = re.compile(r"\s*([A-Za-z][^:]*?)\s*:(?:\s+(.*))?")
_COUNT = re.compile(r"[0-9]{1,6}")
_IN_BRACKETS = re.compile(r"\([^()]*\)")

MASTER = "Master Task"
SECTIONS = ("Node", MASTER, "Task")


@IMPORTERS.register("loadleveler")
@dataclass(frozen=True)
class LoadLeveler(LineImporter):
    """History of IBM LoadLeveler, as `llsummary -l` lists it: every job step is a job.

    Parameters
    ----------
    timezone : ZoneInfo
        Of the dates. Their own abbreviations (CDT) are not unique, and only tell summer from winter
        time where clocks go back.
    cores_per_node : int
        What a step occupies of each of its nodes where it shares none (`Node Usage: not_shared`).
        With 0 a step has one processor per task, or as many as its tasks asked for.

    References
    ----------
    IBM LoadLeveler, Using and Administering: llsummary.
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))
    cores_per_node: int = option(read_cores, 0)

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first lines list a job step."""
        return any(line.lstrip().startswith("Job Step Id:") for line in lines)

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a log."""
        listing = Listing(text.name)
        records = self._records(text, listing)
        return built(self._declaration(), records, text, listing, self.timezone)

    def _declaration(self) -> Declaration:
        return Declaration(
            times=(("submit", "start", "end"), _times),
            fields={
                "job_id": LogField(("Job Step Id",), _number),
                "processors": LogField(_SIZES, self._processors, needed=True),
                "requested_processors": LogField(_SIZE_REQUESTED, _partition, needed=True),
                "cpu_time": LogField(_CPU_TIMES, _cpu, ("processors",), needed=True),
                "requested_time": LogField(("Wall Clk Hard Limit",), _limit, needed=True),
                "requested_memory": LogField(("Resources",), _requested_memory, needed=True),
            },
            labels={
                "user": Label(("Owner",)),
                "group": Label(("Unix Group",)),
                "executable": Label(("Executable", "Cmd")),
                "queue": Label(("Class",)),
                "state": Label(("state",)),
            },
            noted={RESTARTED: LogField(("starts",), lambda starts: starts - 1)},
        )

    def _records(self, text: LogText, listing: Listing) -> Iterator[Record]:
        """Yield the entries of each step, with Unix times."""
        dates = Dates(self.timezone)
        for step in steps_of(text):
            listing.records += 1
            try:
                told = _told(step.values, dates)
                yield step.line, {**step.values, **told, "hosts": step.hosts, "tasks": step.tasks}
            except RecordError as error:
                yield step.line, error
        if not listing.records:
            raise InputError(
                "lists no job step", source=text.name, remedy="give what llsummary -l prints"
            )
        if dates.strange_zones:
            strange = ", ".join(sorted(dates.strange_zones))
            listing.note(f"dates that say {strange} are read as of {dates.zone}")

    def _processors(  # noqa: PLR0913, PLR0917 - one for each column
        self,
        partition: str,
        size: str,
        usage: str,
        kind: str,
        resources: str,
        hosts: int,
        tasks: int,
    ) -> float | None:
        """Count processors: of a Blue Gene partition, of nodes that are not shared, or of tasks."""
        blue_gene = _partition(partition, size) or 0
        if blue_gene > 0:
            return blue_gene
        if self.cores_per_node and hosts and usage == "not_shared":
            return hosts * self.cores_per_node
        return (tasks or (1 if kind == "Serial" else hosts)) * _cpus(resources) or None


_SIZE_REQUESTED = ("BG Size Requested", "Size Requested")
_CPU_TIMES = ("Step User Time", "Step System Time")
_SIZES = (
    "BG Size Allocated", "Size Allocated", "Node Usage", "Step Type", "Resources", "hosts", "tasks"
)  # fmt: skip


def _told(values: Mapping[str, str], dates: Dates) -> dict[str, Any]:
    """Return times of a step (Unix times, s; None if unknown), how often it started, and its state.

    Raises
    ------
    RecordError
        An entry cannot be read, or the step did not start and end.
    """

    def first(keys: Sequence[str]) -> float | None:
        key = next((key for key in keys if values.get(key)), None)
        return None if key is None else dates.instant(values[key], key)

    start = first(_STARTS)
    if start is None:
        raise RecordError(NEVER_STARTED, values.get("Status", ""))
    end = first(_ENDS)
    if end is None:
        raise RecordError(NEVER_ENDED, values.get("Status", ""))
    return {
        "submit": first(_SUBMISSIONS),
        "start": start,
        "end": end,
        "starts": whole(values.get("Start Count") or "1", "Start Count"),
        "state": _state(values.get("Status", ""), values.get("Completion Code", "")),
    }


def _times(submit: float | None, start: float, end: float) -> tuple[float, float, float]:
    return start if submit is None else submit, waited(submit, start), end - start


def _number(step: str) -> float | None:
    match = _STEP_ID.fullmatch(step)
    return int(match[1]) if match else None


def _partition(of_job: str, of_step: str) -> float | None:
    """Size of a Blue Gene partition."""
    text = of_job or of_step
    return whole(text, "Size") if text else None


def _cpus(resources: str) -> int:
    """Processors that each task asked for, 1 if it did not say."""
    match = _CPUS.search(resources)
    return int(match[1]) if match else 1


def _cpu(user: str, system: str, processors: float) -> float | None:
    """Mean processor time per processor (s) of user and system."""
    times = [duration(text.replace("+", "-"), "Step User Time") for text in (user, system)]
    known = [time for time in times if time is not None]
    return per_processor(sum(known), processors) if len(known) == len(times) else None


def _limit(text: str) -> float | None:
    """Time (s) of `1+00:30:00 (88200 seconds)` or `00:30:00`."""
    spelt_out = _SECONDS.fullmatch(text)
    if spelt_out:
        return float(spelt_out[1])
    return None if text == "undefined" else duration(text.replace("+", "-"), "Wall Clk Hard Limit")


def _requested_memory(resources: str) -> float | None:
    """Memory that each task asked for, per processor (KB)."""
    match = _MEMORY.search(resources)
    size = memory(match[1], "ConsumableMemory") if match else None
    return None if size is None else size.kilobytes / _cpus(resources)


def _state(status: str, code: str) -> str:
    """Name of Slurm for how a step ended; empty if it does not say."""
    if status in CANCELLED_STATES:
        return "CANCELLED"
    if status != "Completed":
        return "FAILED" if status else ""
    return "COMPLETED" if not code or whole(code, "Completion Code") == 0 else "FAILED"


@dataclass
class LoadLevelerStep:
    """A job step: where it stands, its values by key, and the hosts and tasks of all its nodes.

    Of a key that is there several times the first value counts; those of its job are there, too.
    """

    line: int
    values: dict[str, str]
    hosts: int = 0
    tasks: int = 0

    def enter(self, section: str, key: str, value: str) -> None:
        """Take in a line of a section."""
        if key in {"Allocated Host", "Allocated Hosts"}:
            hosts = _IN_BRACKETS.sub("", value).split(",")
            self.hosts += sum(bool(host.strip()) for host in hosts)
        elif key == "Num Task Inst" and section != MASTER and _COUNT.fullmatch(value):
            self.tasks += int(value)
        else:
            self.values.setdefault(key, value)


def steps_of(lines: Iterable[str]) -> Iterator[LoadLevelerStep]:
    """Find the job steps of a listing, in its order.

    A step begins with a line such as ``------ Step host.17.0 ------``, a job with
    ``====== Job host.17 ======``. A line that begins with a plus goes on listing hosts.
    """
    of_job: dict[str, str] = {}
    step: LoadLevelerStep | None = None
    section = ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        begins_step = _STEP.fullmatch(text)
        if begins_step or _JOB.fullmatch(text):
            if step:
                yield step
            of_job = of_job if begins_step else {}
            step = LoadLevelerStep(number, dict(of_job)) if begins_step else None
            section = ""
        elif text in SECTIONS:
            section = text
        elif text.startswith("+ ") and step:
            step.enter(section, "Allocated Hosts", text[2:])
        elif entry := _ENTRY.fullmatch(line):
            key, value = entry[1], (entry[2] or "").strip()
            if step:
                step.enter(section, key, value)
            else:
                of_job[key] = value
    if step:
        yield step


class Dates:
    """Reader of dates, all of one time zone.

    Parameters
    ----------
    zone : ZoneInfo
        Of the dates. `UTC` and `GMT` in a date overrule it; other abbreviations are not unique, and
        only say which of two instants is meant where clocks went back.

    Attributes
    ----------
    strange_zones : set of str
        Abbreviations met that the zone does not have at that time.

    Examples
    --------
    >>> dates = Dates(ZoneInfo("America/Chicago"))
    >>> dates.instant("Tue Jul 24 10:19:37 CDT 2007", "Queue Date")
    1185290377.0
    >>> dates.instant("Sun 04 Nov 2007 01:30:00 AM CST", "Queue Date")
    1194161400.0
    """

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self.strange_zones: set[str] = set()

    def instant(self, text: str, field: str) -> float:
        """Unix time (s) of a date.

        Raises
        ------
        RecordError
            It is none, or one that does not exist.
        """
        words = " ".join(text.split())
        match = next((m for form in _FORMS if (m := form.fullmatch(words))), None)
        if match is None or match["month"] not in _MONTHS:
            raise RecordError(NOT_A_DATE, text, field)
        try:
            return self._placed(_plain(match), match["zone"]).timestamp()
        except (ValueError, OverflowError):
            raise RecordError(NOT_A_DATE, text, field) from None

    def _placed(self, when: datetime, abbreviation: str | None) -> datetime:
        if abbreviation in {"UTC", "GMT"}:
            return when.replace(tzinfo=UTC)
        first, second = (when.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        if abbreviation not in {None, first.tzname(), second.tzname()}:
            self.strange_zones.add(str(abbreviation))
        return second if abbreviation == second.tzname() != first.tzname() else first


def _plain(match: re.Match[str]) -> datetime:
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    return datetime(
        int(match["year"]),
        _MONTHS.index(match["month"]) + 1,
        int(match["day"]),
        hour,
        int(match["minute"]),
        int(match["second"]),
    )
