"""Run directories read back: the jobs with their times, or everything as it was simulated."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import swfx
from swfx import InputError, Workload
from swfx.accounting.jobs import FAILED
from utilitysched.analysis.metrics.jobs import TAU
from utilitysched.analysis.series.users import Bill
from utilitysched.model.machine import HeldBack
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Segments
from utilitysched.runs.bill_csv import CHARGES_FILE, read_bill
from utilitysched.runs.files import text_at
from utilitysched.runs.jobs_csv import (
    SEGMENTS_FILE,
    read_held,
    read_killed,
    read_segments,
    read_starts,
    read_times,
)
from utilitysched.runs.target import (
    BEGAN,
    JOBS_FILE,
    RECORD_FILE,
    SUMMARY_FILE,
    TIMING_FILE,
    WORKLOAD_FILE,
    file_digest,
    recorded_digest,
)
from utilitysched.schedulers.recorded import FAMILY as RECORDED

SIMULATE_AGAIN = "simulate again with `out`"

NEEDED = {"scheduler", "machine_size", "passes", "starvation_threshold"}
"""Of summary.json, to make the schedule again."""


class StoredRun(NamedTuple):
    """A finished simulation.

    Attributes
    ----------
    workload : Workload
        n jobs; their submit times are those of the simulation, which dependencies may have moved.
    start, end : (n,) float64
        When each ran (s), on the log's clock.
    record : dict
        run.json.
    segments : Segments or None
        The stretches in which jobs ran, where some could be stopped and go on later.
    held : list of str
        Processors of each segment, empty where they were left out; none without segments.
    logged_submit : (n,) float64 or None
        When the log says that jobs were submitted (s), of a run that was read from its files.
    killed : (n,) bool or None
        See `utilitysched.Schedule`.
    held_back : HeldBack or None
        For how long jobs waited for limits and windows; None without a machine file.
    """

    workload: Workload
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    record: dict[str, Any]
    segments: Segments | None = None
    held: Sequence[str] = ()
    logged_submit: NDArray[np.float64] | None = None
    killed: NDArray[np.bool_] | None = None
    held_back: HeldBack | None = None

    @property
    def shared(self) -> bool:
        """Whether jobs shared nodes."""
        return "shared" in self.record.get("simulation", {})

    @property
    def cut_short(self) -> NDArray[np.bool_]:
        """Which jobs were killed before their work was done, (n,)."""
        if self.killed is not None:
            return self.killed
        if self.segments is None or self.shared:
            return np.zeros(len(self.workload), np.bool_)
        return self.segments.cut_short(self.workload.effective_run)

    @property
    def status(self) -> NDArray[np.int64]:
        """SWF status of each job, (n,): 0, failed, if it was cut short."""
        return np.where(self.cut_short, FAILED, self.workload.status)

    @property
    def logged(self) -> Workload:
        """Workload with the log's submit times, of a run that was read from its files."""
        assert self.logged_submit is not None, "a run that was read from its files"
        return self.workload.replace(submit=self.logged_submit)

    @property
    def running_time(self) -> NDArray[np.float64] | None:
        """For how long each job held its processors (s); None where from start to end.

        In the log's own schedule a job that was suspended held none in the meantime.
        """
        if self.segments is None:
            suspended = self.workload.suspended
            if self.record.get("scheduler") != RECORDED or not (suspended > 0).any():
                return None
            return self.end - self.start - np.maximum(suspended, 0.0)
        return self.segments.per_job(self.segments.elapsed, len(self.workload))


def read_run(directory: str | Path) -> StoredRun:
    """Read the run in ``DIR/<label>/``, with the workload of ``DIR``.

    Raises
    ------
    InputError
        It is no run directory, its files belong to different runs, or the workload above it is
        another one.
    """
    directory = Path(directory)
    record = _read_record(directory)
    _refuse_another(directory, JOBS_FILE)
    workload = swfx.read(directory.resolve().parent / WORKLOAD_FILE, cleaning="none").workload
    if workload.digest() != record["workload"]["digest"]:
        # commitments, which stand on stored runs, know which jobs differ
        from utilitysched.runs.commitments import refuse_changed_jobs  # noqa: PLC0415

        refuse_changed_jobs(workload, directory.resolve().parent)
        raise InputError(
            f"{WORKLOAD_FILE} is another workload than the one simulated here",
            source=str(directory),
            remedy=SIMULATE_AGAIN,
        )
    submit, start, end = read_times(directory / JOBS_FILE)
    fails = "failures" in record.get("simulation", {})
    segments, held = _segments(directory, len(workload), fails=fails)
    times = workload.replace(submit=submit), start, end
    killed, held_back = read_killed(directory / JOBS_FILE), read_held(directory / JOBS_FILE)
    return StoredRun(*times, record, segments, held, workload.submit, killed, held_back)


def _refuse_another(directory: Path, name: str) -> None:
    if file_digest(directory / name) != recorded_digest(directory, name):
        raise InputError(
            f"{name} and run.json belong to different runs",
            source=str(directory),
            remedy=SIMULATE_AGAIN,
        )


