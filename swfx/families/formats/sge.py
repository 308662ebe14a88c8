"""Accounting of Grid Engine: Sun's, Univa's, Altair's, Open and Son of Grid Engine."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import lru_cache, partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import is_no_time, ordered_instants, unix_time
from swfx.accounting.fields import Declaration, Label, LogField, count
from swfx.accounting.imported import Record, built
from swfx.accounting.jobs import times_of
from swfx.accounting.listing import Listing
from swfx.accounting.outputs import blocks, in_iso, opened, size_in
from swfx.accounting.quantities import MEMOISED, duration, number, per_processor, whole
from swfx.accounting.record_error import (
    EARLIER_RUN,
    NEVER_STARTED,
    NOT_A_SIZE,
    TOO_FEW_FIELDS,
    RecordError,
)
from swfx.accounting.text import LogText
from swfx.base.configured import choice, option
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import cancelled_by

__all__ = ["GridEngine"]

TASK = Rule("task", "folded", "the record is of a task of a parallel job: its CPU time counts")
TASK_ALONE = Rule("task-alone", "dropped", "a task of a parallel job that is not in the log")

GROUPS = ("group", "project", "department", "account")

_FIELDS = (
    "qname", "hostname", "group", "owner", "job_name", "job_number", "account", "priority",
    "submission_time", "start_time", "end_time", "failed", "exit_status", "ru_wallclock",
    "ru_utime", "ru_stime", "ru_maxrss", *["other usage"] * 14, "project", "department",
    "granted_pe", "slots", "task_number", "cpu", "mem", "io", "category",
)  # fmt: skip
_NUMBERS = re.compile(r"^[^#:]*:[^:]*:[^:]*:[^:]*:.*:\d+:[^:]*:\d+:\d+:\d+:\d+:\d+:")
"""Job number, and from priority to `failed`."""
_TASK_ID = r"NONE|[0-9]+\.[^:]*[A-Za-z][^:]*"
_REST = re.compile(
    rf"(?P<category>.*?)(?::[0-9.]+:(?P<task>{_TASK_ID}):[0-9.]+(?::(?P<more>.*))?)?", re.DOTALL
)
"""What was asked for, which may hold colons, and what follows it."""

_QACCT = re.compile(r" *qname\s")
_KEY = re.compile(r"^ *([a-z_]+)(?: +(.*?))? *$", re.MULTILINE)
_KEYS_OF_QACCT = {
    "jobname": "job_name", "jobnumber": "job_number", "taskid": "task_number",
    "qsub_time": "submission_time", "deleted_by": "deleted by",
}  # fmt: skip
"""How a block of `qacct -j` begins, its lines, and its keys that are others than in the file."""

_DELETED_BY = 3  # place behind the memory used: only Univa's and Altair's have it
_REQUESTS = re.compile(r"(?<!-soft)(?:^|\s)-l\s+(\S+)")
_SLOTS = re.compile(r"(?:^|\s)-pe\s+\S+\s+([0-9]{1,9})(?:\s|$)")
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?)([KMGT]?)", re.IGNORECASE)
_EVENTS = ("submission_time", "start_time", "end_time")
_TIMES, _SIZES = ("h_rt", "s_rt"), ("h_vmem", "m_mem_free", "s_vmem")
_SOME = re.compile(r"0*[1-9][0-9]{0,14}(?:\.0*)?")
_ENDS = ("deleted by", "owner", "failed", "exit_status")
_SECONDS = 11  # digits: numbers of more are milliseconds
_ENDED_BY_SIGNAL = 100
"""Value of `failed` of a job that ran, and was then killed."""

_BY_SIGNAL = {17, _ENDED_BY_SIGNAL}
_LAST_BEFORE_JOB = 11
"""Values of `failed` up to this one are of jobs that could not be started."""

_STATES = {
    18: "NODE_FAIL", 19: "NODE_FAIL", 21: "NODE_FAIL", 22: "NODE_FAIL",
    24: "PREEMPTED", 25: "REQUEUED", 37: "TIMEOUT",
}  # fmt: skip
"""States by `failed`: the daemon of a job died or lost it, it migrates, ...; FAILED by others."""


class _Record(NamedTuple):
    """One line: fields by name, and the task of a parallel job that it is about, if it is."""

    line: int
    cells: Mapping[str, str]
    task: str

    @property
    def key(self) -> tuple[str, str]:
        return self.cells["job_number"], self.cells["task_number"]


class _Usage(NamedTuple):
    """CPU time (s) and memory (KB) that the processes of a line used, and their host."""

    line: int
    cpu: float
    memory: float
    host: str


@dataclass
class _Story:
    """Records of one job: their lines, and what the last run asked for and used.

    Hosts are those that records of the last run name: of a parallel job all hosts only where each
    of its tasks has a record.
    """

    submit: float | None
    lines: list[int] = field(default_factory=list)
    last: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
    used: list[_Usage] = field(default_factory=list)

    def values(self) -> dict[str, Any]:
        """Return the values of the last run."""
        seconds = [each.cpu for each in self.used if each.cpu >= 0]
        hosts = {each.host for each in self.used}
        on_one_node = self.last["granted_pe"] == "NONE" or self.last["slots"] == "1"
        return {
            **self.last,
            "cpu": math.fsum(seconds) if seconds else MISSING,
            "memory": max(each.memory for each in self.used),
            "nodes": len(hosts) if on_one_node or len(hosts) > 1 else MISSING,
        }


@IMPORTERS.register("sge")
@dataclass(frozen=True)
class GridEngine(LineImporter):
    """Accounting of Grid Engine: its file (SGE_ROOT/default/common/accounting), or `qacct -j`.

    Parameters
    ----------
    group : {"group", "project", "department", "account"}
        What the group of a job is.
    gpu : str
        Name of the resource (complex) by which GPUs are asked for.
    gpu_per : {"job", "slot"}
        What has as many as are asked for.
    timezone : ZoneInfo
        Of the dates of `qacct -j`; times in the file are Unix times.

    References
    ----------
    sge_accounting(5) of Sun Grid Engine 6.2 and Son of Grid Engine 8.1; accounting(5) of Univa Grid
    Engine 8; sge_status(5); qacct(1) of these and of Gridware's Cluster Scheduler 9.
    """

    group: str = choice(GROUPS, "group")
    gpu: str = option(str, "gpu")
    gpu_per: str = choice(("job", "slot"), "job")
    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether a line has as many fields as a record, or begins a block of `qacct -j`."""
        return any(
            (line.count(":") >= len(_FIELDS) - 1 and _NUMBERS.search(line)) or _QACCT.match(line)
            for line in lines
        )

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an accounting file, or of what `qacct -j` prints."""
        listing = Listing(text.name)
        is_qacct, lines = opened(text, _QACCT)
        parse = partial(_of_qacct, self.timezone) if is_qacct else _record
        lines = blocks(lines, _QACCT) if is_qacct else lines
        records = _Stories(self, listing, parse).records(lines)
        return built(self._declaration(), records, text, listing, self.timezone)

    def _declaration(self) -> Declaration:
        others = [kind for kind in GROUPS if kind not in {"group", self.group}]
        return Declaration(
            origin="accounting of Grid Engine",
            times=(("submit", *_EVENTS[1:]), times_of),
            fields={
                "processors": count("slots", above_zero=True),
                "requested_processors": LogField(("category", "slots"), _requested),
                "cpu_time": LogField(("cpu",), _each, ("processors",)),
                "memory": LogField(("memory",), lambda memory: memory if memory > 0 else None),
                "requested_time": _limit(_TIMES, duration),
                "requested_memory": _limit(_SIZES, _kilobytes),
                "tres/node": LogField(("nodes",), float),
                "tres/gres/gpu": LogField(("gpus",), self._gpus, ("processors",)),
            },
            labels={
                "user": Label(("owner",)),
                self.group: Label((self.group,), _said),
                "job_name": Label(("job_name",)),
                "queue": Label(("qname",)),
                **{kind: Label((kind,), _said) for kind in others},
                "state": Label(_ENDS, _state, ("requested_time", "run")),
            },
            means={"group": self.group, "executable": "job_name"},
            job=Label(("job_number", "task_number"), _name),
        )

    def _gpus(self, text: str, slots: float) -> float | None:
        """Return the GPUs that a job asked for; None where no job of the log did."""
        each = whole(text, self.gpu) if text else None
        return each * max(slots, 1) if each and self.gpu_per == "slot" else each


class _Stories:
    """Puts together the records of each job; lists records that cannot be read, and tasks."""

    def __init__(
        self, options: GridEngine, listing: Listing, parse: Callable[[int, str], _Record]
    ) -> None:
        self._gpu, self._gpu_per = options.gpu, options.gpu_per
        self._listing, self._parse = listing, parse
        self._stories: list[_Story] = []
        self._latest: dict[tuple[str, str], _Story] = {}
        self._tasks: dict[tuple[str, str], list[_Usage]] = {}

    def records(self, texts: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the values of each job that ran, on the line of its last run, and other lines."""
        for line, record in texts:
            if len(record.strip()) > 1 and not record.startswith("#"):
                self._listing.records += 1
                try:
                    self._take(self._parse(line, record))
                except RecordError as error:
                    self._listing.refuse(line, error)
        self._settle_tasks()
        gpus = [_requests(story.last.get("category", "")).get(self._gpu) for story in self._stories]
        has_gpus = any(map(_SOME.fullmatch, filter(None, gpus)))
        for story, wanted in zip(self._stories, gpus, strict=True):
            last = story.line or story.lines[-1]
            for line in story.lines:
                if line != last:
                    yield line, RecordError(EARLIER_RUN, "")
            if story.line:
                yield last, story.values() | {"gpus": (wanted or "0") if has_gpus else ""}
            else:
                yield last, RecordError(NEVER_STARTED, "")
        if has_gpus:
            self._listing.note(
                f"GPUs are as many as -l {self._gpu} asks for, of each {self._gpu_per}"
                " (gpu=NAME, gpu_per=job or slot)"
            )

    def _take(self, record: _Record) -> None:
        """Take in the next record.

        Raises
        ------
        RecordError
            Times or the job number cannot be read.
        """
        seconds, size = (self._amount(record, name) for name in ("cpu", "ru_maxrss"))
        used = _Usage(record.line, seconds, size, record.cells["hostname"])
        if record.task != "NONE":
            self._tasks.setdefault(record.key, []).append(used)
            return
        submit, start, end = (_time(record.cells, what) for what in _EVENTS)
        whole(record.cells["job_number"], "job_number")
        story = self._latest.get(record.key)
        # a run that was rescheduled has no times; another submission is a number begun anew
        if story is None or not (submit is None or story.submit in {None, submit}):
            story = self._latest[record.key] = _Story(submit)
            self._stories.append(story)
        story.submit = story.submit or submit
        story.lines.append(record.line)
        if start is None or end is None or _failed_to_start(record, end - start):
            return
        tasks = self._tasks.pop(record.key, [])
        self._list_tasks(tasks)
        story.line, story.used = record.line, [used, *tasks]
        story.last = {**record.cells, "submit": submit, "start_time": start, "end_time": end}

    def _amount(self, record: _Record, name: str) -> float:
        text = record.cells.get(name, "")
        return self._listing.or_unknown(record.line, lambda: size_in(text, name) if text else None)

    def _settle_tasks(self) -> None:
        """Let the tasks that stand behind the last record of their job count for it."""
        for key, tasks in self._tasks.items():
            if key in self._latest:
                self._list_tasks(tasks)
                self._latest[key].used += tasks
            else:
                for task in tasks:
                    self._listing.add(task.line, TASK_ALONE)

    def _list_tasks(self, tasks: list[_Usage]) -> None:
        for task in tasks:
            self._listing.add(task.line, TASK)


