"""One run's files."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import swfx
from swfx import Workload
from utilitysched.model.schedule import Schedule
from utilitysched.runs.files import text_at, unwritable, write_json
from utilitysched.runs.jobs_csv import SEGMENTS_FILE, job_columns, segment_columns, write_jobs
from utilitysched.runs.target import RECORD_FILE

JOBS_FILE = "jobs.csv"
SUMMARY_FILE = "summary.json"
TIMING_FILE = "timing.json"
SCHEDULE_FILE = "schedule.swf.gz"

DERIVED_FILES = (
    SCHEDULE_FILE,
    "charges.csv",
    "evidence.csv",
    "starts.csv",
    "replays.csv",
    "bids.csv",
    "waste.csv",
    "vcg-replays.jsonl",
    "statement-by-*.csv",
    "statements.json",
    "invoice*.csv",
    "invoice.json",
)
"""Files that say something about one jobs.csv and nothing about another."""


@dataclass(frozen=True)
class Results:
    """What one simulation leaves on disk.

    Attributes
    ----------
    workload, schedule
        The jobs and when they ran.
    summary : mapping
        Metrics.
    record : mapping
        Provenance, without anything that depends on the clock.
    timing : mapping
        All that does.
    classes : mapping of int to int or None
        Queue number to priority class, where it differs from the default.
    allocations : sequence of str or None
        Processor numbers per job, or per segment where there are any.
    """

    workload: Workload
    schedule: Schedule
    summary: Mapping[str, object]
    record: Mapping[str, object]
    timing: Mapping[str, object]
    classes: Mapping[int, int] | None = None
    allocations: Sequence[str] | None = None


def write_run(directory: Path, results: Results, *, swf: bool = False) -> list[str]:
    """Write a run directory, each file whole or not at all, run.json last.

    run.json holds the sha256 of jobs.csv and segments.csv, so that files of two runs in one
    directory, left by a killed process, are noticed when they are read.

    Parameters
    ----------
    directory : Path
        Made if absent.
    results : Results
        What to write.
    swf : bool, default False
        Write the realised schedule as SWF too, waits filled in.

    Returns
    -------
    list of str
        Names of files removed because they described an earlier schedule.

    Raises
    ------
    InputError
        The directory cannot be written.
    """
    _make(directory)
    before = [recorded_digest(directory, name) for name in (JOBS_FILE, SEGMENTS_FILE)]
    columns = job_columns(
        results.workload,
        results.schedule,
        classes=results.classes,
        allocations=results.allocations,
    )
    write_jobs(directory / JOBS_FILE, columns)
    digest = file_digest(directory / JOBS_FILE)
    pieces = _write_segments(directory, results)
    changed = before != [digest, pieces.get(SEGMENTS_FILE)]
    removed = _remove_derived(directory) if changed else []
    if swf:
        swfx.write(realised(results.workload, results.schedule), directory / SCHEDULE_FILE)
    write_json(directory / SUMMARY_FILE, results.summary)
    write_json(directory / TIMING_FILE, results.timing)
    write_json(directory / RECORD_FILE, {**results.record, "files": {JOBS_FILE: digest} | pieces})
    return removed


def _write_segments(directory: Path, results: Results) -> dict[str, str]:
    """Write segments.csv where there are any, and return its digest by its name."""
    path = directory / SEGMENTS_FILE
    if results.schedule.segments is None:
        path.unlink(missing_ok=True)
        return {}
    write_jobs(path, segment_columns(results.workload, results.schedule, results.allocations))
    return {SEGMENTS_FILE: file_digest(path)}


def realised(workload: Workload, schedule: Schedule) -> Workload:
    """Return the workload as it ran: times and processors of the schedule.

    The run time of a job that was stopped and went on later is the time in all its segments, and
    its wait the rest of its turnaround: SWF has one line for it.
    """
    return workload.replace(
        submit=schedule.submitted(workload),
        wait=schedule.queued(workload),
        run=schedule.running_time,
        processors=workload.size,
        utility=swfx.UtilityTable.empty(len(workload)),
    )


def file_digest(path: Path) -> str:
    """Return the sha256 of a file's bytes (hex)."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recorded_digest(directory: Path, name: str = JOBS_FILE) -> str | None:
    """Return the sha256 of a file that a directory's run.json holds, None if it holds none."""
    return text_at(directory / RECORD_FILE, "files", name)


def _make(directory: Path) -> None:
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(directory, error) from error


def _remove_derived(directory: Path) -> list[str]:
    present = sorted(path for pattern in DERIVED_FILES for path in directory.glob(pattern))
    for path in present:
        path.unlink()
    return [path.name for path in present]
