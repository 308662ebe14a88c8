"""Utility over time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import Workload
from tests.utilitysched.metrics_jobs import scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.series import delivered_utility, offered_utility, undelayed_utility


def test_utility_of_the_three_jobs() -> None:
    delivered = delivered_utility(three_jobs(), three_scheduled())
    undelayed = undelayed_utility(three_jobs(), three_scheduled())
    offered = offered_utility(three_jobs(), three_scheduled())

    assert (delivered.time.tolist(), delivered.value.tolist()) == ([10, 30], [10, 12])
    assert (undelayed.time.tolist(), undelayed.value.tolist()) == ([10, 20], [10, 14])
    assert (offered.time.tolist(), offered.value.tolist()) == ([0, 5], [28, 28])


@given(scheduled())
def test_the_last_value_is_the_aggregate_utility_and_below_its_bounds(
    case: tuple[Workload, Schedule],
) -> None:
    workload, schedule = case
    delivered = delivered_utility(workload, schedule)
    undelayed = undelayed_utility(workload, schedule)
    offered = offered_utility(workload, schedule)

    aggregate = metrics.aggregate_utility(workload, schedule)
    assert delivered.value[-1] == pytest.approx(aggregate)
    instants = np.concatenate([delivered.time, undelayed.time, offered.time])
    slack = 1e-9 * offered.value[-1]
    assert np.all(delivered.at(instants) <= undelayed.at(instants) + slack)
    assert np.all(undelayed.at(instants) <= offered.at(instants) + slack)
