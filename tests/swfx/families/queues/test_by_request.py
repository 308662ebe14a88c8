from __future__ import annotations

import math

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.families.queues.by_request import QueueLimit, first_within, limits_text, read_limits
from swfx.families.queues.registry import PRIORITY_MODELS

JOBS = Workload.from_columns(
    submit=[0] * 5,
    run=[60] * 5,
    requested_time=[1800, 7200, 7200, 7201, -1],
    processors=[512, 64, 65, 1, 1],
)


def test_the_default_is_express_of_datastar() -> None:
    w = PRIORITY_MODELS.make("by-request").annotate(JOBS, 0).workload

    assert w.queue.tolist() == [3, 1, 3, 3, 1]  # where no request is known the run time counts


def test_the_first_queue_that_takes_a_job() -> None:
    model = PRIORITY_MODELS.make("by-request:limits=30min:0,2h/64:1,18h:2,other=4")

    assert model.annotate(JOBS, 0).workload.queue.tolist() == [0, 1, 2, 2, 0]
    assert model.label == "by-request:limits=1800:0,7200/64:1,64800:2,other=4"
    assert PRIORITY_MODELS.make(model.label) == model


def test_jobs_without_requests_are_refused() -> None:
    with pytest.raises(InputError, match="by-request: no job has a requested time; give the jobs"):
        PRIORITY_MODELS.make("by-request").annotate(JOBS.replace(requested_time=[-1] * 5), 0)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("2h", "'2h' is not TIME:QUEUE or TIME/PROCESSORS:QUEUE"),
        ("2h/1/2:3", "'2h/1/2:3' is not TIME:QUEUE or"),
        ("2y:1", "unknown unit of time: 'y'"),
        ("2h:9", "9 is out of bounds; give 0 to 5"),
    ],
)
def test_limits_that_cannot_be_used(limits: str, message: str) -> None:
    with pytest.raises(InputError, match="field limits: ") as error:
        PRIORITY_MODELS.make(f"by-request:limits={limits}")

    assert message in str(error.value)


def test_limits_of_time_and_of_processors() -> None:
    limits = read_limits("30min:0,2h/64:1")

    assert limits == (QueueLimit(0, 1800.0, math.inf), QueueLimit(1, 7200.0, 64))
    assert limits_text(limits) == "1800:0,7200/64:1"


def test_limits_are_kept_up_to_and_with_their_value() -> None:
    limits = (QueueLimit(0, 10.0, 4), QueueLimit(1, 20.0))

    queues = first_within(limits, 5, np.array([10.0, 10.0, 20.0, 20.5]), np.array([4, 5, 1, 1]))

    assert queues.tolist() == [0, 1, 1, 5]
