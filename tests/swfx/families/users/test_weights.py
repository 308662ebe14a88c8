import pytest

from swfx.families.users.weights import Weights


@pytest.mark.parametrize("places", [1, 2, 3, 7, 8, 9])
def test_amounts_find_the_places_that_hold_them(places: int) -> None:
    weights = Weights(places)
    for place in range(places):
        weights.add(place, place % 3)
    line = [place for place in range(places) for _ in range(place % 3)]

    assert weights.total == len(line)
    assert [weights.find(i + 0.5) for i in range(len(line))] == line
    assert [weights.find(float(i)) for i in range(len(line))] == line
