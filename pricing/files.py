"""Charges and statements as files: written to a temporary name, renamed when complete."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

import numpy as np
import numpy.typing as npt

from pricing.charges import Charges
from pricing.checks import check_charges, individual_rationality
from pricing.ledger import amount, plain
from pricing.replays import Replays
from pricing.statement import KINDS, statement
from swfx.atomic import atomic_write
from swfx.options import as_text

if TYPE_CHECKING:
    import pandas as pd

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
    "standard_error",
    "utility",
    "start_value",
)
"""Columns of ``charges.csv``: s for times, SU for money, SU per processor-hour for the rate."""

REPLAY_COLUMNS = (
    "job_id",
    "seed",
    "begin",
    "end",
    "recoupled",
    "others",
    "with_job",
    "without_job",
    "difference",
)
"""Columns of ``replays.csv``: s for times, SU for utilities of the other jobs."""


def write_charges(path: Path, charges: Charges) -> Path:
    """Write one line per job that pays.

    ``charge`` is the exact decimal line; ``utility`` and ``start_value`` are in shortest round-trip
    form, empty for a job without utility function, as ``rate`` is for a charge that has none, and
    ``standard_error`` where it is not known.

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

    Where the log was replayed, ``replays.csv`` as well: what each pair of replays has shown.

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
    replays = directory / "replays.csv"
    if isinstance(charges.evidence, Replays):
        shown = _replay_rows(charges, charges.evidence)
        written.append(_write_rows(replays, REPLAY_COLUMNS, shown))
    else:
        replays.unlink(missing_ok=True)  # of an earlier bill
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
        _texts(_errors(charges)),
        _texts(np.where(valued, outcome.utility, np.nan)),
        _texts(np.where(valued, jobs.utility.start_values, np.nan)),
    ]


def _errors(charges: Charges) -> npt.NDArray[np.float64]:
    if charges.evidence is None:
        return np.full(len(charges), np.nan)
    return charges.evidence.error[charges.outcome.position]


def _replay_rows(charges: Charges, replays: Replays) -> Iterator[list[object]]:
    """Yield a row for each job and seed."""
    rows = charges.outcome.position.tolist()
    for job_id, row in zip(charges.workload.job_id.tolist(), rows, strict=True):
        for k, seed in enumerate(replays.seeds):
            amounts = (replays.having, replays.lacking, replays.difference)
            yield [
                job_id,
                seed,
                as_text(replays.begin.item(row)),
                as_text(replays.end.item(row, k)),
                str(replays.recoupled.item(row, k)).lower(),
                replays.count.item(row, k),
                *(as_text(amount.item(row, k)) for amount in amounts),
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
