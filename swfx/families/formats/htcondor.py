"""History of HTCondor: ClassAds of jobs that have left the queue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from swfx.accounting.dates import unix_time
from swfx.accounting.fields import Declaration, Label, LogField
from swfx.accounting.imported import Record, built, csv_records
from swfx.accounting.jobs import waited
from swfx.accounting.listing import Listing
from swfx.accounting.outputs import flat, json_entries, opened
from swfx.accounting.quantities import number, per_processor, whole
from swfx.accounting.record_error import (
    NEVER_STARTED,
    STILL_RUNNING,
    STILL_WAITING,
    RecordError,
)
from swfx.accounting.table import Columns, read_csv
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import cancelled_by

__all__ = ["HtCondor"]

NOT_A_JOB = Rule("not-a-job", "dropped", "the ClassAd has no ClusterId, QDate or JobStatus")
ON_THE_SUBMIT_MACHINE = Rule(
    "submit-machine", "dropped", "the job ran where it was submitted (local, scheduler universe)"
)
RESTARTED = Rule("restarted", "noted", "the job started more than once: only its last run is here")

_WITHOUT_SLOT = frozenset({"7", "12"})
"""Universes: scheduler, as of DAGMan, and local."""

_REMOVED, _COMPLETED, _RUNNING, _TRANSFERRING = "3", "4", "2", "6"

_HELD_FOR = {"34": "OUT_OF_MEMORY", "46": "TIMEOUT", "47": "TIMEOUT"}
"""States of jobs that were put on hold for this (HoldReasonCode), and then removed."""

_BY_USER = re.compile(r"\(by user ([^)\s]+)\)")

_STARTS = ("jobcurrentstartdate", "joblaststartdate", "jobstartdate")
_FINISHES = ("completiondate", "enteredcurrentstatus")
_TIMES = (
    "clusterid", "qdate", "jobstatus", "jobuniverse", *_STARTS, *_FINISHES, "remotewallclocktime",
    "lastremotewallclocktime",
)  # fmt: skip
_ENDS = (
    "jobstatus", "removereason", "holdreasoncode", "owner", "exitbysignal", "exitcode",
    "exitstatus",
)  # fmt: skip
"""Attributes that are read for times and states; capitals do not matter."""

_LIMITS = ("allowedjobduration", "allowedexecuteduration")
_GPUS = ("gpusprovisioned", "requestgpus")
_SIZES = ("residentsetsize_raw", "residentsetsize")

_ATTRIBUTE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*?)\s*")
_END = "***"
_JSON = re.compile(r"[\[{]")
_REMEDY = (
    "give what condor_history -long or -json prints, or name the columns of -af as they were typed:"
    " htcondor,columns=ClusterId,Owner,QDate,..."
)
_BEGINS = re.compile(
    r'.*"(GlobalJobId|QDate)" *:|(GlobalJobId|QDate) ='
    r"|(?=.*\bQDate\b)[^=]*\b(ClusterId|ID)\b[^=]*$"
    r"|\d+\.\d+\s(?=.*[A-Za-z]).*\b1\d{9}\b"
)
"""Attributes in JSON or one a line, names of columns, or a row behind the number of a job."""


def _names(text: str) -> tuple[str, ...]:
    return tuple(map(str.strip, text.split(",")))


@IMPORTERS.register("htcondor")
@dataclass(frozen=True)
class HtCondor(LineImporter):
    """History of HTCondor: its files, or `condor_history` with -long, -json, -jsonl or -af.

    Parameters
    ----------
    columns : tuple of str
        Attributes that `-af` printed, where it printed no line of them (``-af:h``); ``ID`` for the
        number of a job that ``-af:j`` begins lines with.
    timezone : ZoneInfo
        What the header says; the times themselves are Unix times.

    References
    ----------
    HTCondor manual: condor_history, "Job ClassAd Attributes".
    """

    columns: tuple[str, ...] = option(_names, (), ",".join)
    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether a file has attributes of jobs: as ClassAds, as JSON, or in a table."""
        return any(map(_BEGINS.match, lines))

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a log."""
        listing = Listing(text.name)
        records = _records(text, listing, self.columns)
        return built(_DECLARATION, records, text, listing, self.timezone)


def _records(text: LogText, listing: Listing, given: Sequence[str]) -> Iterator[Record]:
    """Yield the attributes of each ClassAd, by their names in small letters."""
    layout, lines = opened(text, _ATTRIBUTE, _JSON)
    if layout == 2:
        ads: Iterator[Record] = (
            (place, {name.casefold(): cell for name, cell in flat(entry).items()})
            for place, entry in json_entries(lines, text, listing, _REMEDY, _entries)
        )
    else:
        ads = _ads(lines) if layout and not given else _of_table(lines, given, text.name)
    for ad in ads:
        listing.records += 1
        yield ad
    if not listing.records:
        raise InputError("holds no ClassAds", source=text.name, remedy=_REMEDY)


def _of_table(
    lines: Iterable[tuple[int, str]], given: Sequence[str], source: str
) -> Iterator[Record]:
    """Yield the rows that `condor_history -af` prints, below a line of names if none are given."""
    before, first = next(((n - 1, line) for n, line in lines if line.strip()), (0, ""))
    enough = max(len(given), 2) - 1
    separator = next((each for each in "\t," if first.count(each) >= enough), " ")
    texts = chain((first,), (line for _, line in lines))
    plain = (re.sub(" +", " ", line.strip(" ")) for line in texts)
    columns, rows = read_csv(plain, separator, source, header=not given)
    columns = Columns(given) if given else columns
    if not any(name in columns for name in ("QDate", *_STARTS)):
        raise InputError("holds no ClassAds", source=source, remedy=_REMEDY)
    wanted = ("id", *_DECLARATION.columns)
    for line, cells in csv_records(columns, rows, Listing(source), wanted):
        if isinstance(cells, RecordError):
            yield before + line, cells
            continue
        values = {name: _unquoted(cell.strip()) for name, cell in cells.items()}
        cluster, _, process = values.get("id", "").partition(".")
        known = {"clusterid": cluster, "procid": process, "jobstatus": _COMPLETED}
        yield before + line, known | values


def _ads(lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
    """ClassAds of a history: attributes one a line, to an empty line or one of three stars."""
    names = frozenset(_DECLARATION.columns)
    begin, values = 0, dict[str, str]()
    for line, text in chain(lines, [(0, "")]):
        match = _ATTRIBUTE.fullmatch(text)
        if match and not text.startswith(_END):
            begin = begin or line
            name = match[1].casefold()
            if name in names:
                values[name] = _unquoted(match[2])
        elif begin and (not text.strip() or text.startswith(_END)):
            yield begin, values
            begin, values = 0, {}


def _entries(document: Any) -> list[Any]:
    return document if isinstance(document, list) else [document]


def _unquoted(value: str) -> str:
    """Text of a value: of a string what stands in its quotes, of nothing at all nothing."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"')
    return "" if value.casefold() == "undefined" else value


