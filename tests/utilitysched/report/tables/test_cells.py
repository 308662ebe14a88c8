from __future__ import annotations

import pytest

from utilitysched.analysis.documents import Estimate
from utilitysched.report.tables import (
    Significance,
    change_text,
    effect_text,
    estimate_text,
    number_text,
    significance_text,
)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        # a width of 0.128 is 0.13: two decimals
        ((1.163821, 1.10213, 1.23021), "1.16 [1.10, 1.23]"),
        ((1.163821, 1.16291, 1.16522), "1.1638 [1.1629, 1.1652]"),
        ((12.3456, 3.21, 45.6), "12 [3, 46]"),
        # a width of 9.6 is 9.6: one decimal; one of 9.96 is 10: none
        ((50.0, 45.0, 54.6), "50.0 [45.0, 54.6]"),
        ((50.0, 45.0, 54.96), "50 [45, 55]"),
        # 1.2 - 1.1 is 0.09999999999999987
        ((1.15, 1.1, 1.2), "1.15 [1.10, 1.20]"),
        (
            (1163821000.0, 1102130000.0, 1230210000.0),
            "1,160,000,000 [1,100,000,000, 1,230,000,000]",
        ),
        ((2.0, 2.0, 2.0), "2.000 [2.000, 2.000]"),
        ((2.0, 2.0, 2.0 + 1e-15), "2.000 [2.000, 2.000]"),
        ((1.5, None, None), "1.500"),
        ((None, None, None), "-"),
    ],
)
def test_the_width_of_the_interval_decides_digits(
    estimate: tuple[float | None, float | None, float | None], text: str
) -> None:
    assert estimate_text(Estimate(*estimate)) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0004, "<0.001"), (0.00149, "0.001"), (0.0234, "0.023"), (0.0996, "0.100"), (0.5, "0.50")],
)
def test_p(p: float, text: str) -> None:
    assert significance_text(Significance(p, p, 9)) == text


def test_the_corrected_p_is_shown() -> None:
    assert significance_text(Significance(0.01, 0.04, 9)) == "0.040"


def test_no_p() -> None:
    assert significance_text(Significance(None, None, 4)) == "n/a (n=4)"
    assert significance_text(None) == "-"


def test_signs() -> None:
    assert [change_text(v) for v in (1.06, -23.25, 0.0, None)] == ["+1.1", "-23.2", "+0.0", "-"]
    assert [effect_text(v) for v in (1.0, -1 / 3, 0.0, None)] == ["+1.00", "-0.33", "+0.00", "-"]


def test_numbers_without_interval() -> None:
    assert [number_text(v) for v in (1.16379, 75.96, 0.0, None)] == ["1.164", "75.96", "0", "-"]
