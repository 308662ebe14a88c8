from __future__ import annotations

from datetime import date, time
from zoneinfo import ZoneInfo

import pytest

from swfx import InputError
from swfx.families.utilities.working_days import WorkingDays, days_text, read_days, read_time

MONDAY = 1709539200.0
"""2024-03-04 09:00 in Paris."""


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("mon-fri", (0, 1, 2, 3, 4)),
        ("mon,wed,fri", (0, 2, 4)),
        ("Sun-Thu", (0, 1, 2, 3, 6)),
        ("fri-mon", (0, 4, 5, 6)),
        ("tue", (1,)),
        ("mon-sun", (0, 1, 2, 3, 4, 5, 6)),
    ],
)
def test_days_are_read_and_written(text: str, days: tuple[int, ...]) -> None:
    assert read_days(text, "x", "days") == days
    assert read_days(days_text(days), "x", "days") == days


def test_working_days_reach_two_further() -> None:
    monday = WorkingDays((0,), ZoneInfo("Europe/Paris")).between(MONDAY, MONDAY)

    assert monday == [date(2024, 3, day) for day in (4, 11, 18)]


def test_clocks_put_forward_and_back() -> None:
    paris = WorkingDays((6,), ZoneInfo("Europe/Paris"))
    sundays = [date(2024, 3, 24), date(2024, 3, 31), date(2024, 10, 27)]

    # 2:30 is 1:30 UTC in winter; skipped on 31 March, when 3:30 is 1:30 UTC; twice on 27 October,
    # first at 0:30 UTC
    moments = paris.moments(sundays, time(2, 30))

    assert (moments % 86400).tolist() == [5400, 5400, 1800]


def test_a_day_that_never_was_is_not_worked() -> None:
    samoa = WorkingDays((0, 1, 2, 3, 4), ZoneInfo("Pacific/Apia"))
    thursday = 1325214000.0  # 29 December 2011, 17:00; the next day was the 31st

    days = samoa.between(thursday, thursday)

    assert days[:2] == [date(2011, 12, 29), date(2012, 1, 2)]


def test_refusals() -> None:
    with pytest.raises(InputError) as error:
        read_time("25:00", "diurnal", "at")
    assert str(error.value) == (
        "diurnal: field at: '25:00' is not a time of the day; give HH:MM, such as 09:00"
    )
    for odd in ("monday", "mon-", "", "mon,,tue"):
        with pytest.raises(InputError, match=r"field days: '.*' is no day; give days such"):
            read_days(odd, "diurnal", "days")
