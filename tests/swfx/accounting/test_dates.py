from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from swfx.accounting.dates import instant, ordered_instants
from swfx.accounting.record_error import RecordError

PARIS = ZoneInfo("Europe/Paris")
NAMES = ("Submit", "Start", "End")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2024-03-07T09:30:00", 1_709_800_200),
        ("2024-03-07 09:30", 1_709_800_200),
        ("2024-03-07T08:30:00Z", 1_709_800_200),
        ("2024-03-07T10:30:00+0200", 1_709_800_200),
        ("2024-03-07T09:30:00.250", 1_709_800_200.25),
        ("1709800200", 1_709_800_200),
        ("2024-07-07T09:30:00", 1_720_337_400),  # summer time
        ("2024-03-31T02:30:00", 1_711_848_600),  # an hour that clocks left out
    ],
)
def test_dates_of_paris(text: str, seconds: float) -> None:
    assert instant(text, PARIS) == seconds


@pytest.mark.parametrize("text", ["Unknown", "None", "", "N/A"])
def test_no_date(text: str) -> None:
    assert instant(text, PARIS) is None


@pytest.mark.parametrize(
    "text",
    ["soon", "2024-02-30T00:00:00", "2024-W10-1", "20240307T0930", "12:30:00", "-5", "9" * 13],
)
def test_unreadable_dates(text: str) -> None:
    with pytest.raises(RecordError) as error:
        instant(text, PARIS, "Submit")

    assert error.value.rule.name == "not-a-date"


def test_an_hour_that_comes_twice_is_the_first() -> None:
    texts = ("2024-10-27T02:10:00", "2024-10-27T02:20:00", "2024-10-27T02:40:00")

    assert ordered_instants(texts, PARIS, NAMES) == (1729987800, 1729988400, 1729989600)


def test_an_hour_that_comes_twice_is_the_second_if_time_ran_backwards_else() -> None:
    texts = ("2024-10-27T02:50:00", "2024-10-27T02:05:00", "2024-10-27T02:30:00")

    assert ordered_instants(texts, PARIS, NAMES) == (1729990200, 1729991100, 1729992600)


@pytest.mark.parametrize(("lasting", "run"), [(600, 600), (4200, 4200), (3600, 4200)])
def test_an_hour_that_comes_twice_is_the_one_that_fits_best(lasting: float, run: float) -> None:
    texts = ("2024-10-27T01:00:00", "2024-10-27T02:10:00", "2024-10-27T02:20:00")

    _, start, end = ordered_instants(texts, PARIS, NAMES, lasting)

    assert start == 1729987800
    assert end == start + run


def test_dates_that_run_backwards_anyhow_stay_as_they_are() -> None:
    texts = ("2024-03-07T10:00:00", "Unknown", "2024-03-07T09:00:00")

    assert ordered_instants(texts, PARIS, NAMES) == (1709802000, None, 1709798400)


ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC", "Europe/Paris", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu",
        "Africa/Monrovia", "America/New_York", "Pacific/Apia",
    )
]  # fmt: skip


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_dates_about_a_change_of_clocks(zone: ZoneInfo) -> None:
    met = 0
    for day in range(19_700, 20_100):
        begins = day * 86_400
        offsets = {datetime.fromtimestamp(begins + 86_400 * n, zone).utcoffset() for n in (0, 1)}
        for second in range(begins, begins + 86_400, 599) if len(offsets) > 1 else ():
            for fold in (0, 1):
                wall = datetime.fromtimestamp(second, zone).replace(tzinfo=None, fold=0)
                expected = wall.replace(tzinfo=zone, fold=fold).timestamp()
                assert instant(wall.isoformat(), zone, fold=fold) == expected
                met += 1
    assert bool(met) == (
        zone.key not in {"UTC", "Asia/Kathmandu", "Africa/Monrovia", "Pacific/Apia"}
    )
