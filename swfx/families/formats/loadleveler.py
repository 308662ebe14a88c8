"""History of IBM LoadLeveler, as `llsummary -l` lists it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob, waited
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import numbered
from swfx.accounting.quantities import duration, memory, per_processor, read_cores, whole
from swfx.accounting.record_error import RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.loadleveler_dates import Dates
from swfx.families.formats.loadleveler_listing import LoadLevelerStep, steps_of
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, imported
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import status_of

__all__ = ["LoadLeveler"]

NEVER_STARTED = Rule("never-started", "dropped", "the step has no date of dispatch")
NEVER_ENDED = Rule("never-ended", "dropped", "the step has no date of completion")
RESTARTED = Rule("restarted", "noted", "the step started more than once: only its last run is here")

CANCELLED_STATES = {"Removed", "Canceled", "Cancelled"}

_STEP_ID = re.compile(r".*\.([0-9]{1,15})\.[0-9]{1,9}")
_SECONDS = re.compile(r".*\(([0-9]{1,12}) seconds\)")
_CPUS = re.compile(r"ConsumableCpus\(\s*([0-9]{1,6})\s*\)")
_MEMORY = re.compile(r"ConsumableMemory\(([^()]*)\)")


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
        """Whether there is a job step."""
        return any(line.lstrip().startswith("Job Step Id:") for line in lines)

    def read_text(self, text: LogText) -> Imported:
        """Job steps of a listing."""
        listing = Listing(text.name)
        builder = _Builder(self, listing)
        jobs = JobColumns(job for step in steps_of(text) if (job := builder.job(step)))
        if not builder.steps:
            raise InputError(
                "lists no job step", source=text.name, remedy="give what llsummary -l prints"
            )
        listing.count(text.lines, builder.steps)
        jobs = numbered(jobs, listing)
        builder.note_zones()
        return imported(
            jobs, listing, header_lines=builder.names.header_lines(), zone=self.timezone
        )


class _Builder:
    """Makes jobs from steps, and lists the steps that give none."""

    def __init__(self, options: LoadLeveler, listing: Listing) -> None:
        self._cores = options.cores_per_node
        self._listing = listing
        self._dates = Dates(options.timezone)
        self.names = JobNames()
        self.steps = 0

    def job(self, step: LoadLevelerStep) -> LogJob | None:
        """Job of a step; None if it cannot be kept."""
        self.steps += 1
        try:
            job = self._job(step)
            starts = whole(step.values.get("Start Count") or "1", "Start Count")
        except RecordError as error:
            self._listing.refuse(step.line, error)
            return None
        if starts > 1:
            self._listing.add(step.line, RESTARTED)
        return job if within_limit(job, self._listing) else None

    def _job(self, step: LoadLevelerStep) -> LogJob:
        values = step.values
        start = self._date(values, "Dispatch Time", "Start Time", "Start Date")
        if start is None:
            raise RecordError(NEVER_STARTED, values.get("Status", ""))
        end = self._date(values, "Completion Date")
        if end is None:
            raise RecordError(NEVER_ENDED, values.get("Status", ""))
        submit = self._date(values, "Queue Date")
        processors = self._processors(step)
        number, state = _STEP_ID.fullmatch(values.get("Job Step Id", "")), _state(values)
        return LogJob(
            step.line,
            start if submit is None else submit,
            run=end - start,
            processors=processors,
            wait=waited(submit, start),
            job_id=int(number[1]) if number else MISSING,
            cpu_time=_cpu_time(values, processors),
            requested_processors=_partition(values, "Requested"),
            requested_time=_limit(values.get("Wall Clk Hard Limit", "")),
            requested_memory=_requested_memory(values),
            status=status_of(state),
            user=self.names.user.number(values.get("Owner", "")),
            group=self.names.group.number(values.get("Unix Group", "")),
            executable=self.names.executable.number(
                values.get("Executable") or values.get("Cmd", "")
            ),
            queue=self.names.queue.number(values.get("Class", "")),
            extra=self.names.extra(state=state),
        )

    def _date(self, values: Mapping[str, str], *keys: str) -> float | None:
        """Unix time under the first of these keys that has a date."""
        key = next((key for key in keys if values.get(key)), None)
        return None if key is None else self._dates.instant(values[key], key)

    def _processors(self, step: LoadLevelerStep) -> int:
        """Count processors: of a Blue Gene partition, of nodes that are not shared, or of tasks."""
        partition = _partition(step.values, "Allocated")
        if partition > 0:
            return partition
        if self._cores and step.hosts and step.values.get("Node Usage") == "not_shared":
            return step.hosts * self._cores
        serial = step.values.get("Step Type") == "Serial"
        return (step.tasks or (1 if serial else step.hosts)) * _cpus(step.values) or MISSING

    def note_zones(self) -> None:
        """Say which abbreviations of dates the time zone does not have."""
        strange = ", ".join(sorted(self._dates.strange_zones))
        if strange:
            self._listing.note(f"dates that say {strange} are read as of {self._dates.zone}")


def _partition(values: Mapping[str, str], which: str) -> int:
    """Size of a Blue Gene partition, allocated or requested; -1 for none."""
    text = values.get(f"BG Size {which}") or values.get(f"Size {which}")
    return whole(text, f"Size {which}") if text else MISSING


def _cpus(values: Mapping[str, str]) -> int:
    """Processors that each task asked for, 1 if it did not say."""
    match = _CPUS.search(values.get("Resources", ""))
    return int(match[1]) if match else 1


def _cpu_time(values: Mapping[str, str], processors: int) -> float:
    """Mean processor time per processor (s) of user and system; -1 where unknown."""
    keys = ("Step User Time", "Step System Time")
    times = [duration(values.get(key, "").replace("+", "-"), key) for key in keys]
    known = [time for time in times if time is not None]
    return per_processor(sum(known), processors) if len(known) == len(keys) else MISSING


def _limit(text: str) -> float:
    """Time (s) of `1+00:30:00 (88200 seconds)` or `00:30:00`; -1 for none."""
    spelt_out = _SECONDS.fullmatch(text)
    if spelt_out:
        return float(spelt_out[1])
    limit = None if text == "undefined" else duration(text.replace("+", "-"), "Wall Clk Hard Limit")
    return MISSING if limit is None else limit


def _requested_memory(values: Mapping[str, str]) -> float:
    """Memory that each task asked for, per processor (KB); -1 for none."""
    match = _MEMORY.search(values.get("Resources", ""))
    size = memory(match[1], "ConsumableMemory") if match else None
    return MISSING if size is None else size.kilobytes / _cpus(values)


def _state(values: Mapping[str, str]) -> str:
    """Name of Slurm for how a step ended; empty if it does not say."""
    status, code = values.get("Status", ""), values.get("Completion Code", "")
    if status in CANCELLED_STATES:
        return "CANCELLED"
    if status != "Completed":
        return "FAILED" if status else ""
    return "COMPLETED" if not code or whole(code, "Completion Code") == 0 else "FAILED"
