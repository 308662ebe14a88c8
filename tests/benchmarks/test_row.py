from __future__ import annotations

import pytest

from benchmarks.row import Row


@pytest.mark.parametrize(
    ("measured", "target", "bound", "met"),
    [
        (3.0, 3.0, "at most", True),
        (3.1, 3.0, "at most", False),
        (20.0, 20.0, "at least", True),
        (19.9, 20.0, "at least", False),
        (float("nan"), 20.0, "at least", False),
        (5.0, None, "at most", None),
    ],
)
def test_a_target_is_met_or_not(measured, target, bound, met) -> None:
    assert Row("what", measured, "x", target, bound).met is met


def test_a_row_as_text() -> None:
    assert Row("replay", 1234.5, "x", 20, "at least", "twin 2 s").line().split() == (
        ["replay", "1,234", "x", "at", "least", "20", "yes", "twin", "2", "s"]
    )
    assert "  NO" in Row("parse", 1.25, "x", 1.0).line()
    assert Row("parse", 1.25, "x").line().split() == ["parse", "1.25", "x"]
