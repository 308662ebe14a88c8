"""Accounting logs of PBS, PBS Professional and Torque."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from swfx.accounting.dates import instant, ordered_instants, unix_time
from swfx.accounting.fields import Declaration, Label, LogField, amount
from swfx.accounting.imported import Record, built
from swfx.accounting.jobs import times_of
from swfx.accounting.listing import Listing
from swfx.accounting.outputs import blocks, flat, in_iso, json_entries, opened
from swfx.accounting.quantities import per_processor, whole
from swfx.accounting.record_error import (
    NOT_A_DATE,
    STILL_RUNNING,
    STILL_WAITING,
    TOO_FEW_FIELDS,
    RecordError,
)
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.zones import find_zone
from swfx.families.formats.pbs_resources import (
    allocated,
    gpus,
    kilobytes,
    nodes,
    of_cray,
    requested,
    seconds,
)
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import cancelled_by

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

_JOB_OF_QSTAT = re.compile(r"Job Id: *(\S+)")
_ATTRIBUTE = re.compile(r"^ +([A-Za-z_.]+) = (.*(?:\n\t.*)*)", re.MULTILINE)
_JSON = re.compile(r"\{")
_KEYS_OF_QSTAT = {
    "Job_Owner": "user", "euser": "user", "egroup": "group", "Job_Name": "jobname",
    "Account_Name": "account", "exit_status": "Exit_status", "stime": "start",
    "start_time": "start", "comp_time": "end", "obittime": "end",
}  # fmt: skip
"""What `qstat -f` of PBS and Torque prints, by key of the log; the later keys count."""

_OVER, _RUNS = frozenset("FCXM"), frozenset("RESU")
"""Letters of job_state: finished, completed, expired, moved; running, exiting, suspended."""

_RECORD = re.compile(r"([0-9/]{10} [0-9:]{8});([A-Za-z]);([^;]+)(?:;(.*))?")
_KEY = re.compile(r"(?:^|\s)([A-Za-z_][A-Za-z0-9_.]*)=")
_JOB = re.compile(r"0*([0-9]+(?:\[[0-9]+\]|-[0-9]+)?)")
_RESOURCES = "Resource_List."
_LIMIT = f"{_RESOURCES}walltime"
_RAN, _CPU_TIME, _MEMORY = (f"resources_used.{key}" for key in ("walltime", "cput", "mem"))
_CRAY = tuple(f"{_RESOURCES}{key}" for key in ("mppwidth", "mppdepth", "size"))
_REQUESTS = tuple(f"{_RESOURCES}{key}" for key in ("select", "nodes", "ncpus", "procs"))
_GPUS = tuple(f"{_RESOURCES}{key}" for key in ("ngpus", "select", "nodes"))
_BY_SIGNAL = 128
"""Exit codes above are of jobs that a signal ended."""

_EXITS = {
    **dict.fromkeys((-1, -2, -3, -7), "LAUNCH_FAILED"), **dict.fromkeys((-4, -5, -6), "NODE_FAIL"),
}  # fmt: skip
_EXITS_OF_PBS = {-26: "OUT_OF_MEMORY", -27: "OUT_OF_MEMORY", -28: "TIMEOUT", -29: "TIMEOUT"}
_EXITS_OF_TORQUE = {-10: "OUT_OF_MEMORY", -11: "TIMEOUT", -12: "TIMEOUT"}
"""States by Exit_status below 0, which PBS sets itself."""

_NEEDED_TIMES, _OTHER_TIMES = ("ctime", "start", "end"), ("qtime", "etime")
_NO_PROJECT = "_pbs_project_default"


class PbsRecord(NamedTuple):
    """One line of the log; times are Unix times (s) by their names.

    A time of 0 means that something has not happened, and is left out. `ran` is the time that the
    job has run (s), -1 where unknown.
    """

    line: int
    written: float
    kind: str
    job: str
    values: dict[str, str]
    times: dict[str, float]
    ran: float


class PbsRun(NamedTuple):
    """One run of a job (Unix times, s), and the record that ended it."""

    start: float
    end: float
    record: PbsRecord


@IMPORTERS.register("pbs")
@dataclass(frozen=True)
class Pbs(LineImporter):
    """Accounting log of PBS, PBS Professional or Torque (server_priv/accounting), or qstat -xf.

    Files of several days may be joined. A job is kept if the log says that it started and ended.
    Of `qstat -x -f`, as text or with `-F json`, jobs end when qstat says that they did (obittime,
    comp_time), else when their walltime was over, else with their last change (mtime).

    Parameters
    ----------
    timezone : ZoneInfo
        Of the dates of qstat, and of those that records begin with; the latter count only where a
        record has no Unix times.

    References
    ----------
    Torque administrator guide, "Accounting records"; PBS Professional reference guide, "Accounting
    log" and "Job attributes".
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line is a record, or it is what qstat prints."""
        is_qstat = re.search(r'"(?:pbs_version|Job_Owner)" *:|^Job Id:', "\n".join(lines), re.M)
        return bool(is_qstat or _RECORD.match(lines[0]))

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an accounting log, or of what qstat prints."""
        listing = Listing(text.name)
        layout, lines = opened(text, _RECORD, _JOB_OF_QSTAT, _JSON)
        parse: Callable[[int, Any, tzinfo, Listing], PbsRecord] = _of_qstat
        entries: Iterable[tuple[int, Any]]
        if layout == 3:
            remedy = "give what qstat -x -f -F json prints"
            entries = json_entries(lines, text, listing, remedy, _jobs_of_json)
        elif layout == 2:
            entries = ((line, _attributes(job)) for line, job in blocks(lines, _JOB_OF_QSTAT))
        else:
            entries, parse = ((line, record) for line, record in lines if record.strip()), _record
        stories = _stories(_records(entries, parse, self.timezone, listing))
        return built(_DECLARATION, _jobs(stories), text, listing, self.timezone)


