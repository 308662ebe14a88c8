from __future__ import annotations

from datetime import UTC, time

import pytest

from swfx import Header, InputError
from swfx.base.zones import find_zone
from swfx.clock import Clock, clock_of, instant, next_time, time_of_day

DATASTAR = Header(
    (" UnixStartTime: 1078605840", " TimeZone: -28800", " TimeZoneString: US/Pacific")
)


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("2004-03-06T12:44", 0),
        ("2004-03-07", 40_560),
        ("2004-04-05", 40_560 + 29 * 86_400 - 3_600),  # clocks went forward on 4 April
        ("2004-03-06T20:44:00+00:00", 0),
    ],
)
def test_dates_are_in_the_zone_of_the_log(date: str, seconds: float) -> None:
    assert Clock.of(DATASTAR).seconds(date) == seconds


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        (DATASTAR.lines, "2004-03-06T12:44:01-08:00"),
        (DATASTAR.lines[:2], "2004-03-06T12:44:01-08:00"),
        (DATASTAR.lines[:1], "2004-03-06T20:44:01+00:00"),
        ((*DATASTAR.lines[:1], " TimeZone: CET"), "2004-03-06T20:44:01+00:00"),
    ],
)
def test_the_zone_is_the_best_that_the_header_has(lines: tuple[str, ...], date: str) -> None:
    assert Clock.of(Header(lines)).date(1).isoformat() == date


def test_what_a_header_does_not_say() -> None:
    with pytest.raises(InputError, match="field UnixStartTime: the header does not say when"):
        Clock.of(Header())
    with pytest.raises(InputError, match="field TimeZoneString: no time zone is named 'Mars'"):
        Clock.of(DATASTAR.with_value("TimeZoneString", "Mars"))
    with pytest.raises(InputError, match="'soon' is neither seconds nor a date; write 2004"):
        Clock.of(DATASTAR).seconds("soon")


@pytest.mark.parametrize("seconds", [1e12, 1e300, -1e12])
def test_no_date_outside_the_calendar(seconds: float) -> None:
    with pytest.raises(InputError, match=r"field UnixStartTime: .* there is no date; write the"):
        Clock.of(DATASTAR).date(seconds)


def test_utc_stands_for_a_zone_that_is_not_known() -> None:
    clock = clock_of(DATASTAR.with_value("TimeZoneString", "Foo/Bar"))

    assert clock is not None
    assert clock.date(1).isoformat() == "2004-03-06T20:44:01+00:00"
    assert clock_of(Header((" TimeZoneString: Foo/Bar",))) is None


def test_times_are_seconds_quantities_or_dates() -> None:
    clock = Clock(1_078_605_840, UTC)

    found = [instant(text, clock, "--at") for text in ("-5", "1.5h", "2004-03-07T00:00")]

    assert found == [-5.0, 5400.0, 11_760.0]
    with pytest.raises(InputError, match="--at: 'noon' is neither seconds nor a date"):
        instant("noon", clock, "--at")
    with pytest.raises(InputError, match="--at, UnixStartTime: the header does not say"):
        instant("2004-03-07", None, "--at")


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
