"""All results of a run directory, as the objects that a simulation gave."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swfx import InputError, Workload
from utilitysched.analysis.metrics.times import TAU
from utilitysched.analysis.series.bills import Bill
from utilitysched.model.schedule import Schedule
from utilitysched.runs.charges_csv import CHARGES_FILE, read_bill
from utilitysched.runs.jobs_csv import read_starts
from utilitysched.runs.stored import SIMULATE_AGAIN, read_run
from utilitysched.runs.target import RECORD_FILE
from utilitysched.runs.writing import JOBS_FILE, SUMMARY_FILE

NEEDED = {"scheduler", "machine_size", "passes", "starvation_threshold"}
"""Of summary.json, to make the schedule again."""


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


def read_results(directory: Path) -> RunResults:
    """Read a run directory with its summary, and its bill if it has one.

    Raises
    ------
    InputError
        It is no run directory, or files in it are damaged or belong to different runs.
    """
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
    )
    charges = directory / CHARGES_FILE
    bill = read_bill(charges, run.workload, run.start) if charges.exists() else None
    return RunResults(directory, label, run.workload, schedule, summary, run.record, held, bill)


def run_directories(paths: Sequence[Path]) -> list[Path]:
    """Return run directories: those named, and for a directory of several runs, all in it.

    Raises
    ------
    InputError
        A path is neither.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        runs = [path] if (path / RECORD_FILE).exists() else _below(path)
        if not runs:
            raise InputError(
                "holds no run",
                source=str(path),
                remedy="make one with: utilitysched simulate WORKLOAD --out DIR",
            )
        for run in runs:
            found.setdefault(run.resolve(), run)
    return list(found.values())


def _below(path: Path) -> list[Path]:
    return sorted(record.parent for record in path.glob(f"*/{RECORD_FILE}"))


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
