from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utilitysched.analysis.statistics import corrected

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def test_holm_worked_by_hand() -> None:
    """The smallest three times, the next twice but no less than that, the last once likewise."""
    assert corrected([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


def test_what_was_not_tested_does_not_count() -> None:
    assert corrected([None, 0.01, None, 0.04]) == [None, 0.02, None, 0.04]


@pytest.mark.parametrize("alone", [[], [None], [0.04], [None, 0.04]])
def test_one_comparison_needs_no_correction(alone: list[float | None]) -> None:
    assert corrected(alone) == alone


@given(p_values)
def test_holm_beside_its_definition(p: list[float]) -> None:
    order = sorted(range(len(p)), key=p.__getitem__)
    expected, largest = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - rank) * p[i]))
        expected[i] = largest

    assert corrected(list(p)) == pytest.approx(expected)


def test_nothing_slow_is_loaded_before_it_is_needed() -> None:
    code = "import sys, utilitysched.analysis.statistics; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())

    assert "utilitysched.analysis.statistics" in loaded
    assert {"scipy", "pandas"} & loaded == set()
