"""Parquet: the optional package, and names shared by readers and writers of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from swfx.base.errors import InputError
from swfx.base.missing import importing

__all__ = ["CURVES", "HEADER_KEY", "arrow", "parquet_file"]

HEADER_KEY = b"swfx.header"
"""Key of the file's metadata under which the header lines stand, a JSON list of texts."""

CURVES = ("utility_times", "utility_values")
"""Columns of lists: the points of each job's utility function (s, SU)."""


def arrow() -> tuple[ModuleType, ModuleType]:
    """Import `pyarrow` and `pyarrow.parquet`.

    Raises
    ------
    InputError
        If they are not installed.
    """
    with importing("Parquet", "pyarrow"):
        import pyarrow as pa  # noqa: PLC0415  an optional dependency, slow to import
        from pyarrow import parquet  # noqa: PLC0415
    return pa, parquet


@contextmanager
def parquet_file(data: bytes, name: str) -> Iterator[Any]:
    """Open a file as `pyarrow.parquet.ParquetFile`.

    Raises
    ------
    InputError
        pyarrow is not installed, or the file is no Parquet, which reading it may show.
    """
    pa, parquet = arrow()
    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        _ = file.schema_arrow.names  # which may be no text
        yield file
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"is no Parquet file: {reason}", source=name, remedy="give a Parquet file"
        ) from error
