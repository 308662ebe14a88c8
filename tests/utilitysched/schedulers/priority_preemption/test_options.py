"""The options of priority preemption, and what is refused."""

from __future__ import annotations

import pytest

from swfx import InputError
from utilitysched import make_scheduler


def test_options_reach_the_scheduler() -> None:
    made = make_scheduler("priority-preempt:minimum=10min,urgent=0,victim=latest,preemptions=3")

    assert made.options == {"urgent": 0, "victim": "latest", "preemptions": 3, "minimum": 600.0}
    assert made.label == "priority-preempt:urgent=0,victim=latest,preemptions=3,minimum=10min"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("urgent=-1", "priority-preempt: field urgent: -1 is below 0; give 0 or more"),
        ("urgent=express", "field urgent: 'express' is not a whole number"),
        ("preemptions=-2", "field preemptions: -2 is below 0; give 0 or more"),
        ("minimum=-5", "priority-preempt: field minimum: -5 is below 0; give 0 or more"),
        ("victim=least", "field victim: 'least' is not a choice; did you mean 'latest'"),
        ("threshold=3x", "priority-preempt: field threshold: is not a known key; "),
    ],
)
def test_unusable_options_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheduler(f"priority-preempt:{text}")
