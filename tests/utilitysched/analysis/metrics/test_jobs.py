"""Metrics of single jobs: waits, slowdowns, utilities, kinds of jobs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing import charge
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from tests.utilitysched.metrics_jobs import four_jobs, four_scheduled, schedule_of, scheduled
from tests.utilitysched.preempted import ByPlan, preempted_workload
from utilitysched import Schedule, metrics, simulate
from utilitysched.analysis import series
from utilitysched.analysis.metrics import (
    effective_losers,
    gini,
    jain,
    lost_utility,
    slowdown_metrics,
    user_means,
)
from utilitysched.engine.segments_log import waste_of
from utilitysched.model.segments import Segments, Stop


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


def test_classes_premature_jobs_and_sizes_of_the_slowest() -> None:
    # one behind the other: waits 0, 90, 1090, 1010 and 1210 s; the third and the last end early
    log = Workload.from_columns(
        submit=[0, 10, 10, 100, 100],
        run=[100, 1000, 10, 200, 1],
        requested_time=[100, 1000, 1000, 200, 1000],
        processors=[4, 4, 2, 4, 3],
        header=Header((" MaxProcs: 4",)),
    )

    found = slowdown_metrics(log, simulate(log, "fcfs"))

    shares = [found[f"share_slowdown_{name}"] for name in ("1", "to_10", "to_100", "over_100")]
    assert shares == [0.2, 0.4, 0.0, 0.4]
    early, others = (110 + 121.1) / 2, (1 + 1.09 + 6.05) / 3
    assert found["premature_slowdown_ratio"] == pytest.approx(early / others)
    assert found["slowest_size_median"] == 4
    assert slowdown_metrics(log[:2], simulate(log[:2], "fcfs"))["premature_slowdown_ratio"] is None


def test_jobs_that_started_at_once() -> None:
    assert metrics.at_once(four_jobs(), four_scheduled()).tolist() == [True, False, False, False]


def test_premature_jobs_asked_for_a_hundred_times_what_they_ran() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 5,
        run=[10, 10, 0, 10, 0],
        requested_time=[1000, 999, 1, -1, -1],
        processors=[1] * 5,
    )

    assert metrics.premature(jobs).tolist() == [True, False, True, False, False]


def test_starved_jobs_waited_longer_than_the_threshold() -> None:
    jobs, schedule = four_jobs(), four_scheduled()

    assert metrics.starved(jobs, schedule, threshold=299).tolist() == [False, False, False, True]
    assert metrics.starved(jobs, schedule, threshold=300).sum() == 0


def test_without_a_threshold_it_is_three_times_the_longest_request() -> None:
    jobs = four_jobs()  # the longest request is 1000 s

    assert metrics.starved(jobs, schedule_of(jobs, [3000, 3001, 0, 0])).tolist() == [
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("text", ["fcfs:threshold=0.3x", "ga:threshold=300"])
def test_a_scheduler_with_a_threshold_is_judged_by_it(text: str) -> None:
    jobs = Workload.from_columns(
        submit=[0] * 4, run=[300, 1, 600, 1], requested_time=[1000] * 4, processors=[4] * 4
    )
    schedule = simulate(jobs, text, machine_size=4)

    assert schedule.starvation_threshold == 300
    assert metrics.starved(jobs, schedule).tolist() == (schedule.wait(jobs) > 300).tolist()
    assert metrics.summary(jobs, schedule)["starvation_threshold"] == 300
    assert metrics.starved(jobs, schedule).any()


def test_a_restart_that_takes_too_long_cuts_a_job_short() -> None:
    """70 s of work are left of job 11, and a restart takes 16 s of the 78 s that it may run."""
    tight = preempted_workload().replace(requested_time=np.array([100.0, 20.0, 20.0]))

    for actual, expected in (("1", False), ("2", True)):
        schedule = simulate(tight, ByPlan(), preemption=f"actual={actual}")
        assert metrics.cut_short(tight, schedule).tolist() == [expected, False, False]
        assert metrics.summary(tight, schedule)["jobs_cut_short"] == int(expected)
    assert not metrics.cut_short(tight, simulate(tight, "easy")).any()


def test_a_job_that_was_cut_short_has_failed() -> None:
    """It is worth nothing, has no slowdown, and is not charged by its value."""
    tight = preempted_workload().replace(requested_time=np.array([100.0, 20.0, 20.0]))
    done, cut = (simulate(tight, ByPlan(), preemption=f"actual={each}") for each in (1, 2))

    assert metrics.realised_utility(tight, done)[0] > 0
    assert metrics.realised_utility(tight, cut).tolist() == [0, 0, 0]
    assert metrics.lost_utility(tight, cut)[0] == tight.utility.evaluate([100.0] * 3)[0]
    for measure in (
        *(metrics.slowdown, metrics.bounded_slowdown, metrics.processor_bounded_slowdown),
        metrics.requested_expansion_factor,
    ):
        assert np.isnan(measure(tight, cut)).tolist() == [True, False, False]
        assert not np.isnan(measure(tight, done)).any()
    figures, before = (metrics.summary(tight, each) for each in (cut, done))
    assert (figures["aggregate_utility"], figures["jobs_without_run_time"]) == (0, 0)
    assert figures["bounded_slowdown_max"] < before["bounded_slowdown_max"]
    assert cut.to_frame(tight).status.tolist() == [0, *tight.status[1:]]
    for reading in ("requested", "end"):
        bill = charge(
            tight,
            cut.start,
            cut.end,
            f"first-price:reading={reading}",
            used=cut.running_time,
            waste=waste_of(cut.segments),
            cut_short=cut.cut_short(tight),
        )
        assert bill.outcome.utility.tolist() == bill.charge.tolist() == [0, 0, 0]
        assert bill.reason[0] == "not charged: killed before its work was done"


def test_weeks_and_users_leave_out_who_was_cut_short() -> None:
    week, jobs = 604800.0, 4
    workload = Workload.from_columns(
        submit=[0, 0, week, week],
        run=[100] * jobs,
        requested_time=[100] * jobs,
        processors=[1] * jobs,
        user=[1, 1, 2, 2],
    )
    start = np.array([100.0, 300.0, week, week])
    schedule = Schedule(
        start,
        start + 100,
        np.zeros(jobs, np.bool_),
        4,
        "by hand",
        passes=0,
        provenance={"shared": {}},
        killed=np.array([False, True, True, True]),
    )

    weeks = metrics.weekly(workload, schedule)
    users = series.users(workload, schedule)

    assert [week.bounded_slowdown for week in weeks] == [2, None]
    assert [week.jobs for week in weeks] == [2, 2]
    assert users.bounded_slowdown[0] == 2
    assert np.isnan(users.bounded_slowdown[1])
    figures = metrics.summary(workload, schedule)
    assert (figures["jobs_cut_short"], figures["share_cut_short"]) == (3, 0.75)
    assert figures["weekly_bounded_slowdown_sum"] == 2
    assert slowdown_metrics(workload, schedule)["share_slowdown_to_10"] == 1


def test_on_shared_nodes_work_lost_to_failures_is_no_slowdown_by_neighbours() -> None:
    """60 s were lost when a node failed; then the job took 80 s for 100 s of work."""
    workload = Workload.from_columns(submit=[0], run=[100], processors=[2])
    nothing = np.zeros(2)
    pieces = Segments(
        np.zeros(2, np.int64),
        np.array([0.0, 70.0]),
        np.array([60.0, 150.0]),
        nothing,
        np.array([0.0, 80.0]),
        np.array([60.0, 0.0]),
        np.array([Stop.FAILED, Stop.COMPLETED]),
        np.full(2, -1),
    )
    schedule = Schedule(
        np.array([0.0]),
        np.array([150.0]),
        np.zeros(1, np.bool_),
        4,
        "by hand",
        passes=0,
        provenance={"shared": {}},
        segments=pieces,
    )

    found = metrics.summary(workload, schedule)

    assert (found["jobs_cut_short"], found["jobs_slowed"]) == (0, 0)
    assert found["job_speedup_mean"] == found["job_speedup_weighted"] == 1.25
    assert found["realised_slowdown_mean"] == 150 / 80


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


def test_losses_are_as_concentrated_as_those_of_so_many_equal_losers() -> None:
    curve = UtilityFunction([0, 10, 20], [8, 8, 0])
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[10, 10, 5],
        processors=[1, 1, 1],
        utility=UtilityTable.from_functions([curve] * 3),
    )
    one_by_one = simulate(jobs, "fcfs", machine_size=1)

    # the second ends at 20 and the third at 25
    assert lost_utility(jobs, one_by_one).tolist() == [0, 8, 8]
    assert effective_losers(jobs, one_by_one) == 2
    assert effective_losers(jobs, simulate(jobs, "fcfs", machine_size=3)) is None


shares = st.lists(st.integers(0, 1000).map(float), min_size=1, max_size=30).map(np.array)


def test_means_per_user_leave_unknown_users_and_undefined_figures_out() -> None:
    jobs = four_jobs().replace(user=[7, -1, 3, 7])

    assert user_means(jobs, np.array([1.0, 100.0, 5.0, 2.0])).tolist() == [5, 1.5]
    assert user_means(jobs, np.array([1.0, 100.0, np.nan, 2.0])).tolist() == [1.5]


def test_one_of_four_has_everything() -> None:
    assert jain(np.array([0.0, 0.0, 0.0, 9.0])) == 0.25
    assert gini(np.array([0.0, 9.0, 0.0, 0.0])) == 0.75


def test_equal_shares_and_no_shares() -> None:
    assert (jain(np.full(5, 3.0)), gini(np.full(5, 3.0))) == (1, 0)
    assert (jain(np.zeros(5)), gini(np.zeros(5))) == (1, 0)
    assert (jain(np.array([])), gini(np.array([]))) == (None, None)


@given(shares)
def test_the_gini_coefficient_is_half_the_relative_mean_difference(sample: np.ndarray) -> None:
    differences = np.abs(sample[:, None] - sample[None, :]).mean()
    mean = sample.mean()

    assert gini(sample) == pytest.approx(differences / (2 * mean) if mean else 0, abs=1e-12)


@given(shares)
def test_jains_index_lies_between_one_nth_and_one(sample: np.ndarray) -> None:
    found = jain(sample)

    assert found is not None
    assert 1 / len(sample) - 1e-12 <= found <= 1 + 1e-12


def test_slowdowns_and_speedups_are_by_realised_run_times() -> None:
    workload = Workload.from_columns(submit=[0, 0, 0], run=[10, 20, 0], processors=[2, 1, 1])
    schedule = Schedule(
        np.array([0.0, 15.0, 0.0]),
        np.array([8.0, 40.0, 0.0]),
        np.zeros(3, np.bool_),
        4,
        "by hand",
        passes=0,
        provenance={"shared": {}},
    )

    found = metrics.summary(workload, schedule)

    # 8/8 and 40/25; the third has no run time
    assert found["realised_slowdown_mean"] == pytest.approx(1.3)
    assert found["realised_slowdown_sd"] == pytest.approx(0.3)
    # bounded by 10 s: 8/10, counted as 1, 40/25 and 1
    assert found["realised_bounded_slowdown_mean"] == pytest.approx(1.2)
    assert found["realised_bounded_slowdown_sd"] == pytest.approx(np.std([1.0, 1.6, 1.0]))
    assert found["processor_slowdown_mean"] == pytest.approx((0.5 + 1.6) / 2)
    # 10/8 and 20/25, weights 16 and 25
    assert found["job_speedup_mean"] == pytest.approx((1.25 + 0.8) / 2)
    assert found["job_speedup_sd"] == pytest.approx(0.225)
    assert found["job_speedup_weighted"] == pytest.approx((1.25 * 16 + 0.8 * 25) / 41)
    of_each_processor_second = [1.25] * 16 + [0.8] * 25
    assert found["job_speedup_weighted_sd"] == pytest.approx(np.std(of_each_processor_second))
    assert (found["jobs_slowed"], found["share_slowed"]) == (1, 0.5)


def test_schedules_without_shared_nodes_have_none_of_them() -> None:
    workload = Workload.from_columns(submit=[0], run=[10], processors=[2])

    found = metrics.summary(workload, simulate(workload, "easy", machine_size=4))

    assert "job_speedup_mean" not in found
