"""Bands behind a trend: the least and the largest value within each stretch of time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scale import many
from utilitysched.analysis.series import StepFunction
from utilitysched.report.charts.over_time import STRETCHES, _stretches
from utilitysched.report.charts.scales import TimeScale


@settings(max_examples=many(50))
@given(st.integers(0, 1000), st.integers(1, 20), st.integers(STRETCHES + 1, 1000))
def test_a_band_spans_the_values_within_its_stretch(seed: int, busy: int, changes: int) -> None:
    draw = np.random.default_rng(seed)
    times = np.unique(10_000 * draw.random(changes) ** busy)  # the larger, the longer idle
    steps = StepFunction(times, draw.integers(0, 9, len(times)).astype(np.float64))
    scale = TimeScale(0.0, 10_000.0, 0.0, 1.0, False, "time (s)")

    drawn = _stretches(steps, scale)

    edges = np.linspace(0, 10_000, STRETCHES + 1)
    for place, (begin, end) in enumerate(pairwise(edges)):
        held = [float(steps.at([begin])[0])]
        held += steps.value[(steps.time > begin) & (steps.time < end)].tolist()
        assert (drawn["low"][place], drawn["high"][place]) == (min(held), max(held))
