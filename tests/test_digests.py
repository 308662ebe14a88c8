"""Results on the packaged workload are the bytes that they were: `tests/digests.py`."""

from __future__ import annotations

import json

import pytest

from tests.digests import KEPT, Case, cases

BY_NAME = json.loads(KEPT.read_text())
QUICK = [case for case in cases("sample") if "replay" not in case.name]
"""Each job of a bill by replays is simulated again: `make test-long` computes all digests."""


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_results_are_the_bytes_that_they_were(case: Case) -> None:
    assert case.digest() == BY_NAME[case.name], (
        "if the change is meant, name it in CHANGELOG.md and run python -m tests.digests --write"
    )
