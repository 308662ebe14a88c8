from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from swfx import InputError, Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, scheduled
from utilitysched import Schedule, metrics


def test_waits_and_turnarounds() -> None:
    assert metrics.wait(four_jobs(), four_scheduled()).tolist() == [0, 1, 2, 300]
    assert metrics.turnaround(four_jobs(), four_scheduled()).tolist() == [100, 2, 2, 500]


def test_slowdown_leaves_out_the_job_without_run_time() -> None:
    found = metrics.slowdown(four_jobs(), four_scheduled())

    assert found[[0, 1, 3]].tolist() == [1, 2, 2.5]  # the last job ran 200 s: killed at its limit
    assert np.isnan(found[2])
    assert np.array_equal(
        found, metrics.expansion_factor(four_jobs(), four_scheduled()), equal_nan=True
    )


def test_expansion_factor_by_requested_times() -> None:
    found = metrics.requested_expansion_factor(four_jobs(), four_scheduled())

    assert found.tolist() == [1, 1.01, 1.2, 2.5]


def test_bounded_slowdown_counts_short_jobs_as_tau_long() -> None:
    assert metrics.bounded_slowdown(four_jobs(), four_scheduled()).tolist() == [1, 1, 1, 2.5]
    assert metrics.bounded_slowdown(four_jobs(), four_scheduled(), tau=1).tolist() == [1, 2, 2, 2.5]


def test_per_processor_bounded_slowdown() -> None:
    found = metrics.processor_bounded_slowdown(four_jobs(), four_scheduled(), tau=0.25)

    assert found.tolist() == [1, 1, 8, 1]  # (0 + 2) / (1 x 0.25) and 500 / (4 x 200)


@pytest.mark.parametrize("tau", [0, -1, float("nan"), float("inf")])
def test_tau_must_be_positive(tau: float) -> None:
    with pytest.raises(InputError, match=r"field tau: .* give a positive number of seconds"):
        metrics.bounded_slowdown(four_jobs(), four_scheduled(), tau=tau)


@given(scheduled())
def test_the_slowdowns_are_ordered(case: tuple[Workload, Schedule]) -> None:
    slowdown, bounded = metrics.slowdown(*case), metrics.bounded_slowdown(*case)

    defined = ~np.isnan(slowdown)
    assert (slowdown[defined] >= 1).all()
    assert (bounded >= 1).all()
    assert (bounded[defined] <= slowdown[defined]).all()
    assert (metrics.processor_bounded_slowdown(*case) <= bounded).all()
