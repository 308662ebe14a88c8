"""A bill made anew from what was written of it, and held against it cell by cell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pricing.basis import COLUMN, Basis
from pricing.charges import Charges, charge
from pricing.counterfactual import Counterfactual
from pricing.evidence import losses_of
from pricing.evidence_tables import EVIDENCE_FILE, Table, evidence_tables
from pricing.files import CHARGES_FILE, STATEMENTS_FILE, charge_columns, charge_rows
from pricing.ledger import TOLERANCE
from pricing.pivots import Pivots
from pricing.recorded import BILL_AGAIN, Recorded, read_table
from pricing.registry import make_mechanism
from pricing.replays import Replays
from pricing.states import BillTerms, with_failures
from pricing.waste import Waste
from swfx import InputError, Workload
from swfx.base.columns import Bools, Floats
from swfx.base.csv_columns import CsvColumns
from swfx.base.errors import failed
from swfx.base.options import as_text


class Fault(NamedTuple):
    """A cell of a bill that does not follow from the rest.

    Attributes
    ----------
    file : str
        Name of the file.
    line : int
        From 1, the header.
    job_id : str
        Number of the job that pays.
    field : str
        Column.
    written : str
        What the file says.
    found : str
        What follows from workload, schedule and evidence.
    """

    file: str
    line: int
    job_id: str
    field: str
    written: str
    found: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}: job {self.job_id}: field {self.field} says"
            f" {self.written or 'nothing'}, its evidence {self.found or 'nothing'}"
        )


@dataclass(frozen=True, eq=False)
class Recomputed:
    """A bill made anew.

    Attributes
    ----------
    charges : Charges
        What follows from workload, schedule and evidence.
    faults : tuple of Fault
        Where the files say otherwise; none in an honest bill.
    """

    charges: Charges
    faults: tuple[Fault, ...]


def recompute(  # noqa: PLR0913 - as `pricing.charge`
    directory: Path,
    workload: Workload,
    start: Floats,
    end: Floats,
    counterfactual: Counterfactual | None = None,
    *,
    used: Floats | None = None,
    waste: Waste | None = None,
    cut_short: Bools | None = None,
    shared: bool = False,
) -> Recomputed:
    """Compute every charge of a bill again.

    By the mechanism and the terms that the bill names, from the workload's utility functions, the
    times at which jobs ran, and what the bill has kept of what would have been. Then each cell of
    ``charges.csv`` and of the evidence is compared with what that gives: it must be the same text.

    Parameters
    ----------
    directory : Path
        With ``charges.csv``, ``statements.json`` and the evidence.
    workload : Workload
        n jobs.
    start, end : (n,) float64
        When each ran (s).
    counterfactual : Counterfactual, optional
        Ask this what would have been; default: read it from the evidence.
    used : (n,) float64, optional
        For how long each held its processors (s); default: from start to end.
    waste : Waste, optional
        What was lost where jobs were stopped, if they could be.
    cut_short : (n,) bool, optional
        Which jobs were killed before their work was done; default: none.
    shared : bool
        Jobs shared nodes.

    Raises
    ------
    InputError
        A file is missing or damaged, or the bill is of another schedule.
    """
    label, terms, basis, decimals = _agreed(directory / STATEMENTS_FILE)
    if cut_short is not None:
        workload = with_failures(workload, cut_short)
    pays = np.flatnonzero(np.isfinite(start) & ~terms.free(workload))
    reserve = bool(getattr(make_mechanism(label), "reserve", 0.0))
    columns = charge_columns(workload[pays], waste, basis, reserve=reserve)
    lines = read_table(directory / CHARGES_FILE, columns)
    if len(lines) != len(pays):
        raise InputError(
            f"has {len(lines)} lines where {len(pays)} jobs pay",
            source=lines.source,
            remedy=BILL_AGAIN,
        )
    known = counterfactual or Recorded(directory, lines, pays, workload.job_id)
    charges = charge(
        workload,
        start,
        end,
        label,
        exclude_statuses=terms.exclude_statuses,
        exclude_states=terms.exclude_states,
        cap=terms.cap,
        counterfactual=known,
        used=used,
        waste=waste,
        cut_short=cut_short,
        shared=shared,
    )
    charges = replace(charges, basis=basis, decimals=decimals)
    tables = evidence_tables(charges)
    if counterfactual is None and isinstance(charges.evidence, Replays):
        tables.pop(EVIDENCE_FILE, None)  # it is what was computed from
    return Recomputed(charges, tuple(_faults(directory, lines, charges, tables)))


def _agreed(path: Path) -> tuple[str, BillTerms, Basis | None, int | None]:
    """Return mechanism, terms, basis and decimals of a bill."""
    try:
        report: dict[str, Any] = json.loads(path.read_text("utf-8"))
        statuses, cap = report["exclude_statuses"], report["cap"]
        states = tuple(map(str, report.get("exclude_states", ())))
        terms = BillTerms(tuple(map(int, statuses)), bool(cap), states)
        basis = Basis.read(report[COLUMN]) if COLUMN in report else None
        decimals = int(report["decimals"]) if report["rounded"] else None
        return str(report["mechanism"]), terms, basis, decimals
    except OSError as error:
        raise failed("cannot be read", error, path, BILL_AGAIN) from error
    except (ValueError, KeyError, TypeError) as error:
        problem = "does not say who was let off, whether charges were cut, or how they are rounded"
        raise InputError(problem, source=str(path), remedy=BILL_AGAIN) from error


def _faults(
    directory: Path, lines: CsvColumns, charges: Charges, tables: Mapping[str, Table]
) -> Iterator[Fault]:
    columns = tuple(lines.cells)
    written = zip(*lines.cells.values(), strict=True)
    yield from differing(CHARGES_FILE, columns, written, charge_rows(charges))
    for name, (columns, rows) in tables.items():
        cells = read_table(directory / name, columns).cells
        yield from differing(name, columns, zip(*(cells[c] for c in columns), strict=True), rows)
    yield from _not_adding_up(charges)
    yield from _impossible(charges)


def differing(
    file: str,
    columns: Sequence[str],
    written: Iterable[Sequence[str]],
    recomputed: Iterable[Sequence[object]],
) -> Iterator[Fault]:
    """Yield the cells in which a table of a bill differs from what it should say.

    Parameters
    ----------
    file : str
        Its name.
    columns : sequence of str
        Of both, ``job_id`` among them.
    written, recomputed : iterable of rows
        What it says, and what follows from the evidence.
    """
    job, nothing = columns.index("job_id"), ("",) * len(columns)
    for line, (previous, cells) in enumerate(
        zip_longest(written, recomputed, fillvalue=nothing), start=2
    ):
        texts = [str(cell) for cell in cells]
        if list(previous) != texts:
            for name, mine, theirs in zip(columns, previous, texts, strict=True):
                if mine != theirs:
                    yield Fault(file, line, texts[job] or previous[job], name, mine, theirs)


def _not_adding_up(charges: Charges) -> Iterator[Fault]:
    """Yield jobs whose losses do not add up to the difference of others' utility."""
    known, jobs = charges.evidence, charges.outcome.position
    if isinstance(known, Pivots):
        more = np.nan_to_num(known.without_job - known.with_job) + known.reserved
        lost = known.losses._replace(loss=known.losses.planned).by_cause(len(more))
    elif isinstance(known, Replays):
        more, lost = known.difference.mean(axis=1), known.mean
    else:
        return
    size = np.maximum(np.abs(np.nan_to_num(known.with_job)), np.abs(lost))
    off = np.abs(more - lost)[jobs] > TOLERANCE * np.maximum(size[jobs], 1.0)
    for place in np.flatnonzero(off).tolist():
        job_id, job = str(charges.workload.job_id[place]), jobs[place]
        texts = as_text(more.item(job)), as_text(lost.item(job))
        yield Fault(CHARGES_FILE, place + 2, job_id, "without_job", *texts)


def _impossible(charges: Charges) -> Iterator[Fault]:
    """Yield losses at no start of their cause, or of more than the victim's curve begins with."""
    known, jobs = charges.evidence, charges.outcome
    if not isinstance(known, Pivots):
        return
    losses = losses_of(charges)
    most = np.append(jobs.workload.utility.start_values, np.inf)[jobs.places(losses.victim)]
    start = jobs.start[jobs.places(losses.cause)]
    begun = start == losses.time
    if known.starts is not None:
        starts = set(zip(known.starts.job.tolist(), known.starts.at.tolist(), strict=True))
        rows = zip(losses.cause.tolist(), losses.time.tolist(), strict=True)
        begun = np.array([row in starts for row in rows], np.bool_)
    held = (losses.time < start) & (known.reserved[losses.cause] > 0)
    for field, wrong, given, found in (
        ("had", losses.had > most * (1 + TOLERANCE), losses.had, most),
        ("time", ~(begun | held), losses.time, start),
    ):
        for row in np.flatnonzero(wrong).tolist():
            job_id = str(jobs.everybody[losses.cause[row]])
            texts = as_text(given.item(row)), as_text(found.item(row))
            yield Fault(EVIDENCE_FILE, row + 2, job_id, field, *texts)