def _each(cpu_time: float, processors: float) -> float:
    return per_processor(cpu_time, max(processors, 1))


def _of_qacct(zone: tzinfo, line: int, block: str) -> _Record:
    """Return the record of a block that `qacct -j` printed, as the file has it."""
    values: dict[str, str] = dict(reversed(_KEY.findall(block)))
    cells = dict.fromkeys(_FIELDS, "") | {
        _KEYS_OF_QACCT.get(key, key): value for key, value in values.items()
    }
    if not (cells["job_number"] and cells["submission_time"] + cells["end_time"]):
        raise RecordError(TOO_FEW_FIELDS, block)
    texts = tuple(_in_seconds(in_iso(cells[name])) for name in _EVENTS)
    cells |= {name: cells[name].removesuffix("s") for name in ("ru_wallclock", "cpu")}
    lasting = number(cells["ru_wallclock"] or "0")
    times = ordered_instants(texts, zone, _EVENTS, lasting or None)
    cells |= {name: f"{time or 0:.6f}" for name, time in zip(_EVENTS, times, strict=True)}
    commands = ("category", "submit_cmd", "submit_cmd_line")
    cells["category"] = next((cells[name] for name in commands if cells.get(name)), "")
    for name in ("failed", "exit_status"):  # 100 : assumedly after job; 137 (Killed)
        cells[name] = cells[name].partition(" ")[0]
    cells["task_number"] = cells["task_number"].replace("undefined", "0")
    task = cells.get("pe_taskid", "NONE")
    return _Record(line, cells, "NONE" if task == "undefined" else task)


