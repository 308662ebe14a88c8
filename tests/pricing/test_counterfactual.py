from __future__ import annotations

import math

import pytest

from pricing.counterfactual import horizon_seconds
from swfx import InputError


@pytest.mark.parametrize(
    ("text", "seconds"), [("24h", 86400), ("3d", 259200), ("2w", 1209600), ("recoupled", math.inf)]
)
def test_time_spans(text: str, seconds: float) -> None:
    assert horizon_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "24", "0h", "-1w", "week", "h", "9999999h"])
def test_what_is_no_time_span(text: str) -> None:
    with pytest.raises(InputError, match="is no time span"):
        horizon_seconds(text)
