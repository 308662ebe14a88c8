"""Numbers in few bytes."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from utilitysched.report.html.columns import StoredColumns, compact, packed, single


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "uint8"),
        ([0, 256], "uint16"),
        ([-1, 3], "int32"),
        ([2**31], "float64"),
        ([0.5], "float64"),
        ([], "uint8"),
    ],
)
def test_the_smallest_type_that_holds_the_numbers(values: list[float], kind: str) -> None:
    column = np.array(values)

    assert compact(column).dtype == kind
    assert compact(column).tolist() == values


def test_fractions_that_are_only_looked_at_have_seven_digits() -> None:
    assert single(np.array([0.1])).dtype == np.float32
    assert single(np.array([70_000])).dtype == np.int32


def test_packed_columns_are_differences_by_byte() -> None:
    columns = {"time": np.array([1, 258, 259], np.int32), "name": ["<a>"]}

    index, data = packed([StoredColumns("jobs", columns), StoredColumns("x", {"y": np.zeros(2)})])

    [jobs, other] = index
    assert jobs == {
        "name": "jobs",
        "columns": {"time": ["int32", 0, 3], "name": ["<a>"]},
    }
    assert other["columns"]["y"] == ["float64", 12, 2]
    planes = zlib.decompress(base64.b64decode(data))
    assert list(planes[:6]) == [1, 1, 1, 0, 1, 0]
    assert planes[6:] == bytes(6 + 16)
