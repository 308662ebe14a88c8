from __future__ import annotations

import pytest

from swfx import InputError
from swfx.zones import find_zone


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
