from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from swfx.base.numbers import money, percent, plural, significant, whole


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1355885.4, "1,355,885"), (0.5, "0"), (1.5, "2"), (None, "-"), (1e400, "-")],
)
def test_whole(value: float | None, text: str) -> None:
    assert whole(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.00"),
        (9.999, "10.0"),
        (33.94, "33.9"),
        (353.4, "353"),
        (2260.7, "2,261"),
        (0.0553, "0.0553"),
        (6e-7, "0.000001"),
        (1e-9, "<0.000001"),
        (-1e-9, ">-0.000001"),
        (None, "-"),
        (float("nan"), "-"),
    ],
)
def test_figures(value: float | None, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (1013.7625000000003, "1,013.76"),
        (Fraction(1, 3), "0.33"),
        (Decimal("5.000000"), "5.00"),
        (Decimal(0), "0.00"),
        (-0.5, "-0.50"),
        (0.01, "0.01"),
        (0.0099, "0.00990"),
        (1 / 360, "0.00278"),
        (1e-9, "<0.000001"),
    ],
)
def test_money(amount: float | Fraction | Decimal, text: str) -> None:
    assert money(amount) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.904, "90.4"),
        (1.0, "100.0"),
        (0.01, "1.0"),
        (0.00055, "0.06"),
        (1e-9, "<0.01"),
        (-1e-9, ">-0.01"),
        (-0.0028, "-0.28"),
        (0.0, "0"),
        (None, "-"),
    ],
)
def test_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_plural() -> None:
    assert (plural(0, "job"), plural(1, "job"), plural(4985, "job")) == (
        "0 jobs",
        "1 job",
        "4,985 jobs",
    )
