"""Numbers in few bytes."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.report.html.columns import compact, single


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
