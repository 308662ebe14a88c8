"""History of HTCondor: ClassAds of jobs that have left the queue."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import unix_time
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob, waited
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import numbered
from swfx.accounting.quantities import number, per_processor, whole
from swfx.accounting.record_error import RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, imported
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.record import NEVER_STARTED, STILL_RUNNING, STILL_WAITING
from swfx.slurm.states import cancelled_by, status_of

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
_LIMITS = ("allowedjobduration", "allowedexecuteduration")
_GPUS = ("gpusprovisioned", "requestgpus")
_SIZES = ("residentsetsize_raw", "residentsetsize")
_USED = frozenset({
    "clusterid", "qdate", "jobstatus", "jobuniverse", "completiondate", "enteredcurrentstatus",
    "remotewallclocktime", "lastremotewallclocktime", "cpusprovisioned", "requestcpus",
    "requestmemory", "remoteusercpu", "remotesyscpu", "numjobstarts", "numshadowstarts",
    "exitbysignal", "exitcode", "exitstatus", "removereason", "holdreasoncode", "owner",
    "acctgroup", "accountinggroup", "cmd", *_STARTS, *_LIMITS, *_SIZES, *_GPUS,
})  # fmt: skip
"""Attributes that are read; capitals do not matter."""

_ATTRIBUTE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*?)\s*")
_END = "***"


class ClassAd(NamedTuple):
    """Attributes of a job, by their names in small letters, and where they begin."""

    line: int
    values: Mapping[str, str]


@IMPORTERS.register("htcondor")
@dataclass(frozen=True)
class HtCondor(LineImporter):
    """History of HTCondor: its history files, or `condor_history` with -long, -json or -jsonl.

    Parameters
    ----------
    timezone : ZoneInfo
        What the header says; the times themselves are Unix times.

    References
    ----------
    HTCondor manual: condor_history, "Job ClassAd Attributes".
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether there are attributes that jobs have, as ClassAds or as JSON."""
        return any(re.search(r'"(GlobalJobId|QDate)" *:|^(GlobalJobId|QDate) =', x) for x in lines)

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a history."""
        lines: Iterator[tuple[int, str]] = enumerate(text, 1)
        first, line = next(((n, line) for n, line in lines if line.strip()), (1, ""))
        lines = chain([(first, line)], lines)
        listing = Listing(text.name)
        is_json = line.lstrip()[:1] in {"[", "{"}
        ads = _of_json("\n".join(x for _, x in lines), text.name) if is_json else _ads(lines)
        builder = _Builder(listing)
        jobs = JobColumns(job for ad in ads if (job := builder.job(ad)))
        listing.count(listing.records if is_json else text.lines, listing.records)
        if is_json:
            listing.note("line numbers are positions of jobs")
        if not listing.records:
            raise InputError(
                "holds no ClassAds",
                source=text.name,
                remedy="give what condor_history -long prints",
            )
        header_lines = (" Conversion: from history of HTCondor", *builder.names.header_lines())
        jobs = numbered(jobs, listing)
        return imported(jobs, listing, header_lines=header_lines, zone=self.timezone)


class _Builder:
    """Makes jobs of ClassAds, and lists the others."""

    def __init__(self, listing: Listing) -> None:
        self.names = JobNames(group="account")
        self._listing = listing

    def job(self, ad: ClassAd) -> LogJob | None:
        """Job that an ad tells of; None if it cannot be kept."""
        self._listing.records += 1
        try:
            job = self._job(ad)
        except RecordError as error:
            self._listing.refuse(ad.line, error)
            return None
        if not within_limit(job, self._listing):
            return None
        if max(self._amount(ad, "numjobstarts"), self._amount(ad, "numshadowstarts")) > 1:
            self._listing.add(ad.line, RESTARTED)
        return job

    def _job(self, ad: ClassAd) -> LogJob:
        values, names = ad.values, self.names
        start, end = _run(values)
        submit = unix_time(values["qdate"], "QDate")
        asked = _whole(self._amount(ad, "requestcpus"))
        provided = _whole(self._amount(ad, "cpusprovisioned"))
        size = provided if provided > 0 else asked
        memory = self._amount(ad, "requestmemory")
        state = self._listing.or_nothing(ad.line, partial(_state, values))
        return LogJob(
            ad.line,
            start if submit is None else submit,
            run=self._lasting(ad, end - start),
            processors=size,
            wait=waited(submit, start),
            job_id=whole(values["clusterid"], "ClusterId"),
            cpu_time=per_processor(self._sum(ad, ("remoteusercpu", "remotesyscpu")), size),
            memory=per_processor(self._first(ad, _SIZES) or MISSING, size),
            requested_processors=asked,
            requested_time=self._first(ad, _LIMITS),
            requested_memory=per_processor(memory * 1024 if memory > 0 else MISSING, asked),
            status=status_of(state),
            user=names.user.number(values.get("owner", "")),
            group=names.group.number(_group(values)),
            executable=names.executable.number(values.get("cmd", "")),
            extra={"tres/gres/gpu": self._first(ad, _GPUS), **names.extra(state=state)},
        )

    def _lasting(self, ad: ClassAd, at_most: float) -> float:
        """Time (s) that the last run took: what is left of the queue's time was spent waiting."""
        last = self._amount(ad, "lastremotewallclocktime")
        known = last if last >= 0 else self._amount(ad, "remotewallclocktime")
        if ad.values["jobstatus"] == _REMOVED and known == 0:
            raise RecordError(NEVER_STARTED, "0", "RemoteWallClockTime")
        return min(at_most, known) if known > 0 and at_most >= 0 else at_most

    def _amount(self, ad: ClassAd, name: str) -> float:
        """Value of an attribute; -1 if it is not there, or an expression."""
        text = ad.values.get(name, "")
        if not text[:1].isdigit():
            return MISSING
        return self._listing.or_unknown(ad.line, lambda: number(text, name))

    def _first(self, ad: ClassAd, names: Iterable[str]) -> float:
        return next((found for n in names if (found := self._amount(ad, n)) >= 0), MISSING)

    def _sum(self, ad: ClassAd, names: Iterable[str]) -> float:
        amounts = [self._amount(ad, name) for name in names]
        return sum(amounts) if min(amounts) >= 0 else MISSING


