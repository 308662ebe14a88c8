from __future__ import annotations

from fractions import Fraction

import pytest

from pricing.rules.tres import read_weights
from swfx import InputError, Workload

GB = 1024 * 1024  # in KB


def jobs() -> Workload:
    """4 processors with 8 GB each; 4 with 1 GB; 4 of which the memory is not known."""
    return Workload.from_columns(
        run=[1, 1, 1], processors=[4, 4, 4], requested_memory=[8 * GB, GB, -1]
    )


def test_the_dominant_resource_counts() -> None:
    weights = read_weights("CPU=1.0,Mem=0.25G")

    assert weights.units(jobs()) == [8, 4, 4]  # 32 GB x 0.25 = 8


def test_or_all_of_them_together() -> None:
    assert read_weights("CPU=1.0,Mem=0.25G", combine="sum").units(jobs()) == [12, 5, 4]


def test_memory_without_a_suffix_is_in_megabytes() -> None:
    assert read_weights("Mem=0.001").units(jobs())[1] == Fraction(4 * 1024, 1000)


def test_what_a_log_does_not_have_is_left_out_on_request() -> None:
    weights = read_weights("CPU=2,GRES/gpu=2.0", absent=["GRES/gpu"])

    assert weights.units(jobs()) == [8, 8, 8]


@pytest.mark.parametrize(
    ("text", "absent", "message"),
    [
        ("CPU", [], "'CPU' is not RESOURCE=WEIGHT"),
        ("CPU=-1", [], "'CPU=-1' is not RESOURCE=WEIGHT"),
        ("CPU=1G", [], "'CPU=1G' is not RESOURCE=WEIGHT"),
        ("CPU=1,cpu=2", [], "cpu is given twice"),
        ("CPU=1,GRES/gpu=2", [], "does not tell of GRES/gpu; name it in absent"),
        ("CPU=1", ["GRES/gpu"], "gres/gpu is absent, but has no weight"),
        ("CPU=0", [], "weighs neither CPU nor Mem"),
    ],
)
def test_weights_that_cannot_be_used(text: str, absent: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        read_weights(text, absent=absent)

    assert message in str(error.value)
