"""Charges and statements as files: written to a temporary name, renamed when complete."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pricing.basis import COLUMN, Basis, columns_with, rows_with
from pricing.charges import Charges
from pricing.checks import check_charges, individual_rationality
from pricing.evidence import for_later, reserve_of
from pricing.evidence_tables import EVIDENCE_FILES, evidence_tables
from pricing.keys import written_kinds
from pricing.ledger import amount, plain
from pricing.outcome import resource_columns
from pricing.pivots import Pivots
from pricing.reader import Readings, Rounds
from pricing.resources import resource_names
from pricing.statements import (
    DisplacedTotal,
    WasteTotal,
    displaced_total,
    statement,
    stop_amounts,
    waste_total,
)
from pricing.waste import Waste
from swfx import Workload
from swfx.base.atomic import write_whole
from swfx.base.columns import Floats, Ints
from swfx.base.csv_rows import write_csv
from swfx.base.options import as_text

if TYPE_CHECKING:
    import pandas as pd

CHARGES_FILE = "charges.csv"
STATEMENTS_FILE = "statements.json"

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
    "others",
    "with_job",
    "without_job",
    "reserved",
    "utility",
    "start_value",
    "reason",
)
"""Columns of ``charges.csv``: s for times, SU for money, SU per processor-hour for the rate."""

STOPPED_COLUMNS = ("preemptions", "failures", "wasted_hours", "own_charge", "waste_charge")
"""Columns, the last ones, only where jobs could be stopped and go on later."""

DISPLACED_COLUMNS = ("displacement_charge", "compensation")
"""Columns after these, only where jobs displaced others at a price."""

RESERVE_COLUMNS = ("reserve_price", "reserve_charge")
"""Columns behind those of stops, only where jobs pay for those who come later."""

BLOCK = 10_000
"""Lines that are written out at a time."""

PART_COLUMNS = ("part_of",)
"""The last column but one, where jobs have several parts: the number of the first."""


def charge_frame(charges: Charges) -> pd.DataFrame:
    """Return a table with the columns of ``charges.csv``; see `Charges.to_frame`."""
    import pandas as pd  # noqa: PLC0415  slow to import, needed only here

    columns = dict(zip(_names(charges), _columns(charges), strict=True))
    frame = pd.DataFrame(
        {
            name: column.rounded if isinstance(column, _Money) else column
            for name, column in columns.items()
        }
    )
    return frame if charges.basis is None else frame.assign(**{COLUMN: charges.basis.brief})


def _names(charges: Charges) -> tuple[str, ...]:
    """Columns of ``charges.csv`` but for the basis."""
    waste = charges.shares.waste if charges.shares else None
    reserve = reserve_of(charges) is not None
    return charge_columns(charges.workload, waste, reserve=reserve)


def charge_columns(
    jobs: Workload, waste: Waste | None, basis: Basis | None = None, *, reserve: bool = False
) -> tuple[str, ...]:
    """Return the columns of ``charges.csv``; `waste` is None where no job could be stopped."""
    columns = CHARGE_COLUMNS if waste is None else (*CHARGE_COLUMNS, *STOPPED_COLUMNS)
    if waste is not None and waste.value_lost is not None:
        columns = (*columns, *DISPLACED_COLUMNS)
    if reserve:
        columns = (*columns, *RESERVE_COLUMNS)
    further = (*jobs.label_columns(), *resource_names(jobs), *PART_COLUMNS[: len(_parts(jobs))])
    return columns_with((*columns, *further), basis)


def write_charges(path: Path, charges: Charges) -> Path:
    """Write ``charges.csv``, a line for each paying job.

    ``charge`` is the exact decimal line; ``utility`` and ``start_value`` are in shortest round-trip
    form, empty for a job without utility function, as ``rate`` is for a charge that has none, and
    ``standard_error`` to ``reserved`` where they are not known or nobody was asked. After these
    come `STOPPED_COLUMNS`, where jobs could be stopped, and `DISPLACED_COLUMNS`: ``own_charge``,
    ``waste_charge`` and ``displacement_charge``, less ``compensation``, are exact decimals that add
    up to the charge; and then names, `swfx.Workload.label_columns`. The last
    column is the `pricing.basis.Basis` in a few words, where that is known.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    columns = columns_with(_names(charges), charges.basis)
    return write_csv(path, columns, charge_rows(charges), parents=True)