def _jobs(stories: Iterable[Sequence[PbsRecord]]) -> Iterator[Record]:
    """Yield the last record of each job that ran, with what all records say, and errors of others.

    Parameters
    ----------
    stories : iterable of sequence of PbsRecord
        Records of each job.
    """
    for records in stories:
        runs = _runs(records)
        last = runs[-1].record if runs else records[-1]
        for record in records:
            if record is not last:
                yield record.line, RecordError(OTHER_RECORD, record.kind)
        if runs and last.kind in ENDS:
            yield last.line, _job(records, runs)
        else:
            started = any(record.kind in STARTS for record in records)
            yield last.line, RecordError(NEVER_ENDED if started else NEVER_STARTED, last.kind)


def _job(records: Sequence[PbsRecord], runs: Sequence[PbsRun]) -> dict[str, Any]:
    """Return the values of all records of a job, the later ones first, and its times (s)."""
    start, end, last = runs[-1]
    deleted = next((record for record in records if record.kind == "D"), None)
    return {
        **{key: text for record in records for key, text in record.values.items()},
        "submit": _submission(records),
        "start": start,
        "end": end,
        "eligible": next((each.times["etime"] for each in records if "etime" in each.times), None),
        "reruns": len(runs) - 1,
        "job": last.job,
        "kind": "D" if deleted else last.kind,
        "requestor": deleted.values.get("requestor", "") if deleted else "",
    }


def _records(
    entries: Iterable[tuple[int, Any]],
    parse: Callable[[int, Any, tzinfo, Listing], PbsRecord],
    zone: tzinfo,
    listing: Listing,
) -> Iterator[PbsRecord]:
    for line, entry in entries:
        listing.records += 1
        try:
            record = parse(line, entry, zone, listing)
        except RecordError as error:
            listing.refuse(line, error)
            continue
        if record.kind not in JOB_TYPES:
            listing.add(line, NOT_A_JOB)
        elif "[]" in record.job:
            listing.add(line, ARRAY)
        else:
            yield record


def _stories(records: Iterable[PbsRecord]) -> list[list[PbsRecord]]:
    """Divide records by job; a server that counts anew gives a name to several jobs."""
    stories: list[list[PbsRecord]] = []
    latest: dict[str, list[PbsRecord]] = {}
    for record in records:
        if record.job not in latest or _begins_another(latest[record.job], record):
            latest[record.job] = []
            stories.append(latest[record.job])
        latest[record.job].append(record)
    return stories


