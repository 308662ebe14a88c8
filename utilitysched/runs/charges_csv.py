"""charges.csv: what each job of a run pays, read back."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from swfx import InputError, Workload
from utilitysched.series.bills import Bill
from utilitysched.state import Floats

CHARGES_FILE = "charges.csv"
BILL_AGAIN = "bill again"


def read_bill(path: Path, workload: Workload, start: Floats) -> Bill:
    """Read the bill of a workload's schedule.

    Parameters
    ----------
    path : Path
        charges.csv: jobs that pay, in the order of the workload.
    workload : Workload
        n jobs.
    start : (n,) float64
        When each started (s); with its number, this tells which job a charge is for.

    Raises
    ------
    InputError
        It cannot be read, or is of another schedule.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [
                (int(row["job_id"]), float(row["start"]), row["mechanism"], float(row["charge"]))
                for row in csv.DictReader(file)
            ]
    except OSError as error:
        raise InputError(
            f"cannot be read: {(error.strerror or str(error)).lower()}", source=str(path)
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("is no bill of ours", source=str(path), remedy=BILL_AGAIN) from error
    charge = np.full(len(workload), np.nan)
    jobs = enumerate(zip(workload.job_id.tolist(), start.tolist(), strict=True))
    for number, begin, _, money in rows:
        charge[_next_job(jobs, (number, begin), path)] = money
    return Bill(rows[0][2] if rows else "", charge)


def _next_job(
    jobs: Iterator[tuple[int, tuple[int, float]]], wanted: tuple[int, float], path: Path
) -> int:
    for place, job in jobs:
        if job == wanted:
            return place
    raise InputError("is of another schedule", source=str(path), remedy=BILL_AGAIN)
