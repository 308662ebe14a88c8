from __future__ import annotations

from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled
from utilitysched.analysis.metrics import LeeRow, lee_table_row, summary


def test_the_columns_of_table_4_1() -> None:
    row = lee_table_row(summary(four_jobs(), four_scheduled()))

    assert row == LeeRow(
        scheduler="by-hand",
        wait=(0, 1, 2, 300, 300),
        expansion_factor=(1, 2, 2.5, 2.5, 2.5),
        requested_expansion_factor=(1, 1.01, 1.2, 2.5, 2.5),
        bounded_slowdown=1.375,
        start_value_share=(0.75, 0.75, 0.5, 0.5, 0.5),
        aggregate_utility=9,
    )
