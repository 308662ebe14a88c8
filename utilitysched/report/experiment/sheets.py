"""Files of the cells and the comparisons of an experiment, for whatever reads CSV or Parquet."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.csv_rows import csv_text
from swfx.base.parquet import arrow
from utilitysched.experiments.comparisons import MetricResult
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
from utilitysched.experiments.results import ExperimentResult

_RENAMED = {"jobs": "slice"}  # there is a metric of that name
PLACE = tuple(_RENAMED.get(name, name) for name in Circumstances._fields)
WHOLE = ("apply_seed", "utility_seed", "seed")
TEXTS = ("workload", "slice", "apply", "utilities", "scheduler", "mechanism", "cell")

NOT_ALWAYS = (STOPPED, SHARED, CEILING, SLOWDOWNS)
"""Metrics that have columns only where some schedule has the first of them."""


class SheetRow(NamedTuple):
    """A row of the grid, labels that tell the rows of one schedule apart, and metrics."""

    entry: GridEntry
    labels: tuple[str, ...]
    metrics: Mapping[str, Any]


def write_sheets(result: ExperimentResult, directory: Path) -> list[Path]:
    """Write ``results.csv``, ``bills.csv`` and ``audits.csv``, and the same in Parquet.

    Parquet is left out where pyarrow is not installed, a sheet where it has no rows. Nothing in
    the files depends on the clock or on the machine: the same grid gives the same bytes.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    absent = {
        name
        for names in NOT_ALWAYS
        if not any(names[0] in run.result.metrics for run in result.runs)
        for name in names
    }
    simulated = [SheetRow(run.entry, (), run.result.metrics) for run in result.runs]
    written = _write(directory / "results", [n for n in METRICS if n not in absent], simulated)
    for stem, metrics, cells in (
        ("bills", BILL_METRICS, result.bills),
        ("audits", AUDIT_METRICS, result.audits),
    ):
        rows = [SheetRow(cell.entry, (cell.mechanism,), cell.metrics) for cell in cells]
        written += _write(directory / stem, metrics, rows, "mechanism") if rows else []
    return written


def _write(
    stem: Path, metrics: Collection[str], rows: Iterable[SheetRow], *labels: str
) -> list[Path]:
    header = (*PLACE, "scheduler", "seed", *labels, *metrics, "cell")
    table = [list(_values(row, metrics)) for row in rows]
    written = [write_whole(stem.with_suffix(".csv"), csv_text(header, table).encode())]
    parquet = _parquet(header, table)
    if parquet is not None:
        written.append(write_whole(stem.with_suffix(".parquet"), parquet))
    return written


def _values(row: SheetRow, metrics: Collection[str]) -> Iterator[object]:
    yield from (*row.entry.circumstances, row.entry.scheduler, row.entry.seed, *row.labels)
    yield from (row.metrics.get(name) for name in metrics)
    yield row.entry.cell.key


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


COMPARISON_COLUMNS = (
    *("metric", "unit", "scheduler", "pairs", "mean", "published"),
    *("ratio", "ratio_low", "ratio_high", "published_ratio"),
    *("p", "p_corrected", "pairs_unequal", "effect"),
)


def comparisons_csv(result: ExperimentResult) -> str:
    """Return all comparisons as CSV, in one table."""
    factors = [factor for factor, _ in result.places[0].group]
    rows = [
        (*(value for _, value in place.group), *row)
        for place in result.places
        for one in place.metrics
        for row in _comparison_rows(one)
    ]
    return csv_text((*factors, *COMPARISON_COLUMNS), rows)


def _comparison_rows(one: MetricResult) -> Iterator[tuple[object, ...]]:
    for scheduler, comparison in one.by_scheduler.items():
        yield (
            one.metric.name,
            one.metric.unit,
            scheduler,
            comparison.pairs,
            comparison.mean,
            one.published.get(scheduler),
            comparison.ratio,
            *(comparison.interval or (None, None)),
            one.published_ratios.get(scheduler),
            comparison.p,
            comparison.corrected_p,
            comparison.unequal,
            comparison.rank_biserial,
        )
