"""Charges and statements as files: written to a temporary name, renamed when complete."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from pricing.charges import Charges
from pricing.checks import check_charges, individual_rationality
from pricing.ledger import amount, plain
from pricing.statement import KINDS, statement
from swfx.atomic import atomic_write
from swfx.options import as_text

CHARGE_COLUMNS = (
    "job_id",
    "user",
    "group",
    "queue",
    "status",
    "month",
    "submit",
    "start",
    "end",
    "processors",
    "processor_hours",
    "mechanism",
    "rate",
    "charge",
    "utility",
    "start_value",
)
"""Columns of ``charges.csv``: s for times, SU for money, SU per processor-hour for the rate."""


def write_charges(path: Path, charges: Charges) -> Path:
    """Write one line per job that pays.

    ``charge`` is the exact decimal line; ``utility`` and ``start_value`` are in shortest round-trip
    form, empty for a job without utility function, as ``rate`` is for a charge that has none.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    return _write_rows(path, CHARGE_COLUMNS, zip(*_columns(charges), strict=True))


def write_statements(
    directory: Path,
    charges: Charges,
    *,
    by: Sequence[str] = KINDS,
    decimals: int | None = None,
) -> list[Path]:
    """Write ``charges.csv``, one ``statement-by-KIND.csv`` per kind, and ``statements.json``.

    Parameters
    ----------
    directory : Path
        Made if it does not exist.
    charges : Charges
        Job lines.
    by : sequence of str
        Kinds of statement, of `pricing.KINDS`.
    decimals : int, optional
        Round the statements' lines; see `pricing.statement.statement`.

    Returns
    -------
    list of Path
        The files, in the order in which they were written.

    Raises
    ------
    InputError
        If a kind is unknown (before anything is written) or the directory cannot be written.
    """
    tables = {kind: statement(charges, kind, decimals=decimals) for kind in by}
    report = _report(charges, tables)
    written = [write_charges(directory / "charges.csv", charges)]
    for kind, table in tables.items():
        path = directory / f"statement-by-{kind}.csv"
        rows = zip(*_statement_columns(table), strict=True)
        written.append(_write_rows(path, (kind, *table.columns), rows))
    text = json.dumps(report, indent=2) + "\n"
    written.append(_write_text(directory / "statements.json", text))
    return written


def _columns(charges: Charges) -> list[list[object]]:
    jobs, outcome = charges.workload, charges.outcome
    valued = jobs.utility.defined
    return [
        jobs.job_id.tolist(),
        jobs.user.tolist(),
        jobs.group.tolist(),
        jobs.queue.tolist(),
        jobs.status.tolist(),
        charges.month.tolist(),
        _texts(jobs.submit),
        _texts(outcome.start),
        _texts(outcome.end),
        jobs.size.tolist(),
        _texts(outcome.processor_hours),
        [charges.mechanism] * len(charges),
        _texts(charges.rate),
        [plain(amount(units, charges.ledger.decimals)) for units in charges.ledger.units.tolist()],
        _texts(np.where(valued, outcome.utility, np.nan)),
        _texts(np.where(valued, jobs.utility.start_values, np.nan)),
    ]


def _texts(values: npt.NDArray[np.float64]) -> list[object]:
    return ["" if math.isnan(value) else as_text(value) for value in values.tolist()]


def _statement_columns(table: pd.DataFrame) -> list[list[object]]:
    return [
        table.index.tolist(),
        table["jobs"].tolist(),
        _texts(table["processor_hours"].to_numpy()),
        _texts(table["utility"].to_numpy()),
        [plain(money) for money in table["charge"].tolist()],
    ]


def _report(charges: Charges, tables: dict[str, pd.DataFrame]) -> dict[str, object]:
    rationality = individual_rationality(charges)
    return {
        "mechanism": charges.mechanism,
        "jobs": len(charges),
        "excluded_by_status": charges.excluded,
        "never_started": charges.unstarted,
        "capped_at_utility": charges.capped,
        "total": charges.total,
        "total_billed": plain(charges.billed),
        "decimals": charges.ledger.decimals,
        "checks": [check._asdict() for check in check_charges(charges)],
        "charged_above_utility": {
            "jobs": len(rationality.job_ids),
            "of": rationality.judged,
            "overcharge": rationality.overcharge,
        },
        "statements": {
            kind: [
                dict(zip((kind, *table.columns), line, strict=True))
                for line in zip(*_statement_columns(table), strict=True)
            ]
            for kind, table in tables.items()
        },
    }


def _write_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with atomic_write(path, parents=True) as stream, _text(stream) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    return path


def _write_text(path: Path, text: str) -> Path:
    with atomic_write(path, parents=True) as stream:
        stream.write(text.encode())
    return path


def _text(stream: BinaryIO) -> TextIO:
    return io.TextIOWrapper(stream, encoding="utf-8", newline="")
