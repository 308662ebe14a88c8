from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.families.estimates.modal.assignment import assign


def test_all_feasible_assignments_are_equally_likely(estimate_statistics: dict[str, Any]) -> None:
    example = estimate_statistics["assignment_tiny_example"]
    run, estimates = (np.array(example[name]) for name in ("runtimes", "estimates"))
    rng = np.random.default_rng(1)

    seen = Counter(tuple(assign(run * 1.0, estimates[::-1], rng).tolist()) for _ in range(8000))

    assert sorted(seen) == sorted(map(tuple, example["feasible"]))
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 24.3  # chi2(7), p = 0.001


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1), st.integers(0, 99))
def test_every_estimate_goes_to_a_job_that_runs_no_longer(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    run = np.array([min(pair) for pair in pairs], dtype=float)
    estimates = np.sort([max(pair) for pair in pairs])[::-1]

    dealt = assign(run, estimates, np.random.default_rng(seed))

    assert np.all(dealt >= run)
    assert sorted(dealt) == sorted(estimates)


def test_an_impossible_assignment_names_the_bound() -> None:
    with pytest.raises(InputError) as error:
        assign(np.array([5.0, 60.0, 61.0]), np.array([90, 30, 30]), np.random.default_rng(0))

    assert str(error.value) == (
        "tsafrir: field max: 2 jobs run 60 s or longer, estimates that long: 1; "
        "give a larger max=, or its share of jobs by bins=MAX:JOBS"
    )
