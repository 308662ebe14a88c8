"""A run directory read back."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import swfx
from swfx import InputError, Workload
from utilitysched.model.segments import Segments
from utilitysched.runs.jobs_csv import read_times
from utilitysched.runs.segments_csv import SEGMENTS_FILE, read_segments
from utilitysched.runs.target import RECORD_FILE, WORKLOAD_FILE
from utilitysched.runs.writing import JOBS_FILE, file_digest, recorded_digest

SIMULATE_AGAIN = "simulate again with --out"


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
    """

    workload: Workload
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    record: dict[str, Any]
    segments: Segments | None = None
    held: Sequence[str] = ()

    @property
    def running_time(self) -> NDArray[np.float64] | None:
        """For how long each job held its processors (s); None where from start to end."""
        if self.segments is None:
            return None
        return self.segments.per_job(self.segments.elapsed, len(self.workload))


def read_run(directory: Path) -> StoredRun:
    """Read the run in ``DIR/<label>/``, with the workload of ``DIR``.

    Parameters
    ----------
    directory : Path
        A run directory, as `simulate --out` leaves it.

    Raises
    ------
    InputError
        It is no run directory, its files belong to different runs, or the workload above it is
        another one.
    """
    record = _read_record(directory)
    _refuse_another(directory, JOBS_FILE)
    workload = swfx.read(directory.resolve().parent / WORKLOAD_FILE, cleaning="none").workload
    if workload.digest() != record["workload"]["digest"]:
        raise InputError(
            f"{WORKLOAD_FILE} is another workload than the one simulated here",
            source=str(directory),
            remedy=SIMULATE_AGAIN,
        )
    submit, start, end = read_times(directory / JOBS_FILE)
    fails = "failures" in record.get("simulation", {})
    segments, held = _segments(directory, len(workload), fails=fails)
    return StoredRun(workload.replace(submit=submit), start, end, record, segments, held)


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
    found = sorted(str(path.parent) for path in directory.glob(f"*/{RECORD_FILE}"))
    if not found:
        return "make one with: utilitysched simulate WORKLOAD --out DIR"
    return f"name one of: {', '.join(found)}"