def _times(*texts: str) -> tuple[float, float, float]:
    """Submission, wait and time of the last run (s) of a job that has left the queue.

    Raises
    ------
    RecordError
        The ad is of no such job, or a time cannot be read.
    """
    values = dict(zip(_TIMES, texts, strict=True))
    if not all(values[name] for name in ("clusterid", "qdate", "jobstatus")):
        raise RecordError(NOT_A_JOB, "")
    if values["jobuniverse"] in _WITHOUT_SLOT:
        raise RecordError(ON_THE_SUBMIT_MACHINE, values["jobuniverse"])
    status = values["jobstatus"]
    if status not in {_REMOVED, _COMPLETED}:
        runs = status in {_RUNNING, _TRANSFERRING}
        raise RecordError(STILL_RUNNING if runs else STILL_WAITING, status)
    start = next(filter(None, (unix_time(values[name], name) for name in _STARTS)), None)
    end = next(filter(None, (unix_time(values[name], name) for name in _FINISHES)), None)
    known = _known_run(values)
    if start is None or (end is None and known <= 0):
        raise RecordError(NEVER_STARTED, "")
    submit = unix_time(values["qdate"], "QDate")
    ran = _ran(values, known, known if end is None else end - start)
    return start if submit is None else submit, waited(submit, start), ran