def write_statements(
    directory: Path,
    charges: Charges,
    *,
    by: Sequence[str] | None = None,
) -> list[Path]:
    """Write ``charges.csv``, one ``statement-by-KIND.csv`` per kind, and ``statements.json``.

    Where it was asked what would have been, ``evidence.csv`` as well: who lost how much because of
    whom. Where the log was replayed, ``replays.csv``: what each pair of replays has shown. Where
    bids make prices, ``bids.csv``: whose bid was the price. Where charges go by what the scheduler
    read, ``readings.csv``: what each start was read to be worth. Where jobs could be stopped,
    ``waste.csv``: what each stop cost, and whom.

    Parameters
    ----------
    directory : Path
        Made if it does not exist.
    charges : Charges
        Job lines.
    by : sequence of str
        Kinds of statement; by default `pricing.KINDS`, accounts, projects and so on, of which the
        log has.

    Returns
    -------
    list of Path
        The files, in the order in which they were written.

    Raises
    ------
    InputError
        If a kind is unknown (before anything is written) or the directory cannot be written.
    """
    chosen = written_kinds(charges.workload) if by is None else by
    tables = {kind: statement(charges, kind) for kind in chosen}
    report = _document(charges, tables)
    written = [write_charges(directory / CHARGES_FILE, charges)]
    for kind, table in tables.items():
        path = directory / f"statement-by-{kind}.csv"
        columns = columns_with((kind, *table.columns), charges.basis)
        rows = rows_with(zip(*_statement_columns(table), strict=True), charges.basis)
        written.append(write_csv(path, columns, rows, parents=True))
    shown = evidence_tables(charges)
    for name in EVIDENCE_FILES:
        if name in shown:
            written.append(write_csv(directory / name, *shown[name], parents=True))
        else:
            (directory / name).unlink(missing_ok=True)  # of an earlier bill
    text = json.dumps(report, indent=2) + "\n"
    return [*written, write_whole(directory / STATEMENTS_FILE, text)]


def charge_rows(charges: Charges) -> Iterator[Sequence[object]]:
    """Yield the cells of each line of ``charges.csv``; few are written out at a time."""
    columns = _columns(charges)
    rows = (
        row
        for first in range(0, len(charges), BLOCK)
        for row in zip(*(_cells(each[first : first + BLOCK]) for each in columns), strict=True)
    )
    return rows_with(rows, charges.basis)


@dataclass(frozen=True, eq=False)
class _Money:
    """Amounts in minor units, and how many decimals these have."""

    units: Ints
    decimals: int

    def __getitem__(self, lines: slice) -> list[str]:
        return [plain(amount(units, self.decimals)) for units in self.units[lines].tolist()]

    @property
    def rounded(self) -> Floats:
        """The amounts, each rounded once."""
        return np.array([float(amount(units, self.decimals)) for units in self.units.tolist()])


def _columns(charges: Charges) -> list[Any]:
    """Return what stands in each column, to be taken by slices: arrays, lists, amounts."""
    jobs, outcome = charges.workload, charges.outcome
    valued = jobs.utility.defined
    return [
        jobs.job_id,
        jobs.user,
        jobs.group,
        jobs.queue,
        jobs.status,
        charges.month,
        jobs.submit,
        outcome.start,
        outcome.end,
        jobs.size,
        outcome.processor_hours,
        [charges.mechanism] * len(charges),
        charges.rate,
        _Money(charges.ledger.units, charges.ledger.decimals),
        *_asked(charges),
        np.where(valued, outcome.utility, np.nan),
        np.where(valued, jobs.utility.start_values, np.nan),
        charges.reason,
        *_stopped(charges),
        *_reserve(charges),
        *jobs.label_columns().values(),
        *resource_columns(outcome).values(),
        *_parts(jobs),
    ]


