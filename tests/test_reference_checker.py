"""Schedules worked out by hand are accepted by the checker, and others are refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.checked import check_starts
from tests.reference.certificate import Broken, broken_promises, easy_head_respected
from tests.reference.checker import BrokenRuleError, Checker, Conditions, Shown
from tests.reference.jobs import Job, rigid
from tests.reference.lists import Scheduler
from tests.reference.protocol import COMPLETED, NEVER_STOPPED, Attempt, Choice, Conventions
from tests.reference.values import ValueRule

FREE = Scheduler(placement="reservations", reservations=0)
REPLAN = Scheduler(placement="reservations", reservations=None)
KEEP = Scheduler(placement="conservative")

# job 1 needs the whole machine; job 2 fits before it, job 3 does not
FOUR = rigid((0, 10, 10, 3), (1, 10, 10, 4), (2, 5, 5, 1), (3, 20, 20, 1))

# job 3 has room beside the head (job 1), but would delay job 2
LADDER = rigid((0, 10, 10, 3), (0, 10, 10, 2), (0, 10, 10, 4), (0, 25, 25, 1))


@pytest.mark.parametrize(
    ("scheduler", "start"),
    [
        (Scheduler(placement="none"), [0, 10, 20, 20]),
        (Scheduler(placement="easy"), [0, 10, 2, 20]),
        (KEEP, [0, 10, 2, 20]),
        (REPLAN, [0, 10, 2, 20]),
        (FREE, [0, 27, 2, 7]),
    ],
)
def test_four_jobs(scheduler: Scheduler, start: list[float]) -> None:
    check_starts(FOUR, 4, start, scheduler)


@pytest.mark.parametrize(
    ("start", "broken"),
    [
        ([0, 10, 1, 20], "at 2 s, job 2: is chosen, and does not start"),
        ([0, 10, 20, 20], "at 2 s, job 2: is chosen, and does not start"),
        ([0, 23, 2, 3], "at 7 s, job 3: starts without being chosen"),
        ([0, 10, 2, 21], "at 20 s, job 3: is chosen, and does not start"),
        ([0, 10, 2, math.inf], "at 20 s, job 3: is chosen, and does not start"),
        ([-1, 10, 2, 20], "at 0 s, job 0: is chosen, and does not start"),
    ],
)
def test_other_starts_are_refused(start: list[float], broken: str) -> None:
    with pytest.raises(BrokenRuleError, match=broken):
        check_starts(FOUR, 4, start, Scheduler())


def test_other_ends_are_refused() -> None:
    with pytest.raises(BrokenRuleError, match="at 9 s, job 0: ends at another time"):
        check_starts(FOUR, 4, [0, 9, 2, 19], Scheduler(), [9, 19, 7, 39])


def test_starts_beyond_the_machine_are_refused() -> None:
    """Whatever a scheduler decides, nobody runs on processors that others have."""
    jobs = rigid((0, 9, 9, 3), (0, 9, 9, 2))
    attempts = [[Attempt(job, 0.0, 9.0, 0.0, 9.0, 0.0, COMPLETED, -1)] for job in (0, 1)]
    conditions = Conditions(jobs, [NEVER_STOPPED] * 2, 4)
    everybody = Checker(Shown(attempts, [0.0, 0.0]), conditions, lambda _: Choice([], [0, 1]))

    with pytest.raises(BrokenRuleError, match="job 1: starts on processors that others have"):
        everybody.check()


@pytest.mark.parametrize(
    ("scheduler", "start"),
    [
        (Scheduler(placement="easy"), [0, 10, 25, 0]),
        (Scheduler(placement="reservations", reservations=1), [0, 10, 25, 0]),
        (Scheduler(placement="reservations", reservations=2), [0, 10, 20, 30]),
        (KEEP, [0, 10, 20, 30]),
        (REPLAN, [0, 10, 20, 30]),
    ],
)
def test_conservative_protects_more_than_the_head(scheduler: Scheduler, start: list[float]) -> None:
    check_starts(LADDER, 4, start, scheduler)


@pytest.mark.parametrize(
    ("jobs", "start"),
    [
        # of 4 processors at 10 the head leaves one over: job 2 has it, job 3 waits, job 4 ends soon
        (((10, 2), (9, 3), (99, 1), (99, 1), (9, 1)), [0, 10, 0, 19, 0]),
        # job 1 has just started, too: the head can start at 5, and job 3 has ended by then
        (((10, 1), (5, 2), (9, 3), (5, 1), (1, 1)), [0, 0, 5, 0, 10]),
        (((10, 1), (5, 2), (9, 3), (6, 1), (1, 1)), [0, 0, 5, 10, 0]),
        # whoever runs for no time is in nobody's way
        (((0, 2), (9, 4), (0, 2), (5, 2)), [0, 0, 0, 9]),
    ],
)
def test_easy_backfills_what_delays_the_head_by_nothing(
    jobs: tuple[tuple[int, int], ...], start: list[float]
) -> None:
    queue = rigid(*((0, run, run, size) for run, size in jobs))

    check_starts(queue, 4, start, Scheduler())
    check_starts(queue, 4, start, Scheduler(placement="reservations"))


@pytest.mark.parametrize("scheduler", [Scheduler(), Scheduler(placement="none"), KEEP, REPLAN])
def test_a_job_that_runs_for_no_time_makes_room_at_its_own_instant(scheduler: Scheduler) -> None:
    jobs = rigid((0, 0, 5, 4), (0, 3, 3, 4), (0, 0, 0, 4))

    check_starts(jobs, 4, [0, 0, 3], scheduler)


def test_all_arrivals_of_an_instant_are_ordered_together() -> None:
    jobs = rigid((0, 10, 10, 4), (0, 1, 1, 4))
    spf = Scheduler("spf")

    check_starts(jobs, 4, [1, 0], spf)
    one_by_one = Scheduler("spf", conventions=Conventions(one_pass_per_event=True))
    check_starts(jobs, 4, [0, 10], one_by_one)


def test_submissions_may_come_before_completions() -> None:
    # at 10 job 0 ends early and job 3 arrives; seen first, job 3 passes job 2 (planned at 20)
    jobs = rigid((0, 10, 20, 2), (0, 15, 15, 1), (1, 9, 9, 3), (10, 10, 10, 1))
    late = Conventions(one_pass_per_event=True, submissions_first=True)
    soon = Conventions(one_pass_per_event=True)

    check_starts(jobs, 4, [0, 0, 10, 15], Scheduler(conventions=soon))
    check_starts(jobs, 4, [0, 0, 15, 10], Scheduler(conventions=late))


def test_releases_beyond_the_heads_need_may_not_count_as_spare() -> None:
    jobs = rigid((0, 10, 10, 2), (0, 10, 10, 1), (1, 10, 10, 3), (1, 99, 99, 1))
    strict = Conventions(shadow_releases_spare=False)

    check_starts(jobs, 4, [0, 0, 10, 1], Scheduler())
    check_starts(jobs, 4, [0, 0, 10, 10], Scheduler(conventions=strict))


def test_fractions_of_a_second_are_kept() -> None:
    jobs = rigid((0.25, 0.5, 0.75, 4), (0.5, 1, 1, 4))

    check_starts(jobs, 4, [0.25, 0.75], Scheduler(), [0.75, 1.75])


def test_a_job_starves_only_when_its_wait_exceeds_the_threshold() -> None:
    jobs = rigid((0, 10, 10, 1), (1, 10, 10, 1), (9, 10, 10, 1))

    check_starts(jobs, 1, [0, 20, 10], Scheduler("lcfs", threshold=9))
    check_starts(jobs, 1, [0, 10, 20], Scheduler("lcfs", threshold=8.5))


def test_starved_jobs_go_first_in_the_backfill_order_too() -> None:
    # at 20 one processor is free until 50, jobs 2 and 3 want it, shortest first
    jobs = rigid((0, 50, 50, 3), (0, 20, 20, 1), (1, 9, 9, 4), (2, 15, 15, 1), (10, 5, 5, 1))
    plain = Scheduler("fcfs", backfill="spf")
    fair = Scheduler("fcfs", backfill="spf", threshold=17)

    check_starts(jobs, 4, [0, 0, 50, 25, 20], plain)
    check_starts(jobs, 4, [0, 0, 50, 20, 35], fair)


@pytest.mark.parametrize("placement", ["easy", "reservations"])
def test_depth_hides_the_end_of_the_queue(placement: str) -> None:
    jobs = rigid((0, 10, 10, 3), (0, 10, 10, 4), (0, 5, 5, 2), (0, 5, 5, 1))

    check_starts(jobs, 4, [0, 10, 20, 0], Scheduler(placement=placement))
    check_starts(jobs, 4, [0, 10, 20, 20], Scheduler(placement=placement, depth=3))


def test_a_window_gives_up_the_reservation() -> None:
    jobs = rigid((0, 100, 100, 3), (0, 10, 10, 4), (0, 200, 200, 1))
    near = Scheduler(placement="reservations", window=50)

    check_starts(jobs, 4, [0, 100, 110], Scheduler())
    check_starts(jobs, 4, [0, 200, 0], near)


def test_reservations_move_forward_when_a_job_ends_early() -> None:
    jobs = rigid((0, 5, 20, 4), (0, 10, 10, 4), (1, 10, 10, 2))

    check_starts(jobs, 4, [0, 5, 15], KEEP)


def test_planning_anew_breaks_a_reservation_that_compression_keeps() -> None:
    # job 3 has a reservation at 2; when jobs 0 and 1 end at 1, the plan from scratch prefers job 2
    jobs = rigid((0, 1, 2, 3), (0, 1, 20, 1), (0, 4, 4, 4), (0, 6, 6, 1))

    check_starts(jobs, 4, [0, 0, 8, 1], KEEP)
    check_starts(jobs, 4, [0, 0, 1, 5], REPLAN)


def test_a_reservation_that_no_event_meets_wakes_the_scheduler() -> None:
    # job 2 is compressed behind job 3 (then at 20..26), which itself moves to 10
    jobs = rigid((0, 10, 20, 3), (1, 10, 10, 2), (3, 10, 20, 4), (3, 6, 6, 2))

    check_starts(jobs, 4, [0, 10, 26, 10], KEEP)


def with_curve(number: int, value: float, **fields: Any) -> Job:
    defaults = {"submit": 0.0, "run": 10.0, "request": 40.0, "size": 4}
    return Job(number, **{**defaults, **fields}, points=((0.0, value), (100.0, 0.0)))


def test_what_a_user_ran_before_decides_what_its_next_job_is_worth() -> None:
    # all need the whole machine; user 1's first job took 10 of 40 s
    jobs = [
        with_curve(0, 1.0, user=1),
        with_curve(1, 9.0, submit=1.0, user=2),
        with_curve(2, 8.0, submit=1.0, user=1),
    ]

    by_request = Scheduler("value", rule=ValueRule(duration="requested"))
    by_history = Scheduler("value", rule=ValueRule(duration="predicted"))

    check_starts(jobs, 4, [0, 10, 20], by_request)
    check_starts(jobs, 4, [0, 20, 10], by_history)


def test_certificate_names_the_delayed_head() -> None:
    # job 1 has a reservation at 10; job 2 starts past it until 30
    jobs = rigid((0, 10, 10, 3), (0, 10, 10, 4), (0, 30, 30, 1))

    broken = list(broken_promises(jobs, [0, 30, 0], [10, 40, 30], 4))

    assert broken == [Broken(1, 10, 30), Broken(1, 10, 30)]
    assert not easy_head_respected(jobs, [0, 30, 0], [10, 40, 30], 4)
    assert easy_head_respected(jobs, [0, 10, 20], [10, 20, 50], 4)


def test_certificate_refuses_a_head_that_is_left_waiting() -> None:
    jobs = rigid((0, 5, 10, 4), (0, 10, 10, 4))

    assert easy_head_respected(jobs, [0, 5], [5, 15], 4)
    assert not easy_head_respected(jobs, [0, 11], [5, 21], 4)


def test_certificate_refuses_an_idle_machine() -> None:
    assert not easy_head_respected(rigid((0, 5, 5, 4)), [1], [6], 4)
