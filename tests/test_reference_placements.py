"""Each placement at one instant, on four processors."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.reference.jobs import Job, Running, rigid
from tests.reference.placements import (
    Conservative,
    SchedulingPass,
    place_easy,
    place_none,
    place_reservations,
)
from tests.reference.profile import Profile


def queued(*rows: tuple[float, int]) -> list[Job]:
    """Jobs that arrived at 0 with (request, size)."""
    return rigid(*((0.0, request, request, size) for request, size in rows))


def numbers(jobs: Sequence[Job]) -> list[int]:
    return [job.number for job in jobs]


def at(now: float, running: Sequence[Running], queue: Sequence[Job]) -> SchedulingPass:
    return SchedulingPass(now, 4, running, queue)


BUSY = [Running(10.0, 90, 2), Running(20.0, 91, 1)]


def test_profile_steps_merge_equal_times() -> None:
    profile = Profile(5.0, 4, [Running(10.0, 0, 2), Running(10.0, 1, 1), Running(5.0, 2, 1)])

    assert list(profile.steps()) == [(5.0, 1), (10.0, 4)]


def test_profile_finds_the_first_hole_that_is_long_enough() -> None:
    profile = Profile(0.0, 4, [Running(10.0, 0, 2)])
    profile.occupy(12.0, 20.0, 3)

    assert profile.earliest(2, 12.5) == 20.0
    assert profile.earliest(2, 10.0) == 0.0
    assert profile.earliest(4, 2.0) == 10.0
    assert profile.earliest(4, 2.5) == 20.0
    assert profile.earliest(1, 1e9) == 0.0


def test_profile_vacate_undoes_occupy() -> None:
    profile = Profile(0.0, 4)
    profile.occupy(3.0, 8.0, 4)
    profile.vacate(3.0, 8.0, 4)

    assert list(profile.steps()) == [(0.0, 4)]


def test_profile_holds_nothing_for_a_job_of_zero_seconds() -> None:
    profile = Profile(0.0, 4, [Running(10.0, 0, 3)])
    profile.occupy(10.0, 10.0, 4)

    assert profile.earliest(2, 0.0) == 10.0
    assert profile.earliest(4, 5.0) == 10.0


def test_profile_refuses_what_is_wider_than_the_machine() -> None:
    with pytest.raises(ValueError, match="5 processors are never free"):
        Profile(0.0, 4).earliest(5, 1.0)


def test_none_stops_at_the_first_that_does_not_fit() -> None:
    assert numbers(place_none(at(0.0, [], queued((9, 2), (9, 3), (9, 1))))) == [0]


def test_easy_backfills_what_ends_by_the_shadow_time() -> None:
    # head needs 3: free 1, at 10 there are 3, nothing to spare
    assert numbers(place_easy(at(0.0, BUSY, queued((9, 3), (10, 1))))) == [1]
    assert numbers(place_easy(at(0.0, BUSY, queued((9, 3), (11, 1))))) == []


def test_easy_backfills_long_jobs_into_the_spare_processors() -> None:
    # head needs 2 of the 3 that are free at 10
    assert numbers(place_easy(at(0.0, BUSY, queued((9, 2), (99, 1))))) == [1]


def test_easy_spends_the_spare_processors_once() -> None:
    running = [Running(10.0, 90, 2)]

    # at 10 all 4 are free, the head needs 3, one is spare
    assert numbers(place_easy(at(0.0, running, queued((9, 3), (99, 1), (99, 1), (9, 1))))) == [1, 3]


def test_easy_counts_all_releases_at_the_shadow_time_as_spare() -> None:
    together = [Running(10.0, 90, 2), Running(10.0, 91, 1)]
    queue = queued((9, 3), (99, 1))
    strict = SchedulingPass(0.0, 4, together, queue, shadow_releases_spare=False)

    assert numbers(place_easy(at(0.0, together, queue))) == [1]
    assert numbers(place_easy(strict)) == []


def test_easy_counts_what_it_has_just_started() -> None:
    # job 0 starts and holds 2 until 5: the head needs 3 at 5, when 1 + 2 are free
    running = [Running(10.0, 90, 1)]

    assert numbers(place_easy(at(0.0, running, queued((5, 2), (9, 3), (5, 1), (1, 1))))) == [0, 2]
    assert numbers(place_easy(at(0.0, running, queued((5, 2), (9, 3), (6, 1), (1, 1))))) == [0, 3]


def test_easy_scans_in_the_backfill_order() -> None:
    shortest = SchedulingPass(
        0.0,
        4,
        BUSY,
        queued((9, 3), (8, 1), (7, 1)),
        lambda jobs: sorted(jobs, key=lambda job: job.request),
    )

    assert numbers(place_easy(shortest)) == [2]


def test_an_overdue_job_may_count_as_free() -> None:
    overdue = [Running(10.0, 90, 4)]
    queue = queued((9, 4))

    assert numbers(place_easy(at(10.0, overdue, queue))) == []
    assert numbers(place_easy(SchedulingPass(10.0, 4, overdue, queue, overdue_is_free=True))) == [0]


# job 1 has a reservation at 10, job 2 at 20; job 3 (1 processor, 25 s) would delay job 2 alone
LADDER = queued((10, 3), (10, 2), (10, 4), (25, 1))


@pytest.mark.parametrize(
    ("reservations", "started"), [(0, [0, 3]), (1, [0, 3]), (2, [0]), (3, [0]), (None, [0])]
)
def test_the_second_reservation_holds_back_a_long_job(
    reservations: int | None, started: list[int]
) -> None:
    assert numbers(place_reservations(at(0.0, [], LADDER), reservations)) == started


def test_no_reservation_backfills_freely() -> None:
    queue = queued((9, 4), (99, 1))

    assert numbers(place_reservations(at(0.0, BUSY, queue), 0)) == [1]
    assert numbers(place_reservations(at(0.0, BUSY, queue), 1)) == []


def test_a_start_beyond_the_window_is_not_reserved_and_does_not_count() -> None:
    # job 0 could start at 20 (beyond the window of 15), job 1 at 10: it gets the reservation
    queue = queued((9, 4), (9, 3), (99, 1), (10, 1))

    assert numbers(place_reservations(at(0.0, BUSY, queue), 1, window=15.0)) == [3]
    assert numbers(place_reservations(at(0.0, BUSY, queue), 1, window=9.0)) == [2]
    assert numbers(place_reservations(at(0.0, BUSY, queue), 1, window=10.0)) == [3]


def test_a_job_of_zero_seconds_needs_its_processors_at_the_instant() -> None:
    queue = queued((0, 2), (0, 1))

    for started in (place_easy(at(0.0, BUSY, queue)), place_reservations(at(0.0, BUSY, queue), 1)):
        assert numbers(started) == [1]


def test_a_job_of_zero_seconds_touches_no_reservation() -> None:
    # job 0 (zero seconds) holds 2, so job 1 waits for an instant; job 2 starts beside job 0
    queue = queued((0, 2), (9, 4), (0, 2), (5, 2))

    for started in (place_easy(at(0.0, [], queue)), place_reservations(at(0.0, [], queue), 1)):
        assert numbers(started) == [0, 2]


def test_conservative_reserves_the_earliest_feasible_start() -> None:
    conservative = Conservative()

    started = conservative.place(at(0.0, [], LADDER), ended_early=False)

    assert numbers(started) == [0]
    assert conservative.reserved == {1: 10.0, 2: 20.0, 3: 30.0}
    assert conservative.wake_up(0.0) == 10.0
    assert conservative.wake_up(30.0) == float("inf")


def test_conservative_compresses_in_queue_order_each_once() -> None:
    conservative = Conservative()
    conservative.place(at(0.0, [], LADDER), ended_early=False)

    # job 0 ended at 4: job 1 starts, job 2 follows it at 14, job 3 fits before or after
    started = conservative.place(at(4.0, [], LADDER[1:]), ended_early=True)

    assert numbers(started) == [1]
    assert conservative.reserved == {2: 14.0, 3: 24.0}


def test_conservative_keeps_reservations_where_nothing_ended_early() -> None:
    conservative = Conservative()
    conservative.reserved = {1: 50.0}

    started = conservative.place(at(4.0, [], LADDER[1:2]), ended_early=False)

    assert (started, conservative.reserved) == ([], {1: 50.0})
