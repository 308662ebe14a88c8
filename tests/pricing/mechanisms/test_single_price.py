from __future__ import annotations

import warnings

import pytest

from pricing import charge, make_mechanism
from pricing.mechanisms.single_price import SinglePrice
from swfx import InputError, Workload
from tests.pricing.jobs import three_charges


def test_everybody_pays_one_su_per_processor_hour() -> None:
    charges = three_charges("single-price")

    assert charges.charge.tolist() == [2, 4, 1]
    assert charges.rate.tolist() == [1, 1, 1]
    assert charges.total == 7


def test_the_rate_is_an_option() -> None:
    assert three_charges("single-price:rate=0.25").charge.tolist() == [0.5, 1, 0.25]
    assert make_mechanism("single-price:rate=0.25") == SinglePrice(rate=0.25)


@pytest.mark.parametrize(
    ("rate", "problem"),
    [("-1", "'-1' is negative"), ("nan", "not a finite"), ("x", "'x' is not a")],
)
def test_a_rate_is_a_number_from_zero(rate: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        make_mechanism(f"single-price:rate={rate}")


def test_a_rate_beyond_all_numbers_is_refused_without_a_warning() -> None:
    jobs = Workload.from_columns(submit=[0], run=[36000], processors=[2])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("single-price:rate=1e308", "multi-queue:rates=1:1,other=1e308"):
            with pytest.raises(InputError, match="inf SU; a charge must be a finite number"):
                charge(jobs, [0], [36000], name)
