"""One rule for reading a utility function: kernels and bills agree to the last bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swfx import UtilityFunction, UtilityTable
from tests.strategies import utility_functions
from utilitysched.kernels.curves import curve_value, mean_time_left
from utilitysched.kernels.fitness import Worth, planned_utility
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import JobTable


def known(curve: UtilityFunction) -> JobTable:
    """One job with this curve, submitted at 0."""
    none, whole = np.zeros(1), np.zeros(1, dtype=np.int64)
    offsets = np.array([0, len(curve.times)])
    points = np.array(curve.times), np.array(curve.values)
    return JobTable(1, none, none, whole + 1, none + 1, whole, whole, offsets, *points)


def planned(curve: UtilityFunction, age: float) -> float:
    """Fitness of a plan that starts the job at `age` and takes no time."""
    first, last = np.array([0]), np.array([len(curve.times)])
    none, times, values = np.zeros(1), np.array(curve.times), np.array(curve.values)
    worth = Worth(none, none.reshape(1, 1), first, last, times, values)
    return float(planned_utility(np.array([age]), worth))


@given(st.data(), utility_functions())
def test_kernels_read_a_curve_as_its_table_does(
    data: st.DataObject, curve: UtilityFunction
) -> None:
    marks = st.sampled_from([*curve.times.tolist(), *np.nextafter(curve.times[1:], 0).tolist()])
    age = data.draw(marks | st.floats(0, curve.deadline))

    value = UtilityTable.from_functions([curve]).evaluate([age]).item()

    assert curve_value(known(curve), 0, age) == value
    assert planned(curve, age) == value


def test_rounding_never_takes_a_value_below_the_next_point() -> None:
    curve = UtilityFunction([0.0, 1.2, 4.0], [317.4, 317.4, 0.69])
    age = float(np.nextafter(4.0, 0))  # 317.4 - (317.4 - 0.69) is below 0.69 in float64

    assert curve_value(known(curve), 0, age) == planned(curve, age) == 0.69


def test_no_time_is_left_after_the_last_point() -> None:
    forecast = Forecast(np.array([[3.0, 30.0]]), np.ones(1))
    curve = UtilityFunction([0.0, 10.0], [5.0, 0.0])

    assert mean_time_left(known(curve), forecast, 0, 1.0) == (6 + 0) / 2
