"""Names and columns shared by the reader and the writer of Parquet files."""

from __future__ import annotations

from types import ModuleType

from swfx.base.errors import InputError

__all__ = ["CURVES", "HEADER_KEY", "arrow"]

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
    try:
        import pyarrow as pa  # noqa: PLC0415  an optional dependency, slow to import
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        raise InputError(
            "Parquet needs a package that is not installed",
            remedy="pip install utilitysched[parquet]",
        ) from error
    return pa, parquet
