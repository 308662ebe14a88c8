from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.families.generators.decay import DecayDraws, curve_table, exponential, linear, step

UNIT = st.floats(0, 1, exclude_max=True)


def one(**changes: object) -> DecayDraws:
    """Draws of one job worth 100 SU at first and nothing after 60 s."""
    columns = {
        "kind": [0],
        "start": [100.0],
        "deadline": [60.0],
        "times": [[6.0, 30.0]],
        "values": [[0.5, 0.8]],
        "step_time": [0.25],
        "step_level": [0.4],
    } | changes
    return DecayDraws(**{name: np.array(column) for name, column in columns.items()})


def test_linear_values_are_sorted_downwards() -> None:
    times, values = linear(one(), 0.001)

    assert times.tolist() == [[0, 6, 30, 60]]
    assert values.tolist() == [[100, 80, 50, 0]]


def test_exponential_values_are_shares_of_the_last() -> None:
    times, values = exponential(one(), 0.001)

    assert times.tolist() == [[0, 6, 30, 60]]
    assert values.tolist() == [[100, 50, 40, 0]]


def test_step_is_flat_and_jumps_twice() -> None:
    times, values = step(one(), 0.001)

    assert times.tolist() == [[0, 15, 15.001, 59.999, 60]]
    assert values.tolist() == [[100, 100, 40, 40, 0]]


@given(
    deadline=st.floats(10, 2.0**53),
    step_time=UNIT,
    step_level=UNIT,
    start=st.floats(0, 2.0**53),
    epsilon=st.floats(1e-9, 1),
)
def test_steps_are_valid_at_any_deadline(
    deadline: float, step_time: float, step_level: float, start: float, epsilon: float
) -> None:
    draws = one(
        kind=[2],
        deadline=[deadline],
        step_time=[step_time],
        step_level=[step_level],
        start=[start],
    )

    curve = curve_table(draws, epsilon)[0]

    assert curve is not None
    assert (curve.deadline, curve.start_value) == (deadline, start)
    assert curve.values[-1] == 0
    jumps = np.diff(curve.times)[[1, 3]]
    assert (jumps <= max(1.5 * epsilon, 8 * np.spacing(deadline))).all()


@pytest.mark.parametrize("step_time", [0.0, 1 - 2**-53])
def test_a_step_at_either_end_keeps_both_jumps_apart(step_time: float) -> None:
    times, _ = step(one(step_time=[step_time], deadline=[10.0]), 1.0)

    assert (np.diff(times[0]) >= 1.0).all()


def test_table_keeps_jobs_in_order() -> None:
    draws = DecayDraws(
        kind=np.array([2, 0, 1]),
        start=np.array([1.0, 2.0, 3.0]),
        deadline=np.array([10.0, 20.0, 30.0]),
        times=np.array([[5.0], [6.0], [7.0]]),
        values=np.array([[0.5], [0.5], [0.5]]),
        step_time=np.array([0.5, 0.5, 0.5]),
        step_level=np.array([0.5, 0.5, 0.5]),
    )

    table = curve_table(draws, 0.001)

    assert table.points.tolist() == [5, 3, 3]
    assert table.start_values.tolist() == [1, 2, 3]
    assert table[1].times.tolist() == [0, 6, 20]
    assert table[2].values.tolist() == [3, 1.5, 0]
