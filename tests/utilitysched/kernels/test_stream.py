"""Random streams are keyed by seed and instant."""

from __future__ import annotations

import numpy as np

from utilitysched.kernels.stream import decision_stream, uniform


def first_draw(seed: int, instant: float) -> float:
    stream = np.empty(1, dtype=np.uint64)
    decision_stream(seed, instant, stream)
    return uniform(stream)


def test_each_decision_draws_numbers_of_its_own() -> None:
    keys = [(seed, instant) for seed in (0, 1, 2**62) for instant in (0.0, 0.5, 1.0, 1e9)]

    draws = [first_draw(*key) for key in keys]

    assert len(set(draws)) == len(keys)
    assert all(0 <= draw < 1 for draw in draws)
    assert [first_draw(*key) for key in keys] == draws
