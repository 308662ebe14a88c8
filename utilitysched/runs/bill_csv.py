"""charges.csv, what each job of a run pays, read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from swfx import InputError, Workload
from swfx.base.csv_columns import read_columns
from swfx.base.numbers import CENTS
from utilitysched.analysis.series.users import Bill
from utilitysched.model.state import Floats

CHARGES_FILE = "charges.csv"
BILL_AGAIN = "bill again"

MOST_DIGITS, MOST_DECIMALS = 18, 324
"""Of amounts before the point, less one, and behind it: 64-bit units, floats written out."""

Made = TypeVar("Made")

Positions = npt.NDArray[np.int64]


class BillRow(NamedTuple):
    """What a bill says of one job; the charge as an exact decimal (SU)."""

    job_id: int
    start: float
    month: str
    mechanism: str
    charge: Decimal


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
    rows = bill_rows(path)
    charge = np.full(len(workload), np.nan)
    positions = billed_positions(rows, workload, start, path)
    charge[positions] = [float(row.charge) for row in rows]
    decimals = max((-int(row.charge.as_tuple().exponent) for row in rows), default=CENTS)
    return Bill(rows[0].mechanism if rows else "", charge, max(decimals, 0))


def require_bill(directory: Path) -> None:
    """Refuse the directory of a run that was not billed.

    Raises
    ------
    InputError
        Saying how that is done.
    """
    if not (directory / CHARGES_FILE).exists():
        raise InputError(
            "holds no bill",
            source=str(directory),
            remedy=f"make one with: utilitysched bill {directory}",
        )


def bill_rows(path: Path) -> list[BillRow]:
    """Read the lines of a bill, those of a file that is complete."""
    return rows_of(
        path,
        "is no bill of ours",
        lambda job, start, month, mechanism, charge: BillRow(
            int(job), float(start), month, mechanism, finite(charge)
        ),
        BillRow._fields,
    )


def rows_of(
    path: Path, problem: str, made: Callable[..., Made], columns: Sequence[str]
) -> list[Made]:
    """Make something of some cells of each row of a table of a bill.

    Raises
    ------
    InputError
        It cannot be read; or, with `problem`, lacks a column or has an amount that is none.
    """
    cells = read_columns(str(path), BILL_AGAIN).cells
    try:
        return [made(*row) for row in zip(*(cells[name] for name in columns), strict=True)]
    except (ValueError, KeyError, ArithmeticError) as error:
        raise InputError(problem, source=str(path), remedy=BILL_AGAIN) from error


def billed_positions(
    rows: Sequence[BillRow], workload: Workload, start: Floats, path: Path
) -> Positions:
    """Find which jobs of a workload the lines of its bill are for."""
    jobs = enumerate(zip(workload.job_id.tolist(), start.tolist(), strict=True))
    return np.array([_next_job(jobs, row, path) for row in rows], dtype=np.int64)


def _next_job(jobs: Iterator[tuple[int, tuple[int, float]]], wanted: BillRow, path: Path) -> int:
    for place, job in jobs:
        if job == (wanted.job_id, wanted.start):
            return place
    raise InputError("is of another schedule", source=str(path), remedy=BILL_AGAIN)


def finite(text: str) -> Decimal:
    """Read an amount.

    Raises
    ------
    ArithmeticError, ValueError
        It is none.
    """
    money = Decimal(text)
    if not money.is_finite() or money.adjusted() > MOST_DIGITS:
        raise ValueError(text)
    if int(money.as_tuple().exponent) < -MOST_DECIMALS:
        raise ValueError(text)
    return money