def _segments(directory: Path, jobs: int, *, fails: bool) -> tuple[Segments | None, Sequence[str]]:
    if recorded_digest(directory, SEGMENTS_FILE) is None:
        return None, ()
    path = directory / SEGMENTS_FILE
    if not path.exists():
        raise InputError("is missing", source=str(path), remedy=SIMULATE_AGAIN)
    _refuse_another(directory, SEGMENTS_FILE)
    segments, held = read_segments(path, jobs)
    # where processors fail, which ones a job had was decided by the simulation
    return (replace(segments, processors=tuple(held)) if fails else segments), held


def _read_record(directory: Path) -> dict[str, Any]:
    path = directory / RECORD_FILE
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        complete = {"digest", "classes"} <= record["workload"].keys()
    except OSError as error:
        raise InputError(
            "is not the directory of a run: it holds no run.json",
            source=str(directory),
            remedy=_runs_below(directory),
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError):
        complete = False
    if not complete:
        raise InputError("is damaged", source=str(path), remedy=SIMULATE_AGAIN)
    if not (directory / JOBS_FILE).exists():
        raise InputError("is missing", source=str(directory / JOBS_FILE), remedy=SIMULATE_AGAIN)
    return record


def _runs_below(directory: Path) -> str:
    runs = list(map(str, _below(directory)))
    if not runs:
        return "make one with: utilitysched simulate WORKLOAD --out DIR"
    return f"name one of: {', '.join(runs)}"


class RunResults(NamedTuple):
    """A finished simulation with everything that its directory says.

    Attributes
    ----------
    directory : Path
        Where it was read from.
    label : str
        Of the scheduler.
    workload : Workload
        n jobs; their submit times are those of the simulation.
    schedule : Schedule
        When each ran; what a directory does not keep, wall-clock time apart, is as simulated.
    summary : dict
        summary.json: metrics by name.
    record : dict
        run.json.
    allocations : list of str or None
        Processors of each job, or of each segment where there are any; None if the run was written
        without.
    bill : Bill or None
        None without charges.csv.
    """

    directory: Path
    label: str
    workload: Workload
    schedule: Schedule
    summary: dict[str, Any]
    record: dict[str, Any]
    allocations: list[str] | None
    bill: Bill | None

    @property
    def tau(self) -> float:
        """Bound of the bounded slowdown (s)."""
        return float(self.summary.get("tau", TAU))

    @property
    def classes(self) -> dict[int, int] | None:
        """Queue number to priority class, where it differs from the default."""
        given = self.record["workload"]["classes"]
        return given and {int(queue): int(rank) for queue, rank in given.items()}


def read_results(directory: str | Path) -> RunResults:
    """Read a run directory with summary and bill.

    Raises
    ------
    InputError
        It is no run directory, or files in it are damaged or belong to different runs.
    """
    directory = Path(directory)
    run = read_run(directory)
    summary = _read_summary(directory / SUMMARY_FILE)
    backfilled, held = read_starts(directory / JOBS_FILE)
    if run.segments is not None:
        held = list(run.held) if any(run.held) else None
    label = str(run.record.get("scheduler", summary["scheduler"]))
    schedule = Schedule(
        start=run.start,
        end=run.end,
        backfilled=np.array(backfilled, np.bool_),
        machine_size=int(summary["machine_size"]),
        scheduler=label,
        passes=int(summary["passes"]),
        provenance=run.record.get("simulation", {}),
        starvation_threshold=float(summary["starvation_threshold"]),
        segments=run.segments,
        killed=run.killed,
        held=run.held_back,
    )
    charges = directory / CHARGES_FILE
    bill = read_bill(charges, run.workload, run.start) if charges.exists() else None
    return RunResults(directory, label, run.workload, schedule, summary, run.record, held, bill)


def run_directories(paths: Sequence[Path]) -> list[Path]:
    """Return run directories: those named, and for a directory of several runs, all in it.

    The latter are in the order in which they were simulated.

    Raises
    ------
    InputError
        A path is neither.
    """
    directories: dict[Path, Path] = {}
    for path in paths:
        runs = [path] if (path / RECORD_FILE).exists() else _below(path)
        if not runs:
            raise InputError(
                "holds no run",
                source=str(path),
                remedy="make one with: utilitysched simulate WORKLOAD --out DIR",
            )
        for run in runs:
            directories.setdefault(run.resolve(), run)
    return list(directories.values())


def _below(path: Path) -> list[Path]:
    directories = [record.parent for record in path.glob(f"*/{RECORD_FILE}")]
    return sorted(directories, key=lambda run: (_began(run), run))


def _began(run: Path) -> float:
    """Return the begin of a simulation (s, Unix time); infinity if unknown, to sort last."""
    return float(text_at(run / TIMING_FILE, BEGAN) or "inf")


def _read_summary(path: Path) -> dict[str, Any]:
    try:
        summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        complete = summary.keys() >= NEEDED
    except OSError as error:
        raise InputError("is missing", source=str(path), remedy=SIMULATE_AGAIN) from error
    except (ValueError, AttributeError):
        complete = False
    if not complete:
        raise InputError("is damaged", source=str(path), remedy=SIMULATE_AGAIN)
    return summary
