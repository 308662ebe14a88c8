"""Whom an urgent job preempts."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched import QueueState
from utilitysched.model.state import JobTable, Preemption
from utilitysched.schedulers.priority_preemption import PriorityOptions, candidates, victims

NOW = 100.0
RUNNING = [
    # class, checkpoint interval, started, preemptions, overhead that the start began with
    (3, 30.0, 0.0, 0, 0.0),  # 10 s since its last checkpoint
    (3, 30.0, 40.0, 0, 0.0),  # nothing lost
    (4, 30.0, 5.0, 0, 0.0),  # 5 s
    (1, 30.0, 10.0, 0, 0.0),  # urgent
    (5, -1.0, 10.0, 0, 0.0),  # no checkpoints
    (5, 30.0, 20.0, 1, 0.0),  # preempted once
    (3, 0.0, 90.0, 0, 0.0),  # a preemption writes a checkpoint
    (3, 30.0, 55.0, 0, 7.0),  # 38 s of work, 8 s since its last checkpoint
]


def state() -> QueueState:
    """One queued job, and those above as jobs 0 to 7."""
    priority, interval, start, preemptions, paid = zip(*RUNNING, strict=True)
    jobs = len(RUNNING) + 1
    number = np.zeros(jobs)
    known = JobTable(
        8,
        number,
        number,
        np.ones(jobs, np.int64),
        number + 500,
        np.array([*priority, 0]),
        np.full(jobs, -1),
        np.zeros(jobs + 1, np.int64),
        np.empty(0),
        np.empty(0),
    )
    return QueueState(
        NOW,
        0,
        np.array([jobs - 1]),
        np.arange(jobs - 1),
        np.array(start) + 500,
        np.empty(0, np.int64),
        np.empty(0),
        known,
        Preemption(
            np.array([*interval, -1.0]),
            number,
            np.array([*preemptions, 0]),
            np.array([*start, np.nan]),
            np.array([*paid, 0.0]),
        ),
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", [2, 6, 1, 7, 0]),
        ("victim=latest", [2, 6, 7, 1, 0]),
        ("preemptions=2", [5, 2, 6, 1, 7, 0]),
        ("minimum=60", [2, 1, 0]),
        ("urgent=3", [2]),
        ("urgent=0", [2, 6, 1, 7, 0, 3]),
        ("preemptions=0", []),
    ],
)
def test_the_least_urgent_come_first_then_who_loses_least(
    options: str, expected: list[int]
) -> None:
    assert candidates(state(), PriorityOptions.from_text(options)) == expected


@pytest.mark.parametrize(
    ("lacking", "expected"),
    [(0, ()), (1, (0,)), (2, (1,)), (3, (0, 1)), (4, (2,)), (6, (0, 2)), (8, (0, 1, 2)), (9, None)],
)
def test_only_as_many_are_preempted_as_are_needed(
    lacking: int, expected: tuple[int, ...] | None
) -> None:
    assert victims([0, 1, 2], np.array([1, 2, 5]), lacking) == expected
