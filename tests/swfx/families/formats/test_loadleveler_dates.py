from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from swfx import InputError
from swfx.families.formats.loadleveler_dates import Dates


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Tue Jul 24 10:19:37 CDT 2007", "2007-07-24T10:19:37-05:00"),
        ("Tue Jul 24 10:19:37 2007", "2007-07-24T10:19:37-05:00"),
        ("Thu Nov  7 09:16:09 CST 1996", "1996-11-07T09:16:09-06:00"),
        ("Tue 24 Jul 2007 12:05:00 AM CDT", "2007-07-24T00:05:00-05:00"),
        ("Tue 24 Jul 2007 12:05:00 PM CDT", "2007-07-24T12:05:00-05:00"),
        ("24 Jul 2007 22:05:00", "2007-07-24T22:05:00-05:00"),
        ("Tue Jul 24 10:19:37 UTC 2007", "2007-07-24T10:19:37+00:00"),
        ("Sun Nov 4 01:30:00 CDT 2007", "2007-11-04T01:30:00-05:00"),
        ("Sun Nov 4 01:30:00 CST 2007", "2007-11-04T01:30:00-06:00"),
    ],
)
def test_dates_are_read(text: str, iso: str) -> None:
    dates = Dates(ZoneInfo("America/Chicago"))

    assert dates.instant(text, "Queue Date") == datetime.fromisoformat(iso).timestamp()
    assert dates.strange_zones == set()


def test_an_abbreviation_that_the_zone_does_not_have_is_remembered() -> None:
    dates = Dates(ZoneInfo("America/Chicago"))

    dates.instant("Tue Jul 24 10:19:37 CET 2007", "Queue Date")

    assert dates.strange_zones == {"CET"}


@pytest.mark.parametrize(
    "text",
    ["", "never", "Tue Jux 24 10:19:37 2007", "Tue Jul 32 10:19:37 2007", "24 Jul 2007 25:00:00"],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="field Queue Date: a time is no date"):
        Dates(ZoneInfo("UTC")).instant(text, "Queue Date")
