from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.annotation import seeded

JOBS = Workload.from_columns(submit=[0])


def test_the_header_says_which_model_and_seed() -> None:
    header = seeded(JOBS, "UserModel", "zipf:users=5", 7)

    assert header.lines == (*JOBS.header.lines, " UserModel: zipf:users=5; seed 7")


def test_a_second_model_of_the_kind_takes_the_place_of_the_first() -> None:
    once = JOBS.replace(header=seeded(JOBS, "UserModel", "zipf", 7))

    assert seeded(once, "UserModel", "zipf:users=5", 8).all("UserModel") == (
        "zipf:users=5; seed 8",
    )


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "UserModel: field seed: -1 is out of bounds; give 0 to 9.22337e+18"),
        (0.5, "UserModel: field seed: 0.5 is not a whole number; give a whole number"),
        (True, "UserModel: field seed: True is not a whole number; give a whole number"),
    ],
)
def test_seeds_that_are_none(seed: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        seeded(JOBS, "UserModel", "zipf", seed)

    assert str(error.value) == message
