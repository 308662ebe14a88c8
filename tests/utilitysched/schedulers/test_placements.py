"""Every placement beside its readable twin, for an order that stays and for one that changes.

`tests/test_differential.py` has all orderings and far more queues.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.queues import random_workload
from tests.scale import many
from tests.test_differential import PLACEMENTS, assert_twins_agree, drawn

CASES = [
    *(("spf", placement) for placement in PLACEMENTS),
    *(("value-density", placement) for placement in PLACEMENTS if placement != "conservative"),
]


@pytest.mark.parametrize(("ordering", "placement"), CASES)
def test_it_starts_whom_its_twin_starts(ordering: str, placement: str) -> None:
    rng = Random(f"{placement} of {ordering}")
    for _ in range(many(60)):
        assert_twins_agree(random_workload(rng), drawn(rng, ordering, placement))
