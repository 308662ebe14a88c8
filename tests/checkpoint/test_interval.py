from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoint import constant_overhead, preempt, proportional_overhead, saved

seconds = st.integers(0, 10**7).map(float)


def test_a_preemption_keeps_whole_intervals_and_loses_the_rest() -> None:
    result = preempt(elapsed=[1000, 299, 300], interval=300, run_left=7200)

    assert result.work.tolist() == [1000, 299, 300]
    assert result.kept.tolist() == [900, 0, 300]
    assert result.lost.tolist() == [100, 299, 0]
    assert result.remaining.tolist() == [6300, 7200, 6900]


def test_the_overhead_of_a_restart_does_no_work_and_counts_no_checkpoint() -> None:
    result = preempt(elapsed=1000, interval=300, run_left=7200, paid_overhead=150, next_overhead=60)

    assert result.work.tolist() == [850]
    assert result.kept.tolist() == [600]
    assert result.lost.tolist() == [250]
    assert result.remaining.tolist() == [7200 - 600 + 60]


def test_preempted_within_its_overhead_a_job_has_done_nothing() -> None:
    result = preempt(elapsed=100, interval=300, run_left=500, paid_overhead=150)

    assert (result.work[0], result.kept[0], result.lost[0]) == (0, 0, 0)
    assert result.remaining[0] == 500


def test_a_job_without_checkpoints_keeps_nothing() -> None:
    assert preempt(elapsed=5000, interval=-1, run_left=7200).lost.tolist() == [5000]


def test_overhead_models() -> None:
    assert proportional_overhead([1, 64], seconds_per_processor=0.5).tolist() == [0.5, 32]
    assert constant_overhead([1, 64], seconds=30).tolist() == [30, 30]


def test_a_checkpoint_at_the_preemption_itself_loses_nothing() -> None:
    result = preempt(elapsed=[1000, 100], interval=0, run_left=7200, paid_overhead=150)

    assert result.kept.tolist() == [850, 0]
    assert result.lost.tolist() == [0, 0]
    assert result.remaining.tolist() == [6350, 7200]


def test_from_scratch_everything_is_lost() -> None:
    result = preempt(elapsed=5000, interval=float("inf"), run_left=7200, next_overhead=60)

    assert (result.kept[0], result.lost[0], result.remaining[0]) == (0, 5000, 7260)


def test_preempted_again_and_again_a_job_keeps_what_it_saved_each_time() -> None:
    """It runs 1,000 s, 400 s of which 150 are overhead, 100 s within the overhead, and 500 s."""
    first = preempt(elapsed=1000, interval=300, run_left=2000)
    left = 2000 - first.kept
    second = preempt(elapsed=400, interval=300, run_left=left, paid_overhead=150)
    third = preempt(elapsed=100, interval=300, run_left=left - second.kept, paid_overhead=150)
    fourth = preempt(elapsed=500, interval=300, run_left=left, paid_overhead=150, next_overhead=150)

    assert [r.kept[0] for r in (first, second, third, fourth)] == [900, 0, 0, 300]
    assert [r.lost[0] for r in (first, second, third, fourth)] == [100, 250, 0, 50]
    assert fourth.remaining[0] == 2000 - 900 - 300 + 150


@given(seconds, st.sampled_from([-1.0, 0.0, float("inf")]) | st.integers(1, 10**6).map(float))
def test_one_job_or_many_keep_the_same(work: float, interval: float) -> None:
    assert saved(work, interval) == preempt(work, interval, run_left=work).kept[0]


@pytest.mark.parametrize("interval", [-0.5, -2, float("nan")])
def test_an_interval_is_none_below_zero_but_minus_one(interval: float) -> None:
    with pytest.raises(ValueError, match="checkpoint interval: seconds from 0, or -1"):
        preempt(elapsed=1, interval=interval, run_left=1)


def test_negative_time_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="elapsed: seconds, at least 0"):
        preempt(elapsed=-1, interval=10, run_left=1)


@given(seconds, st.integers(1, 10**6).map(float), seconds, seconds)
def test_kept_and_lost_are_the_work(
    elapsed: float, interval: float, run_left: float, paid: float
) -> None:
    result = preempt(elapsed, interval, run_left, paid_overhead=paid)

    assert np.array_equal(result.kept + result.lost, result.work)
    assert 0 <= result.lost[0] < interval
    assert result.kept[0] % interval == 0