def _ads(lines: Iterable[tuple[int, str]]) -> Iterator[ClassAd]:
    """ClassAds of a history: attributes one a line, to an empty line or one of three stars."""
    begin, values = 0, dict[str, str]()
    for line, text in chain(lines, [(0, "")]):
        match = _ATTRIBUTE.fullmatch(text)
        if match and not text.startswith(_END):
            begin = begin or line
            name = match[1].casefold()
            if name in _USED:
                values[name] = _unquoted(match[2])
        elif begin and (not text.strip() or text.startswith(_END)):
            yield ClassAd(begin, values)
            begin, values = 0, {}


def _of_json(text: str, source: str) -> list[ClassAd]:
    """ClassAds of a list in JSON, or of one object a line; the line of each is its position."""
    entries = _loaded(text, json.loads)
    if entries is None:
        entries = _loaded(text, _json_lines)
    if entries is None:
        raise InputError(
            "is no JSON", source=source, remedy="give what condor_history -json prints"
        )
    return [
        ClassAd(
            place,
            {
                name.casefold(): value if isinstance(value, str) else json.dumps(value)
                for name, value in (entry.items() if isinstance(entry, dict) else ())
                if name.casefold() in _USED and value is not None
            },
        )
        for place, entry in enumerate(entries, 1)
    ]


def _json_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _loaded(text: str, load: Callable[[str], Any]) -> list[Any] | None:
    try:
        found = load(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else [found]


def _unquoted(value: str) -> str:
    """Text of a value: of a string what stands in its quotes, of nothing at all nothing."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"')
    return "" if value.casefold() == "undefined" else value


def _run(values: Mapping[str, str]) -> tuple[float, float]:
    """When the last run of a job that has left the queue began and ended (Unix times, s).

    Raises
    ------
    RecordError
        The ad is of no such job, or a time cannot be read.
    """
    if not values.keys() >= {"clusterid", "qdate", "jobstatus"}:
        raise RecordError(NOT_A_JOB, "")
    if values.get("jobuniverse") in _WITHOUT_SLOT:
        raise RecordError(ON_THE_SUBMIT_MACHINE, values["jobuniverse"])
    status = values["jobstatus"]
    if status not in {_REMOVED, _COMPLETED}:
        runs = status in {_RUNNING, _TRANSFERRING}
        raise RecordError(STILL_RUNNING if runs else STILL_WAITING, status)
    starts = (unix_time(values.get(name, ""), name) for name in _STARTS)
    start = next(filter(None, starts), None)
    ends = (unix_time(values.get(n, ""), n) for n in ("completiondate", "enteredcurrentstatus"))
    end = next(filter(None, ends), None)
    if start is None or end is None:
        raise RecordError(NEVER_STARTED, "")
    return start, end


def _group(values: Mapping[str, str]) -> str:
    """Accounting group, without the user that `AccountingGroup` ends with."""
    full = values.get("accountinggroup", "")
    return values.get("acctgroup") or full.rpartition(".")[0] or full


def _state(values: Mapping[str, str]) -> str:
    if values["jobstatus"] == _REMOVED:
        by = _BY_USER.search(values.get("removereason", ""))
        who = by[1] if by else ""
        held = _HELD_FOR.get(values.get("holdreasoncode", ""))
        return held or cancelled_by(who, values.get("owner", ""))
    if values.get("exitbysignal", "").casefold() == "true":
        return "FAILED"
    code = values.get("exitcode", values.get("exitstatus", ""))
    if not code:
        return ""
    return "FAILED" if whole(code, "ExitCode") else "COMPLETED"


def _whole(amount: float) -> int:
    return int(amount) if amount >= 1 and amount.is_integer() else MISSING