def _begins_another(story: Sequence[PbsRecord], record: PbsRecord) -> bool:
    """Whether a record begins another job: created at another time, or queued anew."""
    if record.kind == "Q":
        return any(earlier.kind == "E" for earlier in story)
    created = record.times.get("ctime")
    return any(earlier.times.get("ctime", created) != created for earlier in story if created)


def _record(line: int, text: str, zone: tzinfo, listing: Listing) -> PbsRecord:
    match = _RECORD.fullmatch(text)
    if match is None:
        raise RecordError(TOO_FEW_FIELDS, text)
    date, kind, job, message = match.groups()
    values = _values(message or "")
    times = {key: unix_time(values.get(key, ""), key) for key in _NEEDED_TIMES}
    for key in _OTHER_TIMES:
        time = listing.or_unknown(line, partial(unix_time, values.get(key, ""), key))
        times[key] = time if time >= 0 else None
    happened = {key: time for key, time in times.items() if time is not None}
    ran = listing.or_unknown(line, lambda: seconds(values.get(_RAN, ""), _RAN))
    known = {sys.intern(key): sys.intern(text) for key, text in values.items() if key in _USED}
    return PbsRecord(line, _written(date, zone), kind, sys.intern(job), known, happened, ran)


def _jobs_of_json(document: Any) -> list[dict[str, str]]:
    """Return the attributes of the jobs that `qstat -F json` printed."""
    jobs = document.get("Jobs") if isinstance(document, dict) else None
    members = jobs.items() if isinstance(jobs, dict) else ()
    return [{"Job_Id": name, **flat(job)} for name, job in members]


def _attributes(block: str) -> dict[str, str]:
    """Return the attributes of a job that `qstat -f` printed; long ones go on behind a tab."""
    values = {key: text.replace("\n\t", "") for key, text in _ATTRIBUTE.findall(block)}
    return {"Job_Id": block.split(maxsplit=3)[2], **values}


def _of_qstat(line: int, job: dict[str, str], zone: tzinfo, listing: Listing) -> PbsRecord:
    """Return the record of the end of a job by its attributes."""
    state = job.get("job_state", "")
    name = job.get("Job_Id", "")
    if not (state and name):
        raise RecordError(TOO_FEW_FIELDS, name)
    if state not in _OVER and "[]" not in name:
        raise RecordError(STILL_RUNNING if state in _RUNS else STILL_WAITING, state)
    values = {**job, **{own: job[key] for key, own in _KEYS_OF_QSTAT.items() if job.get(key)}}
    values["user"] = values.get("user", "").partition("@")[0]
    ran = listing.or_unknown(line, lambda: seconds(values.get(_RAN, ""), _RAN))
    dates = (in_iso(values.get(key, "")) for key in (*_NEEDED_TIMES, "mtime"))
    created, start, end, changed = ordered_instants(tuple(dates), zone, (*_NEEDED_TIMES, "mtime"))
    if start is not None and end is None:
        end = changed if ran < 0 else start + ran
    times = {"ctime": created, "start": start, "end": end}
    happened = {key: time for key, time in times.items() if time is not None}
    known = {key: text for key, text in values.items() if key in _USED}
    kind = "A" if start is None else "S" if end is None else "E"
    return PbsRecord(line, 0.0, kind, name, known, happened, MISSING)


def _written(date: str, zone: tzinfo) -> float:
    """Return the Unix time (s) of a date such as 03/07/2024 09:30:00."""
    time = instant(f"{date[6:10]}-{date[:2]}-{date[3:5]}T{date[11:]}", zone)
    if time is None:
        raise RecordError(NOT_A_DATE, date)
    return time


def _values(message: str) -> dict[str, str]:
    """Values by key; a value reaches to the next key, as it may hold blanks."""
    keys = list(_KEY.finditer(message))
    ends = [*(key.start() for key in keys[1:]), len(message)]
    return {key[1]: message[key.end() : end].strip() for key, end in zip(keys, ends, strict=False)}


def _runs(records: Iterable[PbsRecord]) -> list[PbsRun]:
    """List the runs of one job: from a start, or what a stop says of it, to that stop."""
    runs: list[PbsRun] = []
    since: float | None = None
    for record in records:
        if record.kind in STARTS:
            since = record.times.get("start", record.written)
        elif record.kind in STOPS:
            end = record.times.get("end", record.written)
            since = record.times.get("start", since)
            if since is None and record.ran >= 0:
                since = end - record.ran
            if since is not None:
                if runs and runs[-1][:2] == (since, end):
                    runs.pop()  # the record is in the log once more
                runs.append(PbsRun(since, end, record))
            since = None
    return runs


