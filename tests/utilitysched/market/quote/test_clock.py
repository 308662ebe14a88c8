from __future__ import annotations

from datetime import time

import pytest

from swfx import InputError
from swfx.base.zones import find_zone
from swfx.clock import Clock
from utilitysched.market.quote.clock import next_time, time_of_day

BLUE = Clock(956700003, find_zone("US/Pacific"))
"""Time 0 is 2000-04-25 15:00:03."""


def test_the_next_morning() -> None:
    assert next_time(BLUE, 0.0, time(8)) == 17 * 3600 - 3


def test_the_same_instant_is_not_the_next() -> None:
    assert next_time(BLUE, 17 * 3600 - 3.0, time(8)) == 41 * 3600 - 3


def test_clocks_are_put_back() -> None:
    # 2000-10-29 02:00 PDT: the night has an hour more
    before = BLUE.seconds("2000-10-28T20:00")
    assert next_time(BLUE, before, time(8)) - before == 13 * 3600


@pytest.mark.parametrize("text", ["8", "24:00", "8:60", "08:00:00", "noon"])
def test_what_is_no_time_of_the_day(text: str) -> None:
    with pytest.raises(InputError, match="is no time of the day; write it as in 08:00"):
        time_of_day(text, "morning")
