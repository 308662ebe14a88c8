from __future__ import annotations

import pytest

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.analysis.documents import Column, ResultTable


def test_headings_have_units() -> None:
    assert [column.heading for column in TABLE.columns] == [
        "candidate",
        "mean wait (s)",
        "share",
        "ratio [95%]",
    ]


def test_texts() -> None:
    assert TABLE.texts() == [
        ["easy", "5,372", "33.3", "1.000"],
        ["ga:a_b=-1|x", "-822", "-", "1.16 [1.10, 1.23]"],
        ["none", "-", "50.0", "-"],
    ]


def test_a_row_has_a_cell_per_column() -> None:
    with pytest.raises(ValueError, match=r"2 cells in a row of 1 columns: \(1, 2\)"):
        ResultTable((Column("one"),), [(1, 2)])
