"""Tables of finished cells, for whatever reads CSV or Parquet."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.csv_rows import csv_text
from swfx.base.parquet import arrow
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.grid import Circumstances, GridEntry
from utilitysched.experiments.metric_names import (
    AUDIT_METRICS,
    BILL_METRICS,
    CEILING,
    METRICS,
    SHARED,
    SLOWDOWNS,
    STOPPED,
)
from utilitysched.experiments.store import Store

_RENAMED = {"jobs": "slice"}  # there is a metric of that name
PLACE = tuple(_RENAMED.get(name, name) for name in Circumstances._fields)
WHOLE = ("apply_seed", "utility_seed", "seed")
TEXTS = ("workload", "slice", "apply", "utilities", "scheduler", "mechanism", "cell")


class Sheet(NamedTuple):
    """A table of finished cells.

    Attributes
    ----------
    stem : str
        Of its files.
    labels : tuple of str
        Columns that tell the rows of one schedule apart.
    metrics : collection of str
        Columns of metrics.
    """

    stem: str
    labels: tuple[str, ...]
    metrics: Collection[str]

    @property
    def header(self) -> tuple[str, ...]:
        """All columns."""
        return (*PLACE, "scheduler", "seed", *self.labels, *self.metrics, "cell")

    @property
    def files(self) -> tuple[str, str]:
        """Names of its files."""
        return f"{self.stem}.csv", f"{self.stem}.parquet"


NOT_ALWAYS = (STOPPED, SHARED, CEILING, SLOWDOWNS)
"""Metrics that have columns only where some schedule has the first of them."""

RESULTS = Sheet("results", (), tuple(name for name in METRICS if name not in sum(NOT_ALWAYS, ())))

BILLED = Sheet("bills", ("mechanism",), BILL_METRICS)
AUDITED = Sheet("audits", ("mechanism",), AUDIT_METRICS)
SHEETS = (RESULTS, BILLED, AUDITED)
HEADER = RESULTS.header


class Finished(NamedTuple):
    """A row of the grid with what came out."""

    entry: GridEntry
    result: CellResult


class Priced(NamedTuple):
    """What a mechanism made of a schedule: a bill, or what lies would bring."""

    entry: GridEntry
    mechanism: str
    metrics: Mapping[str, Any]


def finished(entries: Iterable[GridEntry], store: Store) -> list[Finished]:
    """Return the rows that have results, in their order."""
    found = ((entry, store.get(entry.cell)) for entry in entries)
    return [Finished(entry, result) for entry, result in found if result is not None]


def billed(rows: Iterable[Finished]) -> list[Priced]:
    """Return the bills of rows that are bills."""
    return [Priced(row.entry, row.entry.cell.bill, row.result.metrics) for row in rows]


def audited(rows: Iterable[Finished]) -> list[Priced]:
    """Return what rows that are audits found, mechanism by mechanism: job by job."""
    return [
        Priced(row.entry, mechanism, row.result.metrics[mechanism])
        for row in rows
        if row.entry.cell.audit
        for mechanism in row.entry.cell.audit.mechanisms
    ]


def with_means(rows: Iterable[Priced]) -> list[Priced]:
    """Return the same with the means over the jobs, as `metric_names.AUDIT_METRICS` names them."""
    return [row._replace(metrics=_means(row.metrics)) for row in rows]


def _means(found: Mapping[str, Any]) -> dict[str, float]:
    measures = {name: one for name, one in found.items() if name != "truth"}
    jobs = len(found["truth"]["value"])
    means = {f"{name}_gain": _mean(one["gain"]) for name, one in measures.items()}
    shares = {f"{name}_share": _mean(one["lying"]) for name, one in measures.items()}
    return {"jobs_audited": jobs, "true_value": _mean(found["truth"]["value"]), **means, **shares}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def write_results(rows: Sequence[Finished], directory: Path) -> list[Path]:
    """Write ``results.csv``, and ``results.parquet`` where pyarrow is; each whole or not at all.

    Nothing in them depends on the clock or on the machine: the same grid gives the same bytes.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    absent = {
        name
        for names in NOT_ALWAYS
        if not any(names[0] in row.result.metrics for row in rows)
        for name in names
    }
    sheet = RESULTS._replace(metrics=tuple(name for name in METRICS if name not in absent))
    return _write(sheet, ((row.entry, (), row.result.metrics) for row in rows), directory)


def write_priced(sheet: Sheet, rows: Sequence[Priced], directory: Path) -> list[Path]:
    """Write what mechanisms made of schedules, as `write_results` does; nothing without a row.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    lines = [(row.entry, (row.mechanism,), row.metrics) for row in rows]
    return _write(sheet, lines, directory) if lines else []


def remove_results(directory: Path) -> None:
    """Remove the tables of a grid that is no longer complete."""
    for name in (name for sheet in SHEETS for name in sheet.files):
        (directory / name).unlink(missing_ok=True)


Line = tuple[GridEntry, tuple[str, ...], Mapping[str, Any]]
"""A row of the grid, its labels, and its metrics."""


def _write(sheet: Sheet, lines: Iterable[Line], directory: Path) -> list[Path]:
    table = [list(_values(sheet, line)) for line in lines]
    contents = (csv_text(sheet.header, table).encode(), _parquet(sheet.header, table))
    written = []
    for name, content in zip(sheet.files, contents, strict=True):
        if content is not None:
            written.append(write_whole(directory / name, content))
    return written


def _values(sheet: Sheet, line: Line) -> Iterator[object]:
    entry, labels, metrics = line
    yield from (*entry.circumstances, entry.scheduler, entry.seed, *labels)
    yield from (metrics.get(name) for name in sheet.metrics)
    yield entry.cell.key


def _parquet(header: Sequence[str], table: Sequence[Sequence[object]]) -> bytes | None:
    """Return the file, or None where pyarrow is not installed: CSV has everything, too."""
    try:
        pa, parquet = arrow()
    except InputError:
        return None
    columns = {}
    for i, name in enumerate(header):
        kind = pa.string() if name in TEXTS else pa.int64() if name in WHOLE else pa.float64()
        columns[name] = pa.array([row[i] for row in table], kind)
    target = io.BytesIO()
    parquet.write_table(pa.table(columns), target, compression="zstd")
    return target.getvalue()
