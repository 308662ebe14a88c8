"""The directory that simulations write to, claimed before they start, and the files of a run."""

import fcntl
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import swfx
from swfx import InputError, Workload, write
from utilitysched.model.job_columns import job_columns, status
from utilitysched.model.schedule import Schedule
from utilitysched.runs.files import text_at, unwritable, write_json
from utilitysched.runs.jobs_csv import SEGMENTS_FILE, segment_columns, write_jobs

WORKLOAD_FILE = "workload.swfx.gz"
LOAD_REPORT_FILE = "load_report.json"
RECORD_FILE = "run.json"

_SEPARATORS = str.maketrans({":": "-", ",": "-", "=": "_"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")

JOBS_FILE = "jobs.csv"
SUMMARY_FILE = "summary.json"
TIMING_FILE = "timing.json"
BEGAN = "began_unix_s"
"""In it: when the simulation began."""
READ = "read_unix_s"
"""In it: when the log was first read for this schedule."""

SCHEDULE_FILE = "schedule.swf.gz"

FROM_BILL = ("invoice*.csv", "invoice.json", "reconciliation.csv")
"""Files that plug-ins make of charges.csv."""

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
    *FROM_BILL,
)
"""Files that say something about one jobs.csv and nothing about another."""


def directory_name(label: str) -> str:
    """Return a scheduler label as a file name that needs no quotes in a shell.

    Examples
    --------
    >>> directory_name("saf:threshold=200000,backfill=spf")
    'saf-threshold_200000-backfill_spf'
    """
    return _UNSAFE.sub("_", label.translate(_SEPARATORS)).lstrip(".") or "_"


@dataclass(frozen=True)
class Target:
    """A results directory: one workload on top, one directory per scheduler below.

    Attributes
    ----------
    directory : Path
        Exists and can be written.
    runs : mapping of str to Path
        Scheduler label to its run directory, which need not exist yet.
    """

    directory: Path
    runs: Mapping[str, Path]

    def replaced(self) -> list[str]:
        """Return the labels whose directories hold results already."""
        return [label for label, run in self.runs.items() if (run / RECORD_FILE).exists()]

    def strangers(self, digest: str) -> list[str]:
        """Return the names of other run directories here that were made from another workload."""
        others = {path.parent for path in self.directory.glob(f"*/{RECORD_FILE}")}
        others -= set(self.runs.values())
        return sorted(
            path.name
            for path in others
            if text_at(path / RECORD_FILE, "workload", "digest") != digest
        )

    def write_workload(self, workload: Workload, report: Mapping[str, object]) -> None:
        """Write the workload and the report of its reading."""
        write(workload, self.directory / WORKLOAD_FILE)
        document = {"workload_digest": workload.digest(), **report}
        write_json(self.directory / LOAD_REPORT_FILE, document, indent=None)


def claim(
    directory: Path, digest: str, labels: Iterable[str], *, force: bool | None = None
) -> Target:
    """Make a results directory and prove that it can be written, before anything long starts.

    Parameters
    ----------
    directory : Path
        Made with its parents if absent.
    digest : str
        Digest of the workload about to be simulated.
    labels : iterable of str
        Labels of the schedulers.
    force : bool, optional
        Accept a directory that holds another workload; None if nobody could say so.

    Raises
    ------
    InputError
        The directory cannot be made or written, holds another workload, or two labels share a
        directory name.
    """
    runs = _run_directories(directory, labels)
    for path in (directory, *(run for run in runs.values() if run.exists())):
        prove_writable(path)
    held = held_digest(directory)
    if held not in (None, digest) and not force:
        raise InputError(
            "holds the results of another workload",
            source=str(directory),
            remedy="choose another directory"
            + (", or `force=True` to replace it" if force is False else ""),
        )
    return Target(directory, runs)


@contextmanager
def sole_use(directory: Path) -> Iterator[None]:
    """Keep other processes out of a results directory while it is claimed.

    Of two that claim it at once for different workloads, the second finds the first one's.
    """
    handle = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def held_digest(directory: Path) -> str | None:
    """Return the digest of the workload a results directory holds, None if it holds none."""
    if not (directory / WORKLOAD_FILE).exists():
        return None
    return text_at(directory / LOAD_REPORT_FILE, "workload_digest") or "unknown"


def _run_directories(directory: Path, labels: Iterable[str]) -> dict[str, Path]:
    runs: dict[str, Path] = {}
    for label in labels:
        path = directory / directory_name(label)
        if path in runs.values():
            raise InputError(
                f"two schedulers would write to {path}",
                source=label,
                remedy="name each scheduler once",
            )
        runs[label] = path
    return runs


def prove_writable(directory: Path) -> None:
    """Make a directory with its parents if absent, and prove that files can be made in it.

    Raises
    ------
    InputError
        It cannot be made or written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        raise unwritable(directory, error) from error


@dataclass(frozen=True)
class Results:
    """Files of one simulation before writing.

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
    read = None if changed else text_at(directory / TIMING_FILE, READ)
    first = {} if read is None else {READ: float(read)}
    write_json(directory / TIMING_FILE, {**results.timing, **first})
    write_json(directory / RECORD_FILE, {**results.record, "files": {JOBS_FILE: digest} | pieces})
    return removed


def _write_segments(directory: Path, results: Results) -> dict[str, str]:
    """Write segments.csv of a schedule with segments, and return its digest by name."""
    path = directory / SEGMENTS_FILE
    if results.schedule.segments is None:
        path.unlink(missing_ok=True)
        return {}
    write_jobs(path, segment_columns(results.workload, results.schedule, results.allocations))
    return {SEGMENTS_FILE: file_digest(path)}


def realised(workload: Workload, schedule: Schedule) -> Workload:
    """Return the workload as it ran: times and processors of the schedule.

    The run time of a job that was stopped and went on later is the time in all its segments, and
    its wait the rest of its turnaround: SWF has one line for it. A job that was cut short failed.
    """
    return workload.replace(
        submit=schedule.submitted(workload),
        wait=schedule.queued(workload),
        run=schedule.running_time,
        status=status(workload, schedule),
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
