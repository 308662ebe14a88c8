from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.families.estimates.registry import ESTIMATE_MODELS

JOBS = 20_000


def requests(text: str, seed: int = 1) -> np.ndarray:
    jobs = Workload.from_columns(submit=np.zeros(JOBS), run=np.full(JOBS, 10_000.0))
    return ESTIMATE_MODELS.make(text).annotate(jobs, seed).workload.requested_time


def test_the_factor_is_uniform_between_1_and_f_plus_1() -> None:
    factor = np.sort(requests("uniform:f=3")) / 10_000

    below = np.arange(1, JOBS + 1) / JOBS
    assert factor[0] >= 1
    assert factor[-1] <= 4
    assert abs((factor - 1) / 3 - below).max() < 1.95 / np.sqrt(JOBS)


def test_f_of_0_is_exact() -> None:
    assert set(requests("uniform:f=0").tolist()) == {10_000}


def test_the_seed_decides() -> None:
    assert np.array_equal(requests("uniform", 5), requests("uniform", 5))
    assert not np.array_equal(requests("uniform", 5), requests("uniform", 6))


def test_f_out_of_bounds() -> None:
    with pytest.raises(InputError, match="uniform: field f: -1 is out of bounds; give 0 to 1e"):
        ESTIMATE_MODELS.make("uniform:f=-1")
