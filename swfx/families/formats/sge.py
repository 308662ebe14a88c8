"""Accounting of Grid Engine: Sun's, Univa's, Altair's, Open and Son of Grid Engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import unix_time
from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob, waited
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import numbered
from swfx.accounting.quantities import duration, number, per_processor, whole
from swfx.accounting.record_error import NOT_A_SIZE, TOO_FEW_FIELDS, RecordError
from swfx.accounting.segments import segments_of
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.options import as_choice
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, imported
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.job_lines import EARLIER_RUN
from swfx.slurm.record import NEVER_STARTED
from swfx.slurm.states import cancelled_by, status_of

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
_TASK_ID = r"NONE|[0-9]+\.[^:]*[A-Za-z][^:]*"
_REST = re.compile(
    rf"(?P<category>.*?)(?::[0-9.]+:(?P<task>{_TASK_ID}):[0-9.]+(?::(?P<more>.*))?)?", re.DOTALL
)
"""What was asked for, which may hold colons, and what follows it."""

_DELETED_BY = 3  # place behind the memory used: only Univa's and Altair's have it
_REQUESTS = re.compile(r"(?<!-soft)(?:^|\s)-l\s+(\S+)")
_SLOTS = re.compile(r"(?:^|\s)-pe\s+\S+\s+([0-9]{1,9})(?:\s|$)")
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?)([KMGT]?)", re.IGNORECASE)
_EVENTS = ("submission_time", "start_time", "end_time")
_TIMES, _SIZES = ("h_rt", "s_rt"), ("h_vmem", "m_mem_free", "s_vmem")
_GPUS = "tres/gres/gpu"
_DIGITS = 3  # of seconds
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


def _gpu_per(text: str) -> str:
    return as_choice(text, ("job", "slot"), "sge", "gpu_per")


def _group(text: str) -> str:
    return as_choice(text, GROUPS, "sge", "group")


class _Record(NamedTuple):
    """One line: fields by name, and the task of a parallel job that it is about, if it is."""

    line: int
    cells: Mapping[str, str]
    task: str
    deleted_by: str

    @property
    def key(self) -> tuple[str, str]:
        return self.cells["job_number"], self.cells["task_number"]


class _Usage(NamedTuple):
    """A line, what the processes that it is about used (s, KB), and where."""

    line: int
    cpu: float
    memory: float
    host: str


@dataclass
class _Story:
    """What has become of one job: lines of its runs, when these were, and the last of them.

    `hosts` are those that records of the last run name: of a parallel job all only where each of
    its tasks has a record.
    """

    submit: float | None
    lines: list[int] = field(default_factory=list)
    runs: list[tuple[float, float]] = field(default_factory=list)
    job: LogJob | None = None
    hosts: set[str] = field(default_factory=set)
    on_one_node: bool = True

    @property
    def nodes(self) -> int:
        """Number of nodes of the last run; -1 unknown."""
        return len(self.hosts) if self.on_one_node or len(self.hosts) > 1 else MISSING


@IMPORTERS.register("sge")
@dataclass(frozen=True)
class GridEngine(LineImporter):
    """Accounting file of Grid Engine (SGE_ROOT/default/common/accounting): one job a line.

    Parameters
    ----------
    group : {"group", "project", "department", "account"}
        What the group of a job is.
    gpu : str
        Name of the resource (complex) by which GPUs are asked for.
    gpu_per : {"job", "slot"}
        What has as many as are asked for.
    timezone : ZoneInfo
        What the header says; the times themselves are Unix times.

    References
    ----------
    sge_accounting(5) of Sun Grid Engine 6.2 and Son of Grid Engine 8.1; accounting(5) of Univa Grid
    Engine 8; sge_status(5).
    """

    group: str = option(_group, "group")
    gpu: str = option(str, "gpu")
    gpu_per: str = option(_gpu_per, "job")
    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line that is no comment has as many fields as a record."""
        return any(line.count(":") >= len(_FIELDS) - 1 for line in lines if line[0] != "#")

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an accounting file."""
        listing = Listing(text.name)
        builder = _Builder(self, listing)
        for line, record in enumerate(text, 1):
            if len(record.strip()) > 1 and not record.startswith("#"):
                listing.records += 1
                try:
                    builder.take(_record(line, record))
                except RecordError as error:
                    listing.refuse(line, error)
        listing.count(text.lines, listing.records)
        kept = builder.jobs()
        if builder.has_gpus:
            asked = f"as many as -l {self.gpu} asks for, of each {self.gpu_per}"
            listing.note(f"GPUs are {asked} (gpu=NAME, gpu_per=job or slot)")
        jobs = numbered(JobColumns(job for job, _ in kept), listing)
        return imported(
            jobs,
            listing,
            header_lines=(
                " Conversion: from accounting of Grid Engine",
                *builder.names.header_lines(),
            ),
            zone=self.timezone,
            segments=segments_of(jobs["job_id"], kept),
        )


class _Builder:
    """Makes jobs of records, and lists the records that no job stands on."""

    def __init__(self, options: GridEngine, listing: Listing) -> None:
        self.names = JobNames(group=options.group, executable="job_name")
        self._options = options
        self._others = [kind for kind in GROUPS if kind not in {"group", options.group}]
        self.has_gpus = False
        self._listing = listing
        self._stories: list[_Story] = []
        self._latest: dict[tuple[str, str], _Story] = {}
        self._tasks: dict[tuple[str, str], list[_Usage]] = {}

    def take(self, record: _Record) -> None:
        """Take in the next record.

        Raises
        ------
        RecordError
            What is needed of it cannot be read.
        """
        used = _Usage(
            record.line,
            self._amount(record, "cpu"),
            self._amount(record, "ru_maxrss"),
            record.cells["hostname"],
        )
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
        job = self._job(record, start if submit is None else submit, (start, end))
        job = job._replace(wait=waited(submit, start))
        story.on_one_node = record.cells["granted_pe"] == "NONE" or job.processors == 1
        story.hosts = set()
        story.job = self._with_usage(story, job, [used, *self._tasks.pop(record.key, [])])
        story.runs.append((start, end))

    def jobs(self) -> list[tuple[LogJob, list[tuple[float, float]]]]:
        """Jobs that ran, and when each of their runs began and ended."""
        for key, tasks in self._tasks.items():
            story = self._latest.get(key)
            if story is None:
                for task in tasks:
                    self._listing.add(task.line, TASK_ALONE)
            elif story.job is None:
                self._list_tasks(tasks)
            else:
                story.job = self._with_usage(story, story.job, tasks)
        return [(job, story.runs) for story in self._stories if (job := self._job_of(story))]

    def _job_of(self, story: _Story) -> LogJob | None:
        """Job of a story, on the line of its last run; the other lines are listed."""
        job = story.job
        last = story.lines[-1] if job is None else job.line
        for line in story.lines:
            if line != last:
                self._listing.add(line, EARLIER_RUN)
        if job is None:
            self._listing.add(last, NEVER_STARTED)
            return None
        extra = {**job.extra, "tres/node": story.nodes}
        if not self.has_gpus:
            del extra[_GPUS]
        cpu_time = per_processor(job.cpu_time, max(job.processors, 1))
        job = job._replace(cpu_time=cpu_time, extra=extra)
        return job if within_limit(job, self._listing) else None

    def _job(self, record: _Record, submit: float, run: tuple[float, float]) -> LogJob:
        cells, names = record.cells, self.names
        asked = dict(
            each.partition("=")[::2]
            for requests in _REQUESTS.findall(cells.get("category", ""))
            for each in requests.split(",")
        )
        slots = int(self._or_unknown(record, partial(whole, cells["slots"], "slots")))
        exact = _SLOTS.search(cells.get("category", ""))
        limit = self._first(record, asked, _TIMES, duration)
        at_limit = 0 < limit <= run[1] - run[0]
        state = self._listing.or_nothing(record.line, partial(_state, record, at_limit))
        return LogJob(
            record.line,
            submit,
            run=round(run[1] - run[0], _DIGITS),
            processors=slots or MISSING,
            job_id=whole(cells["job_number"]),
            requested_processors=int(exact[1]) if exact else slots or MISSING,
            requested_time=limit,
            requested_memory=self._first(record, asked, _SIZES, _kilobytes),
            status=status_of(state),
            user=names.user.number(cells["owner"]),
            group=names.group.number(_said(cells[self._options.group])),
            executable=names.executable.number(cells["job_name"]),
            queue=names.queue.number(cells["qname"]),
            extra={
                **names.extra(state=state, **{kind: _said(cells[kind]) for kind in self._others}),
                _GPUS: self._gpus(record, asked, slots),
            },
        )

    def _gpus(self, record: _Record, asked: Mapping[str, str], slots: int) -> float:
        """GPUs of a job: as many as it asked for."""
        name = self._options.gpu
        each = self._or_unknown(record, partial(whole, asked.get(name, "0"), name))
        self.has_gpus |= each > 0
        return each * max(slots, 1) if self._options.gpu_per == "slot" and each > 0 else each

    def _first(
        self,
        record: _Record,
        asked: Mapping[str, str],
        names: tuple[str, ...],
        read: Callable[[str, str], float | None],
    ) -> float:
        """Read what was asked for under the first of these names that is there; -1 for nothing."""
        name = next((name for name in names if name in asked), "")
        return self._or_unknown(record, lambda: read(asked[name], name) if name else None)

    def _amount(self, record: _Record, name: str) -> float:
        text = record.cells.get(name, "")
        return self._or_unknown(record, lambda: number(text, name) if text else None)

    def _or_unknown(self, record: _Record, read: Callable[[], float | None]) -> float:
        return self._listing.or_unknown(record.line, read)

    def _with_usage(self, story: _Story, job: LogJob, used: list[_Usage]) -> LogJob:
        """Job that used this, too: CPU time adds up (s), memory is that of the largest process."""
        self._list_tasks([each for each in used if each.line != job.line])
        story.hosts.update(each.host for each in used)
        seconds = [cpu for cpu in (job.cpu_time, *(each.cpu for each in used)) if cpu >= 0]
        largest = max(job.memory, *(each.memory for each in used))
        return job._replace(
            cpu_time=sum(seconds) if seconds else MISSING,
            memory=largest if largest > 0 else MISSING,
        )

    def _list_tasks(self, tasks: list[_Usage]) -> None:
        for task in tasks:
            self._listing.add(task.line, TASK)


def _record(line: int, text: str) -> _Record:
    cells = dict(zip(_FIELDS, text.split(":", len(_FIELDS) - 1), strict=False))
    if "task_number" not in cells:
        raise RecordError(TOO_FEW_FIELDS, text)
    rest = _REST.fullmatch(cells.get("category", ""))
    if rest is None:  # pragma: no cover  any text matches
        return _Record(line, cells, "NONE", "")
    more = (rest["more"] or "").split(":")
    deleted_by = more[_DELETED_BY] if len(more) > _DELETED_BY else "NONE"
    return _Record(line, cells | {"category": rest["category"]}, rest["task"] or "NONE", deleted_by)


def _said(text: str) -> str:
    return "" if text == "NONE" else text


def _time(cells: Mapping[str, str], name: str) -> float | None:
    """Unix time (s), which Univa and Altair write in milliseconds; None for what did not happen."""
    text = cells[name]
    in_ms = len(text) > _SECONDS and text.isdecimal()
    return unix_time(f"{text[:-3]}.{text[-3:]}" if in_ms else text, name)


def _failed_to_start(record: _Record, run: float) -> bool:
    """Whether a job that Grid Engine could not start is there with a run of no time."""
    return run == 0 and record.cells["failed"] not in {"0", str(_ENDED_BY_SIGNAL)}


def _state(record: _Record, ran_to_limit: bool) -> str:
    if record.deleted_by not in {"NONE", ""}:
        return cancelled_by(record.deleted_by, record.cells["owner"])
    failed, exit_status = (whole(record.cells[key], key) for key in ("failed", "exit_status"))
    if failed in _BY_SIGNAL and ran_to_limit:
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
