from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload, priority_classes
from swfx.families.queues.registry import PRIORITY_MODELS

JOBS = Workload.from_columns(submit=np.zeros(20_000))


def test_shares_of_the_jobs_are_those_given() -> None:
    w = PRIORITY_MODELS.make("random:shares=1:1,0:2,5:1").annotate(JOBS, seed=1).workload

    jobs = np.bincount(priority_classes(w), minlength=6)
    assert jobs[[2, 3, 4]].tolist() == [0, 0, 0]
    assert jobs[[0, 1, 5]] == pytest.approx([10_000, 5000, 5000], abs=280)  # 4 deviations


def test_the_default_is_that_of_a_log() -> None:
    w = PRIORITY_MODELS.make("random").annotate(JOBS, seed=1).workload

    expected = 20_000 * np.array([0.09, 0.16, 0.5, 0.24]) / 0.99
    assert np.bincount(w.queue)[1:] == pytest.approx(expected, abs=280)


def test_header_and_notes_name_the_queues_that_occur() -> None:
    log = Workload.from_columns(submit=[0, 1], queue=[7, 7])
    log = log.replace(header=log.header.with_values("Queue", ["7 batch", "8 none"]))

    workload, notes = PRIORITY_MODELS.make("random:shares=2:1").annotate(log, seed=5)

    assert workload.queue.tolist() == [2, 2]
    assert workload.header.all("Queue") == ("2 high",)
    assert workload.header.get("PriorityModel") == "random:shares=2:1; seed 5"
    assert notes == ("2 jobs in queue 2 high", "the queues of the workload are replaced")
    assert workload.replace(queue=log.queue, header=log.header) == log


def test_the_seed_decides() -> None:
    first, again, other = (
        PRIORITY_MODELS.make("random").annotate(JOBS, seed).workload.queue for seed in (1, 1, 2)
    )

    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_no_jobs_no_queues() -> None:
    assert PRIORITY_MODELS.make("random").annotate(JOBS[:0], 1).workload.queue.size == 0


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ("6:1", "queues: field shares: 6 is out of bounds; give 0 to 5"),
        ("1:0,2:0", "queues: field shares: all are 0; give at least one above 0"),
        ("1:1,1:2", "queues: field shares: queue 1 is given twice; keep one"),
        ("1:-1", "queues: field share of queue 1: -1 is out of bounds; give 0 to 1e+12"),
        ("0.5", "queues: field shares: '0.5' is not a whole number; give a whole number"),
        ("1", "queues: field shares: '' is not a finite number; give a number"),
    ],
)
def test_shares_that_cannot_be_used(shares: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        PRIORITY_MODELS.make(f"random:shares={shares}")

    assert str(error.value) == message