def _record(line: int, text: str) -> _Record:
    cells = dict(zip(_FIELDS, text.split(":", len(_FIELDS) - 1), strict=False))
    if "task_number" not in cells:
        raise RecordError(TOO_FEW_FIELDS, text)
    rest = _REST.fullmatch(cells.get("category", ""))
    assert rest, "any text matches"
    more = (rest["more"] or "").split(":")
    deleted_by = more[_DELETED_BY] if len(more) > _DELETED_BY else "NONE"
    cells |= {"category": rest["category"], "deleted by": deleted_by}
    return _Record(line, cells, rest["task"] or "NONE")


@lru_cache(maxsize=MEMOISED)
def _requests(category: str) -> dict[str, str]:
    """Return what a job asked for by ``-l``: amounts by the names of resources."""
    return dict(
        request.partition("=")[::2]
        for requests in _REQUESTS.findall(category)
        for request in requests.split(",")
    )


def _requested(category: str, slots: str) -> float | None:
    exact = _SLOTS.search(category)
    return float(exact[1]) if exact else whole(slots, "slots") or None


def _limit(names: tuple[str, ...], read: Callable[[str, str], float | None]) -> LogField:
    """Return the field of what was asked for under the first of these names that is there."""

    def limit(category: str) -> float | None:
        requests = _requests(category)
        name = next((name for name in names if name in requests), "")
        return read(requests[name], name) if name else None

    return LogField(("category",), limit)


