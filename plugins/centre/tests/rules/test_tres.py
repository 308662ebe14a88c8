from __future__ import annotations

from fractions import Fraction

import pytest

from swfx import InputError, Workload
from utilitysched_centre.rules.tres import Combine, read_weights

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
    assert read_weights("CPU=1.0,Mem=0.25G").units(jobs(), "sum") == [12, 5, 4]


def test_memory_without_a_suffix_is_in_megabytes() -> None:
    assert read_weights("Mem=0.001").units(jobs())[1] == Fraction(4 * 1024, 1000)


def test_what_a_log_does_not_have_is_left_out_on_request() -> None:
    weights = read_weights("CPU=2,GRES/gpu=2.0")

    assert weights.units(jobs(), absent=["gres/gpu"]) == [8, 8, 8]


def test_what_a_log_does_not_tell_of_is_refused_when_it_is_weighed() -> None:
    with pytest.raises(InputError, match="does not state gres/gpu; name it in absent"):
        read_weights("CPU=1,GRES/gpu=2").units(jobs())


def gpu_jobs() -> Workload:
    """2 processors each: with 4 a100; with 2 h100 and 3 licenses; of which nothing is known."""
    amounts = {
        "tres/gres/gpu:a100": [4, 0, -1],
        "tres/gres/gpu:h100": [0, 2, -1],
        "tres/license/x": [0, 3, -1],
        "tres/mem": [8192, 1024, -1],
    }
    return Workload.from_columns(run=[1, 1, 1], processors=[2, 2, 2], **amounts)


@pytest.mark.parametrize(
    ("text", "combine", "units"),
    [
        ("CPU=1,GRES/gpu:a100=30", "max", [120, 2, 2]),
        ("CPU=1,GRES/gpu=30", "max", [120, 60, 2]),  # of all types
        ("CPU=1,GRES/gpu=30", "sum", [122, 62, 2]),
        ("CPU=1,Mem=0.5G", "max", [4, 2, 2]),  # allocated, not requested
        ("CPU=1,license/x=2", "max", [2, 8, 2]),  # licenses are of no node, and added
    ],
)
def test_any_resource_of_the_log_is_weighed(text: str, combine: Combine, units: list[int]) -> None:
    assert read_weights(text).units(gpu_jobs(), combine) == units


def test_a_resource_that_may_be_absent_counts_where_it_is_not() -> None:
    weights, absent = read_weights("CPU=1,GRES/gpu:a100=30"), ["gres/gpu:a100"]

    assert weights.units(gpu_jobs(), absent=absent) == [120, 2, 2]
    assert weights.units(jobs(), absent=absent) == [4, 4, 4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CPU", "'CPU' is not RESOURCE=WEIGHT"),
        ("CPU=-1", "'CPU=-1' is not RESOURCE=WEIGHT"),
        ("CPU=1G", "'CPU=1G' is not RESOURCE=WEIGHT"),
        ("CPU=1e9", "'CPU=1e9' is not RESOURCE=WEIGHT"),
        ("CPU=\u0663", "'CPU=\u0663' is not RESOURCE=WEIGHT"),
        (f"CPU={'9' * 5000}", "is not RESOURCE=WEIGHT"),
        ("CPU=1,cpu=2", "cpu is given twice"),
        ("CPU=0", "weighs nothing; give a resource a weight above 0"),
    ],
)
def test_weights_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_weights(text)

    assert message in str(error.value)