def _submission(records: Sequence[PbsRecord]) -> float | None:
    """Return the time of creation, else of queueing; as a last resort that of a record."""
    for key in ("ctime", "qtime"):
        for record in records:
            if key in record.times:
                return record.times[key]
    queued = (record.written for record in records if record.kind == "Q")
    eligible = (record.times["etime"] for record in records if "etime" in record.times)
    return next(queued, next(eligible, None))


def _state(  # noqa: PLR0913, PLR0917 - one for each column
    kind: str, requestor: str, user: str, status: str, select: str, limit: float, run: float
) -> str:
    if kind == "D":
        return cancelled_by(requestor, user)
    if kind == "A":
        return "FAILED"
    if not status:
        return ""
    code = whole(status, "Exit_status")
    if code > _BY_SIGNAL and 0 < limit <= run:
        return "TIMEOUT"
    if code >= 0:
        return "FAILED" if code else "COMPLETED"
    return (_EXITS | (_EXITS_OF_PBS if select else _EXITS_OF_TORQUE)).get(code, "FAILED")


def _processors(exec_host: str, width: float) -> float | None:
    return max(allocated(exec_host), width) or None


def _requested(*cells: Any) -> float | None:
    *requests, width = cells
    return max(requested(*requests), width) or None


def _of_script(exec_host: str, width: float) -> bool:
    """Whether hosts and usage are those of a Cray job's script alone, or of hosts unknown."""
    return width > (allocated(exec_host) or MISSING)


def _nodes(exec_host: str, *others: Any) -> int | None:
    *requests, width = others
    gpus(*requests)  # where GPUs cannot be read, none of the resources is known
    return None if _of_script(exec_host, width) else nodes(exec_host) or None


def _used(column: str, read: Callable[[str, str], float | None]) -> LogField:
    """Return the field of an amount that the processes of a job used, for each processor."""

    def share(text: str, exec_host: str, width: float, processors: float) -> float | None:
        used = read(text, column) if text and not _of_script(exec_host, width) else None
        return None if used is None else per_processor(used, processors)

    return LogField((column, "exec_host"), share, ("width", "size"))


def _name(job: str) -> str:
    """Name of a job, or of a job of an array, without its server."""
    match = _JOB.match(job)
    return match[1] if match else job


_ENDS = ("kind", "requestor", "user", "Exit_status", f"{_RESOURCES}select")
_DECLARATION = Declaration(
    times=(("submit", "start", "end"), times_of),
    fields={
        "width": LogField(_CRAY, of_cray),
        "processors": LogField(("exec_host",), _processors, ("width",)),
        "requested_processors": LogField(_REQUESTS, _requested, ("width",)),
        "cpu_time": _used(_CPU_TIME, seconds),
        "memory": _used(_MEMORY, kilobytes),
        "requested_time": amount(_LIMIT, read=seconds),
        "eligible": LogField(("eligible",), lambda time: time or None),
        "requested_memory": (
            amount(f"{_RESOURCES}mem", of="requested_processors", read=kilobytes),
            amount(f"{_RESOURCES}pmem", read=kilobytes),
        ),
        "tres/node": LogField(("exec_host", *_GPUS), _nodes, ("width",)),
        "tres/gres/gpu": LogField(_GPUS, lambda *texts: gpus(*texts) or None),
    },
    labels={
        "user": Label(("user",)),
        "group": Label(("group",)),
        "job_name": Label(("jobname",)),
        "queue": Label(("queue",)),
        "account": Label(("account",), lambda text: text.strip('"')),
        "project": Label(("project",), lambda text: text.removeprefix(_NO_PROJECT)),
        "state": Label(_ENDS, _state, ("requested_time", "run")),
    },
    means={"executable": "job_name"},
    job=Label(("job",), _name),
    noted={RERUN: LogField(("reruns",), float)},
)
_USED = frozenset(_DECLARATION.columns)
"""Values that count for a job, besides the times; others would take most of the space."""