def _name(job: str, task: str) -> str:
    """Name of a job; tasks of an array count from 1."""
    return job if task in {"", "0"} else f"{job}.{task}"


def _said(text: str) -> str:
    return "" if text == "NONE" else text


def _time(cells: Mapping[str, str], name: str) -> float | None:
    """Unix time (s); None for what did not happen."""
    return unix_time(_in_seconds(cells[name]), name)


def _in_seconds(text: str) -> str:
    """Return a Unix time in s, which Univa and Altair write in milliseconds, or a date as it is."""
    in_ms = len(text) > _SECONDS and text.isdecimal() and not is_no_time(text)
    return f"{text[:-3]}.{text[-3:]}" if in_ms else text


def _failed_to_start(record: _Record, run: float) -> bool:
    """Whether a record of no run time is about a job that could not be started."""
    return run == 0 and record.cells["failed"] not in {"0", str(_ENDED_BY_SIGNAL)}


def _state(
    deleted_by: str, owner: str, failure: str, status: str, limit: float, run: float
) -> str:  # one for each column
    if deleted_by not in {"NONE", ""}:
        return cancelled_by(deleted_by, owner)
    failed, exit_status = whole(failure, "failed"), whole(status, "exit_status")
    if failed in _BY_SIGNAL and 0 < limit <= run:
        return "TIMEOUT"
    if failed == 0:
        return "FAILED" if exit_status else "COMPLETED"
    return "LAUNCH_FAILED" if failed <= _LAST_BEFORE_JOB else _STATES.get(failed, "FAILED")


def _kilobytes(text: str, name: str) -> float | None:
    """Size of memory (KB of 1024 bytes); K is 1024 bytes, k is 1000."""
    match = _SIZE.fullmatch(text)
    if match is None:
        if text.casefold() == "infinity":
            return None
        raise RecordError(NOT_A_SIZE, text, name)
    power = " KMGT".index(match[2].upper() or " ")
    base = 1000.0 if match[2].islower() else 1024.0
    return float(match[1]) * base**power / 1024
