from __future__ import annotations

import math

import numpy as np
from hypothesis import given

from pricing import charge
from swfx import Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, scheduled
from utilitysched import Schedule, metrics


def test_utilities_at_the_turnaround_time() -> None:
    assert metrics.realised_utility(four_jobs(), four_scheduled()).tolist() == [6, 3, 0, 0]
    assert metrics.aggregate_utility(four_jobs(), four_scheduled()) == 9


def test_shares_of_the_start_value_where_there_is_one() -> None:
    share = metrics.start_value_share(four_jobs(), four_scheduled())

    assert share[:2].tolist() == [0.75, 0.5]
    assert np.isnan(share[2:]).all()


@given(scheduled())
def test_the_sum_is_exact_in_any_order(case: tuple[Workload, Schedule]) -> None:
    utilities = metrics.realised_utility(*case).tolist()

    assert metrics.aggregate_utility(*case) == math.fsum(reversed(utilities))


@given(scheduled())
def test_a_first_price_bill_adds_up_to_the_aggregate_utility(
    case: tuple[Workload, Schedule],
) -> None:
    workload, schedule = case

    charges = charge(workload, schedule.start, schedule.end, "first-price:reading=end")

    aggregate = metrics.aggregate_utility(workload, schedule)
    assert charges.total == aggregate
    assert float(charges.billed) == aggregate


@given(scheduled())
def test_nobody_earns_more_than_the_start_value(case: tuple[Workload, Schedule]) -> None:
    share = metrics.start_value_share(*case)

    assert ((share >= 0) & (share <= 1))[~np.isnan(share)].all()
