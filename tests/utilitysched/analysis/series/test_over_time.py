"""Step functions, and the machine, the queue and utility over time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, Workload
from tests.utilitysched.metrics_jobs import four_jobs, schedule_of, scheduled
from tests.utilitysched.three_jobs import three_jobs, three_scheduled
from utilitysched import Schedule, metrics
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import (
    StepFunction,
    delivered_utility,
    offered_utility,
    processors_in_use,
    spans,
    thinned,
    undelayed_utility,
    utilisation,
    waiting_jobs,
    waiting_processors,
    weeks,
)

STEPS = StepFunction(np.array([0.0, 5.0, 9.0]), np.array([2.0, 6.0, 0.0]))


def test_a_value_holds_from_its_instant_to_the_next() -> None:
    assert STEPS.at([-1, 0, 4.9, 5, 8, 9, 99]).tolist() == [0, 2, 2, 6, 6, 0, 0]


def test_the_integral_grows_as_long_as_the_value_holds() -> None:
    assert STEPS.integral([-3, 0, 1, 5, 6, 9, 20]).tolist() == [0, 0, 2, 10, 16, 34, 34]
    assert STEPS.area() == 34


def test_means_are_over_time() -> None:
    assert STEPS.means(np.array([-5.0, 0.0, 10.0])).tolist() == [0.0, 3.4]


def test_instants_without_a_change_are_left_out_but_the_first_and_the_last() -> None:
    steps = StepFunction.from_changes([0, 1, 1, 2, 3], [0, 5, -5, 1, 0])

    assert steps.time.tolist() == [0, 2, 3]
    assert steps.value.tolist() == [0, 1, 1]


def test_a_part_begins_and_ends_with_what_holds_there() -> None:
    part = STEPS.within(4, 7)

    assert part.time.tolist() == [4, 5, 7]
    assert part.value.tolist() == [2, 6, 6]


def test_of_nothing_there_is_nothing() -> None:
    nothing = StepFunction.from_changes([], [])

    assert len(nothing) == 0
    assert nothing.area() == 0
    assert nothing.at([3]).tolist() == [0]
    assert nothing.means(np.array([0.0, 1.0])).tolist() == [0]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(-9, 9)), min_size=1))
def test_the_last_value_is_the_sum_of_all_changes(changes: list[tuple[int, int]]) -> None:
    times, sizes = zip(*changes, strict=True)
    steps = StepFunction.from_changes(times, sizes)

    assert steps.value[-1] == sum(sizes)
    assert np.all(np.diff(steps.time) > 0)
    assert steps.integral([60.0])[0] == pytest.approx(
        sum(size * (60 - time) for time, size in changes)
    )


COLUMNS = 50


def steps_of(seed: int) -> StepFunction:
    """Many more points than columns, in bursts, whole numbers that go up and down."""
    rng = np.random.default_rng(seed)
    times = np.unique(np.concatenate([rng.integers(0, 10_000, 900), rng.integers(0, 99, 400)]))
    return StepFunction(
        times.astype(np.float64), rng.integers(0, 30, len(times)).astype(np.float64)
    )


def reach(steps: StepFunction, edges: np.ndarray) -> list[tuple[float, float, float, float]]:
    """What a line in steps enters and leaves each column with, and how low and high it goes."""
    found = []
    for begin, end in pairwise(edges):
        inside = steps.value[(steps.time >= begin) & (steps.time < end)]
        entry = steps.at([begin - 1e-9])
        seen = np.concatenate([entry, inside])
        found.append((seen[0], seen[-1], seen.min(), seen.max()))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_every_column_is_entered_left_and_reached_as_before(seed: int) -> None:
    steps = steps_of(seed)
    fewer = thinned(steps, COLUMNS)
    edges = np.linspace(steps.time[0], steps.time[-1], COLUMNS + 1)
    edges[-1] += 1

    assert len(fewer) <= 4 * COLUMNS < len(steps)
    assert reach(fewer, edges) == reach(steps, edges)


def test_few_points_are_left_alone() -> None:
    steps = steps_of(0)

    assert thinned(steps, len(steps)) is steps


def test_processors_of_the_three_jobs() -> None:
    steps = processors_in_use(three_jobs(), three_scheduled())

    assert steps.time.tolist() == [0, 5, 10, 30]
    assert steps.value.tolist() == [4, 6, 8, 0]
    assert steps.area() == 4 * 10 + 8 * 20 + 2 * 5


def test_utilisation_is_a_share_of_the_machine() -> None:
    assert utilisation(three_jobs(), three_scheduled()).value.tolist() == [0.5, 0.75, 1, 0]


def test_a_job_has_one_span() -> None:
    found = spans(three_scheduled())

    assert found.job.tolist() == [0, 1, 2]
    assert found.end.tolist() == [10, 30, 10]


@given(scheduled())
def test_the_area_is_the_processor_seconds_used(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    used = np.sum(workload.size * (schedule.end - schedule.start))

    assert processors_in_use(workload, schedule).area() == pytest.approx(used)
    span = metrics.makespan(workload, schedule)
    if span > 0:
        shares = utilisation(workload, schedule)
        assert shares.area() / span == pytest.approx(metrics.utilisation(workload, schedule))


def test_one_of_the_three_jobs_waits() -> None:
    jobs = waiting_jobs(three_jobs(), three_scheduled())
    processors = waiting_processors(three_jobs(), three_scheduled())

    assert jobs.time.tolist() == processors.time.tolist() == [0, 10]
    assert jobs.value.tolist() == [1, 0]
    assert processors.value.tolist() == [8, 0]


@given(scheduled())
def test_the_area_is_the_sum_of_the_waits(case: tuple[Workload, Schedule]) -> None:
    workload, schedule = case
    waits = schedule.wait(workload)

    assert waiting_jobs(workload, schedule).area() == pytest.approx(waits.sum())
    assert waiting_processors(workload, schedule).area() == pytest.approx(
        (workload.size * waits).sum()
    )


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


def jobs(header: Header) -> Workload:
    """One job in the first week, none in the second, two in the third."""
    return four_jobs().replace(
        submit=np.array([5.0, 2 * WEEK + 5, 2 * WEEK + 6, 2 * WEEK + 7]), header=header
    )


def test_columns_are_those_of_the_metrics() -> None:
    workload = jobs(Header())
    schedule = schedule_of(workload, [0, 1, 2, 300])
    found = weeks(workload, schedule)
    rows = metrics.weekly(workload, schedule)

    assert found.start.tolist() == [5, WEEK + 5, 2 * WEEK + 5]
    assert found.jobs.tolist() == [1, 0, 3]
    assert np.isnan(found.wait[1])
    assert found.wait[[0, 2]].tolist() == [rows[0].wait, rows[2].wait]
    assert found.bounded_slowdown[2] == rows[2].bounded_slowdown
    assert found.utility.tolist() == [row.utility for row in rows]
    assert found.utilisation.tolist() == [row.utilisation for row in rows]


def test_without_a_clock_weeks_are_numbered() -> None:
    workload = jobs(Header())
    found = weeks(workload, schedule_of(workload, [0, 1, 2, 3]))

    assert found.label == ("week 1", "week 2", "week 3")
    assert found.zone is None


def test_dates_are_those_of_the_machines_place() -> None:
    header = Header((" UnixStartTime: 954547195", " TimeZoneString: US/Pacific"))
    workload = jobs(header)
    found = weeks(workload, schedule_of(workload, [0, 1, 2, 3]))

    assert found.zone == "US/Pacific"
    assert found.label == ("2000-03-31", "2000-04-07", "2000-04-14")
