from __future__ import annotations

import pytest

from swfx.families.estimates.modal import tail


def test_times_are_whole_minutes_and_the_last_is_just_below_the_longest() -> None:
    times = tail.times(15, 172_800, [172_800, 300], tail.default_curve(35))

    assert times[0] == 6960
    assert times[-1] == 172_770
    assert all(time % 60 == 0 for time in times[:-1])


def test_a_time_that_is_taken_moves_and_one_without_a_free_place_goes() -> None:
    # every i/count rounds to one of the 2 minutes up to 120 s
    assert tail.times(16, 120, [60, 120], 1e6) == [30, 20, 10, 90, 80, 40, 70, 50, 100, 110]


def test_shares_fall_and_add_up() -> None:
    percents = tail.percents(70, 11)

    assert sum(percents) == pytest.approx(11)
    assert percents == sorted(percents, reverse=True)
    assert tail.percents(0, 11) == []
