"""Parquet files, which pandas, Spark, DuckDB and others read."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import ClassVar

from swfx.base.parquet import CURVES, HEADER_KEY, arrow
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.workload import COLUMNS, Workload

__all__ = ["ParquetExporter"]


@EXPORTERS.register("parquet")
@dataclass(frozen=True)
class ParquetExporter(Exporter):
    """Parquet: one column per field, curves as lists of times and of values; needs pyarrow.

    Unknown values are -1 as in SWF, so that every column keeps its type. The header lines are in
    the file's metadata.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def prepare(self) -> None:
        """Refuse to begin without pyarrow."""
        arrow()

    def format(self, workload: Workload) -> Exported:
        """Bytes of the file, zstd inside; nothing is left out."""
        pa, parquet = arrow()
        table = workload.utility
        names = dict.fromkeys([*(f.name for f in COLUMNS), *workload.extra])
        columns = {name: pa.array(workload.column(name)) for name in names}
        for name, points in zip(CURVES, (table.times, table.values), strict=True):
            columns[name] = pa.LargeListArray.from_arrays(table.offsets, points)
        metadata = {HEADER_KEY: json.dumps(workload.header.lines).encode("ascii")}
        target = io.BytesIO()
        parquet.write_table(
            pa.table(columns).replace_schema_metadata(metadata), target, compression="zstd"
        )
        return Exported(target.getvalue())