def _reserve(charges: Charges) -> list[Any]:
    """Return the price of each job's reserve and the part of its charge; nothing without one."""
    reserve, later = reserve_of(charges), for_later(charges)
    return [reserve.price, _Money(*later)] if reserve and later else []


def _parts(jobs: Workload) -> list[Floats]:
    """Return which heterogeneous job each line is a part of, if any is; NaN for none."""
    part_of = jobs.part_of
    return [np.where(part_of < 0, np.nan, part_of)] if (part_of > 0).any() else []


def _stopped(charges: Charges) -> list[Any]:
    """Return three columns: stops of each job, their cost, and the job's payment for stops."""
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return []
    preempted, decimals = shares.waste.preempted, parts.decimals
    counts = (
        np.bincount(shares.stopped[stops], minlength=len(charges))
        for stops in (preempted, ~preempted)
    )
    amounts = (parts.own, *stop_amounts(parts, shares.waste).values())
    return [
        *counts,
        charges.outcome.wasted_hours,
        *(_Money(units, decimals) for units in amounts),
    ]


def _asked(charges: Charges) -> list[Any]:
    """Return what is known of what would have been: error, others, with, without, reserved."""
    known, jobs = charges.evidence, charges.outcome.position
    nothing = np.full(len(charges), np.nan)
    if isinstance(known, Rounds):
        return [nothing, known.others, *[nothing] * 3]
    if known is None or isinstance(known, Readings):
        return [nothing] * 5
    reserved = known.reserved[jobs] if isinstance(known, Pivots) else nothing
    return [
        known.error[jobs],
        known.others[jobs],
        known.with_job[jobs],
        known.without_job[jobs],
        reserved,
    ]


def _texts(values: Floats) -> list[object]:
    return ["" if math.isnan(value) else as_text(value) for value in values.tolist()]


def _cells(values: Any) -> Sequence[object]:
    if not isinstance(values, np.ndarray):
        return list(values)
    return _texts(values) if values.dtype == np.float64 else values.tolist()


def _statement_columns(table: pd.DataFrame) -> list[list[object]]:
    return [table.index.tolist(), *(_statement_cells(table[name]) for name in table)]


def _statement_cells(column: pd.Series) -> list[object]:
    if column.dtype == np.float64:
        return _texts(column.to_numpy())
    return [plain(cell) if isinstance(cell, Decimal) else cell for cell in column.tolist()]


def bill_document(charges: Charges) -> dict[str, object]:
    """Return what ``statements.json`` holds, as JSON-able values."""
    kinds = written_kinds(charges.workload)
    return _document(charges, {kind: statement(charges, kind) for kind in kinds})


def _document(charges: Charges, tables: dict[str, pd.DataFrame]) -> dict[str, object]:
    rationality = individual_rationality(charges)
    return {
        **({COLUMN: charges.basis.document()} if charges.basis else {}),
        "mechanism": charges.mechanism,
        "jobs": charges.outcome.jobs,
        "excluded_by_status": charges.excluded,
        "never_started": charges.unstarted,
        "capped_at_utility": charges.capped,
        **_terms(charges),
        "total": float(charges.billed),
        "total_billed": plain(charges.billed),
        "decimals": charges.ledger.decimals,
        "rounded": charges.decimals is not None,
        **_total("waste", waste_total(charges)),
        **_total("displaced", displaced_total(charges)),
        "checks": [check._asdict() for check in check_charges(charges)],
        "weaknesses": [weakness._asdict() for weakness in charges.weaknesses],
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


def _terms(charges: Charges) -> dict[str, object]:
    """Return the columns of the agreed terms, with job states if the log has states."""
    terms = charges.terms._asdict()
    if not charges.terms.exclude_states:
        del terms["exclude_states"]
    return terms


def _total(name: str, total: WasteTotal | DisplacedTotal | None) -> dict[str, object]:
    if total is None:
        return {}
    fields = total._asdict().items()
    exact = {key: plain(each) if isinstance(each, Decimal) else each for key, each in fields}
    return {name: exact}
