from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.queues.registry import PRIORITY_MODELS

JOBS = Workload.from_columns(submit=[0] * 4, processors=[1, 8, 9, 65])


def test_small_jobs_first() -> None:
    w = PRIORITY_MODELS.make("by-size:limits=8:1,64:2").annotate(JOBS, 0).workload

    assert w.queue.tolist() == [1, 1, 2, 3]


def test_wide_jobs_first() -> None:
    w = PRIORITY_MODELS.make("by-size:limits=8:4,64:3,other=1").annotate(JOBS, 0).workload

    assert w.queue.tolist() == [4, 4, 3, 1]


def test_limits_must_be_given() -> None:
    with pytest.raises(InputError, match="by-size: field limits: must be given"):
        PRIORITY_MODELS.make("by-size")


@pytest.mark.parametrize("limits", ["8", "8/2:1", "8:1:2", ":1"])
def test_limits_of_another_form(limits: str) -> None:
    with pytest.raises(InputError, match=r"by-size: field limits: '.*' is not PROCESSORS:QUEUE"):
        PRIORITY_MODELS.make(f"by-size:limits={limits}")


def test_the_label_makes_the_same_model_again() -> None:
    assert PRIORITY_MODELS.make("by-size:limits=8:4,64:3,other=1").label == (
        "by-size:limits=8:4,64:3,other=1"
    )


@pytest.mark.parametrize("limits", ["64:1,8:2", "8:1,8:2"])
def test_a_queue_that_no_job_reaches(limits: str) -> None:
    with pytest.raises(InputError, match="by-size: field limits: no job reaches queue 2: all up "):
        PRIORITY_MODELS.make(f"by-size:limits={limits}")