def _known_run(values: Mapping[str, str]) -> float:
    """Time (s) that the last run took as the ad says it, -1 if it does not."""
    try:
        last = _amount(values["lastremotewallclocktime"])
        return last if last >= 0 else _amount(values["remotewallclocktime"])
    except RecordError:
        return MISSING


def _ran(values: Mapping[str, str], known: float, at_most: float) -> float:
    """Time (s) that the last run took: what is left of the queue's time was spent waiting."""
    if values["jobstatus"] == _REMOVED and known == 0:
        raise RecordError(NEVER_STARTED, "0", "RemoteWallClockTime")
    return min(at_most, known) if known > 0 and at_most >= 0 else at_most


def _amount(text: str) -> float:
    """Value of an attribute; -1 if the ad lacks it, or it is an expression."""
    return number(text) if text[:1].isdigit() else MISSING


def _whole(text: str) -> float | None:
    amount = _amount(text)
    return amount if amount >= 1 and amount.is_integer() else None


def _each(text: str, processors: float) -> float | None:
    """Share of each processor in an amount; 0 is unknown."""
    return per_processor(_amount(text) or MISSING, processors)


def _sum_each(user: str, system: str, processors: float) -> float | None:
    amounts = _amount(user), _amount(system)
    return per_processor(sum(amounts), processors) if min(amounts) >= 0 else None


def _asked(text: str, processors: float) -> float | None:
    """Memory (KB) of each processor, from that of all (MB)."""
    memory = _amount(text)
    return per_processor(memory * 1024, processors) if memory > 0 else None


def _name(cluster: str, process: str) -> str:
    number = f"{whole(cluster, 'ClusterId')}"
    return f"{number}.{process}" if process else number


def _group(group: str, full: str) -> str:
    """Accounting group, without the user that `AccountingGroup` ends with."""
    return group or full.rpartition(".")[0] or full


def _state(*texts: str) -> str:
    values = dict(zip(_ENDS, texts, strict=True))
    if values["jobstatus"] == _REMOVED:
        by = _BY_USER.search(values["removereason"])
        held = _HELD_FOR.get(values["holdreasoncode"])
        return held or cancelled_by(by[1] if by else "", values["owner"])
    if values["exitbysignal"].casefold() == "true":
        return "FAILED"
    code = values["exitcode"] or values["exitstatus"]
    if not code:
        return ""
    return "FAILED" if whole(code, "ExitCode") else "COMPLETED"


_DECLARATION = Declaration(
    origin="history of HTCondor",
    times=(_TIMES, _times),
    fields={
        "requested_processors": LogField(("requestcpus",), _whole),
        "processors": (
            LogField(("cpusprovisioned",), _whole),
            LogField(("requestcpus",), _whole),
        ),
        "cpu_time": LogField(("remoteusercpu", "remotesyscpu"), _sum_each, ("size",)),
        "memory": tuple(LogField((name,), _each, ("size",)) for name in _SIZES),
        "requested_time": tuple(LogField((name,), _amount) for name in _LIMITS),
        "requested_memory": LogField(("requestmemory",), _asked, ("requested_processors",)),
        "tres/gres/gpu": tuple(LogField((name,), _amount) for name in _GPUS),
    },
    labels={
        "user": Label(("owner",)),
        "account": Label(("acctgroup", "accountinggroup"), _group),
        "executable": Label(("cmd",)),
        "state": Label(_ENDS, _state),
    },
    means={"group": "account"},
    job=Label(("clusterid", "procid"), _name),
    noted={
        RESTARTED: LogField(
            ("numjobstarts", "numshadowstarts"),
            lambda *starts: max(map(_amount, starts)) - 1,
        )
    },
)
