from __future__ import annotations

from utilitysched_centre.report.amounts import aligned


def test_a_column_has_as_many_decimals_as_its_finest_amount_needs() -> None:
    assert aligned([1500000, None, -250], 6) == ["1.50000", "", "-0.00025"]
    assert aligned([0, 1234567000000], 6) == ["0.00", "1,234,567.00"]
    assert aligned([5, -7], 0, "+") == ["+5", "-7"]
