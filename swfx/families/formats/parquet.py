"""Parquet files of one row per job."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from swfx.accounting.listing import Listing
from swfx.base.errors import InputError
from swfx.base.parquet import CURVES, HEADER_KEY, arrow, parquet_file
from swfx.families.formats.accounting_csv import preset_of
from swfx.families.formats.registry import IMPORTERS, Imported, Importer
from swfx.fields import MISSING
from swfx.header import Header
from swfx.reading.cleaning import no_job_left
from swfx.utility_table import UtilityTable
from swfx.workload import Workload, column_field

__all__ = ["Parquet"]


@IMPORTERS.register("parquet")
@dataclass(frozen=True)
class Parquet(Importer):
    """Parquet file with a column per field of a workload, under its name; needs pyarrow.

    Reads back what the exporter of the same name writes. An empty cell is unknown. The lines of its
    report are rows, from 1.
    """

    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of a file, in its order.

        Raises
        ------
        InputError
            If it is no Parquet file, or a column holds what a workload cannot.
        """
        with parquet_file(data, name) as file:
            names = file.schema_arrow.names
            if lacking := [needed for needed in ("submit", "run") if needed not in names]:
                preset = preset_of(names)
                remedy = f"write {preset}:{name}" if preset else "rename columns"
                raise InputError(f"has no column {lacking[0]}", source=name, remedy=remedy)
            table = file.read()
        listing = Listing(name, lines=table.num_rows, records=table.num_rows, comment_lines=0)
        known = {name for name in table.column_names if column_field(name)}
        unused = [name for name in table.column_names if name not in known.union(CURVES)]
        if unused:
            listing.note(f"columns that a workload has no place for: {', '.join(unused)}")
        report = listing.report(table.num_rows)
        if not table.num_rows:
            raise no_job_left(report)
        columns = {n: _numbers(table, n) for n in table.column_names if n in known}
        workload = Workload.from_columns(header=_header(table), utility=_curves(table), **columns)
        return Imported(workload, report, np.arange(1, table.num_rows + 1))


def _numbers(table: Any, name: str) -> Any:
    """Return a column as an array; the workload refuses other values than numbers."""
    pa, _ = arrow()
    column = table[name]
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        column = column.fill_null(MISSING)
    return column.to_numpy()


def _curves(table: Any) -> UtilityTable:
    if not set(CURVES) <= set(table.column_names):
        return UtilityTable.empty(table.num_rows)
    times, values = (table[name].to_pylist() for name in CURVES)
    return UtilityTable.from_points([row or [] for row in times], [row or [] for row in values])


def _header(table: Any) -> Header:
    """Header lines of the metadata; none in files of others."""
    text = (table.schema.metadata or {}).get(HEADER_KEY, b"[]")
    try:
        return Header(tuple(map(str, json.loads(text))))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"holds no list of header lines: {error}", field=HEADER_KEY.decode()
        ) from error
