"""From curves to queues."""

from __future__ import annotations

import pytest

from pricing.mechanisms.multi_queue import MultiQueue
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from utilitysched.market.audit.design import QUEUES, read_thresholds, with_queues


def test_a_job_goes_to_the_dearest_queue_that_it_is_worth() -> None:
    worth = [0.5, 1.0, 1.69, 1.7, 2.0, 9.0]
    jobs = Workload.from_columns(
        submit=[0] * 7,
        run=[1] * 7,
        requested_time=[1800] * 7,
        processors=[2] * 7,
        queue=[9] * 7,
        utility=UtilityTable.from_functions(
            [*(UtilityFunction([0, 9], [value, 0]) for value in worth), None]
        ),
    )

    assert with_queues(jobs, read_thresholds(QUEUES)).queue.tolist() == [4, 3, 3, 1, 2, 2, 9]
    assert with_queues(jobs, read_thresholds("log")) is jobs
    assert with_queues(jobs, read_thresholds("5:3,6:2")).queue.tolist() == [6, 6, 6, 6, 6, 5, 9]


def test_queues_of_an_audit_have_the_rates_of_their_numbers_on_a_log_of_qos() -> None:
    jobs = Workload.from_columns(
        run=[1800, 1800],
        processors=[2, 2],
        queue=[1, 1],
        header=Header((" QueueMeans: qos", " QOS: 1 normal")),
        utility=UtilityTable.from_functions([UtilityFunction([0, 9], [9, 0]), None]),
    )

    rates = MultiQueue().hourly_rates(with_queues(jobs, read_thresholds("2:1")))
    assert rates.tolist() == [2.0, 1.7]


def test_thresholds_are_refused() -> None:
    with pytest.raises(InputError, match="is not QUEUE:RATE"):
        read_thresholds("1=2")
