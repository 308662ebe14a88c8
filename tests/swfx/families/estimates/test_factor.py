from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.estimates.registry import ESTIMATE_MODELS


def test_every_request_is_the_same_multiple() -> None:
    jobs = Workload.from_columns(submit=[0, 0, 0], run=[100, 3, 0])

    workload = ESTIMATE_MODELS.make("factor:f=2.5").annotate(jobs, seed=1).workload

    assert workload.requested_time.tolist() == [250, 8, 1]


@pytest.mark.parametrize("f", ["0.99", "2e6"])
def test_factors_out_of_bounds(f: str) -> None:
    with pytest.raises(InputError, match=r"factor: field f: .* is out of bounds; give 1 to 1e"):
        ESTIMATE_MODELS.make(f"factor:f={f}")


def test_a_rounding_is_no_second_more() -> None:
    log = Workload.from_columns(submit=[0, 1, 2], run=[70, 10, 3], processors=[1, 1, 1])

    done = ESTIMATE_MODELS.make("factor:f=1.1").annotate(log, 0).workload

    assert done.requested_time.tolist() == [77, 11, 4]
