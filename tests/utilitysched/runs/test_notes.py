"""What is said of schedulers for which a workload has nothing to go by."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Workload
from tests.utilitysched.small import plain_workload
from utilitysched.runs.notes import degenerate_notes


@pytest.fixture
def plain() -> Workload:
    """Jobs of one queue, without utility functions and checkpoints."""
    workload = plain_workload()
    return workload.replace(queue=np.full(len(workload), 3))


def notes(workload: Workload, label: str, preemption: str | None = None) -> list[str]:
    return list(degenerate_notes(workload, label, preemption=preemption))


def test_priorities_without_queues(plain: Workload) -> None:
    (note,) = notes(plain, "priority-fifo")

    assert note.startswith("priority-fifo has nothing to tell these jobs apart by")
    assert notes(plain.replace(queue=np.arange(len(plain)) % 3), "priority-fifo") == []


def test_what_tells_jobs_apart_is_not_told(plain: Workload) -> None:
    for label in ("easy", "fcfs", "conservative", "saf", "easy:backfill=sqf"):
        assert notes(plain, label) == []


def test_values_without_utility_functions(plain: Workload) -> None:
    for label in ("value-density", "ga", "easy:backfill=value"):
        (note,) = notes(plain, label)
        assert "no job has one" in note


def test_preemption_without_jobs_to_preempt(plain: Workload) -> None:
    label = "priority-preempt"

    assert "no job to preempt" in " ".join(notes(plain, label))
    for preemption in ("scratch=true", "on_demand=60"):
        assert "no job to preempt" not in " ".join(notes(plain, label, preemption))
    checkpoints = plain.replace(checkpoint_interval=np.full(len(plain), 60.0))
    assert "no job to preempt" not in " ".join(notes(checkpoints, label))
