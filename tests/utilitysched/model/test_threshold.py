"""Starvation thresholds as text."""

from __future__ import annotations

import math

from utilitysched.model.scheduling_pass import Threshold


def test_absolute_and_relative() -> None:
    assert Threshold.parse("200000").seconds(longest_request=10.0) == 200_000
    assert Threshold.parse("2.5x").seconds(longest_request=10.0) == 25
    assert Threshold().seconds(longest_request=10.0) == math.inf


def test_text_form_is_the_inverse() -> None:
    for text in ("200000", "1234567", "0.1", "3x", "0.5x"):
        assert str(Threshold.parse(text)) == text
