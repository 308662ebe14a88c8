from __future__ import annotations

import pytest

from swfx import InputError
from swfx.base.zones import find_zone, read_zone, zone_text


def test_a_zone_that_is_known() -> None:
    assert find_zone("Pacific/Apia").key == "Pacific/Apia"


def test_the_nearest_name_is_suggested() -> None:
    with pytest.raises(InputError) as error:
        find_zone("Europe/Pariss", "zone", "diurnal")

    assert str(error.value) == (
        "diurnal: field zone: no time zone is named 'Europe/Pariss'; did you mean 'Europe/Paris'?"
    )


@pytest.mark.parametrize("name", ["Nowhere", "", ".", "/etc/passwd", "Europe", "../UTC", "a\0b"])
def test_what_names_no_zone(name: str) -> None:
    with pytest.raises(InputError, match="field timezone: no time zone is named"):
        find_zone(name)


@pytest.mark.parametrize("text", ["UTC", "Europe/Paris", "-08:00", "+05:30", "+00:19:32"])
def test_zones_by_name_or_distance_read_back(text: str) -> None:
    assert zone_text(read_zone(text)) == text


@pytest.mark.parametrize("text", ["+24:00", "8", "-8:00", "+01:60"])
def test_what_is_no_distance_is_no_zone(text: str) -> None:
    with pytest.raises(InputError, match="no time zone is named"):
        read_zone(text)
