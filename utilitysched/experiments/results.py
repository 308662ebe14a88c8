"""Finished cells as one table, for whatever reads CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.atomic import atomic_write
from swfx.parquet import arrow
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.figure_names import FIGURES
from utilitysched.experiments.grid import Circumstances, Entry
from utilitysched.experiments.store import Store

CSV_FILE = "results.csv"
PARQUET_FILE = "results.parquet"
_RENAMED = {"jobs": "slice"}  # there is a figure of that name
PLACE = tuple(_RENAMED.get(name, name) for name in Circumstances._fields)
HEADER = (*PLACE, "scheduler", "seed", *FIGURES, "cell")
WHOLE = ("apply_seed", "utility_seed", "seed")
TEXTS = ("workload", "slice", "apply", "utilities", "scheduler", "cell")


class Finished(NamedTuple):
    """A row of the grid with what came out."""

    entry: Entry
    result: CellResult


def finished(entries: Iterable[Entry], store: Store) -> list[Finished]:
    """Return the rows that have results, in their order."""
    found = ((entry, store.get(entry.cell)) for entry in entries)
    return [Finished(entry, result) for entry, result in found if result is not None]


def write_results(rows: Sequence[Finished], directory: Path) -> list[Path]:
    """Write ``results.csv``, and ``results.parquet`` where pyarrow is; each whole or not at all.

    Nothing in them depends on the clock or on the machine: the same grid gives the same bytes.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    table = [list(_values(row)) for row in rows]
    contents = {CSV_FILE: _csv(table), PARQUET_FILE: _parquet(table)}
    written = []
    for name, content in contents.items():
        if content is not None:
            with atomic_write(directory / name, parents=True) as stream:
                stream.write(content)
            written.append(directory / name)
    return written


def remove_results(directory: Path) -> None:
    """Remove the tables of a grid that is no longer complete."""
    for name in (CSV_FILE, PARQUET_FILE):
        (directory / name).unlink(missing_ok=True)


def _values(row: Finished) -> Iterator[object]:
    entry, result = row
    yield from (*entry.circumstances, entry.scheduler, entry.seed)
    yield from (result.figures.get(name) for name in FIGURES)
    yield entry.cell.key


def _csv(table: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(table)
    return text.getvalue().encode()


def _parquet(table: Sequence[Sequence[object]]) -> bytes | None:
    """Return the file, or None where pyarrow is not installed: CSV has everything, too."""
    try:
        pa, parquet = arrow()
    except InputError:
        return None
    columns = {}
    for i, name in enumerate(HEADER):
        kind = pa.string() if name in TEXTS else pa.int64() if name in WHOLE else pa.float64()
        columns[name] = pa.array([row[i] for row in table], kind)
    target = io.BytesIO()
    parquet.write_table(pa.table(columns), target, compression="zstd")
    return target.getvalue()
