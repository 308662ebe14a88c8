from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.families.generators.daily_cycle import DailyCycle, slot_weights

PUBLISHED = {
    "batch": (6.1271, 5.2740),
    "interactive": (8.9186, 3.6680),
    "typeless": (8.1737, 3.9631),
}
# slots 0, 9, 10 and the largest, from the authors' program
LITERAL = {
    "batch": (0.546158664, 0.235361307, 0.347154491, 26),
    "interactive": (0.513505439, 0.167865103, 0.118693803, 28),
    "typeless": (0.507820725, 0.17575401, 0.164917873, 27),
}


def integral(weights: np.ndarray, start_hour: int, real: np.ndarray) -> np.ndarray:
    """Weighted time at real time, slot by slot: the definition, not its inverse."""
    rolled = np.roll(weights, -2 * start_hour)
    slot = (real // 1800).astype(int)
    whole = np.array([rolled[np.arange(s) % 48].sum() for s in slot]) * 1800
    return whole + rolled[slot % 48] * (real - 1800 * slot)


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_equal_literal_values(name: str) -> None:
    weights = slot_weights(*PUBLISHED[name])

    first, ninth, tenth, largest = LITERAL[name]
    assert weights[[0, 9, 10]] == pytest.approx([first, ninth, tenth], abs=1e-8)
    assert int(np.argmax(weights)) == largest


@pytest.mark.parametrize("name", PUBLISHED)
def test_weights_equal_the_reference_in_all_slots(name: str, reference_data: dict) -> None:
    weights = slot_weights(*PUBLISHED[name])

    assert weights == pytest.approx(reference_data["daily_cycle_weights"][name], abs=1e-8)


def test_weights_have_mean_one() -> None:
    assert slot_weights(0.7, 3.0).mean() == pytest.approx(1, abs=1e-14)


def test_even_weighted_time_gives_slot_shares_of_the_weights() -> None:
    weights = slot_weights(*PUBLISHED["batch"])
    weighted = (np.arange(480_000) + 0.5) * (10 * 86400 / 480_000)

    real = DailyCycle(weights).real_time(weighted)

    shares = np.bincount((real // 1800).astype(int) % 48, minlength=48) / 480_000
    assert shares == pytest.approx(weights / 48, abs=3e-5)


@given(
    st.lists(st.floats(0, 1e6), min_size=1, max_size=20),
    st.integers(0, 23),
    st.sampled_from(sorted(PUBLISHED)),
)
def test_real_time_inverts_the_integral(times: list[float], start_hour: int, name: str) -> None:
    weights = slot_weights(*PUBLISHED[name])
    weighted = np.sort(times)

    real = DailyCycle(weights, start_hour).real_time(weighted)

    assert integral(weights, start_hour, real) == pytest.approx(weighted, rel=1e-9, abs=1e-6)
    assert (np.diff(real) >= 0).all()


def test_a_day_of_weighted_time_is_a_day() -> None:
    cycle = DailyCycle(slot_weights(*PUBLISHED["typeless"]), start_hour=7)

    assert cycle.real_time(np.array([0.0, 86400.0, 864000.0])) == pytest.approx([0, 86400, 864000])
