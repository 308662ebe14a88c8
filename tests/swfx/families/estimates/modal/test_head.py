from __future__ import annotations

import pytest

from swfx.families.estimates.modal import head

HOUR = 3600


def test_a_longest_estimate_of_48_hours_adds_20_30_40_and_45() -> None:
    times = head.times(48 * HOUR)

    assert times[0] == 48 * HOUR
    assert [time // HOUR for time in times[-5:]] == [18, 20, 30, 40, 45]
    assert len(times) == 20


def test_the_smallest_longest_estimate_leaves_every_5_minutes() -> None:
    assert head.times(5701) == [5701, *range(300, 5701, 300)]


def test_new_times_take_the_place_of_the_nearest_that_is_not_popular_everywhere() -> None:
    default, changed = head.times(18 * HOUR), head.times(18 * HOUR, [172, 5400, 3600])

    assert set(default) - set(changed) == {13 * HOUR, 14 * HOUR}
    assert set(changed) - set(default) == {172, 5400}


def test_times_popular_everywhere_go_last_and_the_longest_never() -> None:
    given = range(18 * HOUR - 19, 18 * HOUR)

    assert head.times(18 * HOUR, given) == [18 * HOUR, *given]


def test_given_times_that_are_popular_anyway_stay() -> None:
    given = [13 * HOUR, 17 * HOUR, 100, 200, 300, 400]

    changed = head.times(18 * HOUR, given)

    assert set(given) <= set(changed)
    assert len(changed) == 20


def test_shares_hold_89_percent() -> None:
    sizes = head.percents()

    assert sum(sizes) == pytest.approx(89)
    assert sizes[-1] == pytest.approx(0.86581821)


def test_a_given_share_takes_the_nearest_slot_and_the_rest_is_scaled() -> None:
    percent, rank_of = head.slots(18 * HOUR, {6 * HOUR: 25.0, 300: 1.5})

    assert rank_of == {6 * HOUR: 2, 300: 14}
    assert (percent[1], percent[13]) == (25.0, 1.5)
    assert sum(percent) == pytest.approx(89)
    assert percent[1:] == sorted(percent[1:], reverse=True)


def test_the_first_slot_is_for_the_longest_estimate() -> None:
    percent, rank_of = head.slots(18 * HOUR, {18 * HOUR: 30.0, 600: 31.0})

    assert rank_of == {18 * HOUR: 1, 600: 2}
    assert percent[:2] == [30.0, 31.0]


def test_a_longest_estimate_with_few_jobs_is_not_the_most_popular() -> None:
    percent, rank_of = head.slots(18 * HOUR, {18 * HOUR: 2.0})

    assert rank_of[18 * HOUR] > 5
    assert percent[rank_of[18 * HOUR] - 1] == 2.0


def test_given_shares_beyond_89_percent_leave_nothing_to_the_others() -> None:
    percent, _ = head.slots(18 * HOUR, {18 * HOUR: 60.0, 600: 33.0})

    assert percent == [60.0, 33.0, *[0.0] * 18]
