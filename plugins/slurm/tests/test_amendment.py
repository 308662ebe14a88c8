"""Other terms for a job that was admitted."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import UtilityFunction
from tests.scale import many
from utilitysched_slurm.admission import lowered_at


def drawn(draw: np.random.Generator) -> UtilityFunction:
    count = int(draw.integers(2, 5))
    times = np.concatenate([[0.0], np.cumsum(draw.integers(1, 5, count - 1))])
    return UtilityFunction(times, np.sort(draw.integers(0, 6, count))[::-1])


def test_a_curve_is_lower_where_it_is_lower_at_some_time() -> None:
    draw = np.random.default_rng(0)
    times = np.linspace(0, 25, 2501)
    found = []
    for _ in range(many(300)):
        new, old = drawn(draw), drawn(draw)
        at = lowered_at(new, old)
        found.append(at is not None)
        if at is None:
            assert (new(times) >= old(times) - 1e-6).all()
        else:
            assert new(np.array([at])) < old(np.array([at]))

    assert 0 < sum(found) < len(found)


@pytest.mark.parametrize("curve", [None, UtilityFunction([0, 5], [3, 1])])
def test_what_stays_as_it_is_is_not_lower(curve: UtilityFunction | None) -> None:
    assert lowered_at(curve, curve) is None
    assert lowered_at(curve, None) is None


def test_nothing_is_lower_than_something() -> None:
    assert lowered_at(None, UtilityFunction([0, 5], [3, 1])) == 0.0
