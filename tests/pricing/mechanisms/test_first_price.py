from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from pricing import Charges, charge
from swfx import InputError, Workload
from tests.pricing.jobs import charged, three_charges


def test_jobs_pay_their_curve_at_the_turnaround_time() -> None:
    charges = three_charges("first-price:reading=end")

    assert charges.charge.tolist() == [5, 5, 0]
    assert np.isnan(charges.rate).all()


def test_a_workload_without_curves_cannot_be_charged() -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])

    with pytest.raises(InputError) as error:
        charge(jobs, [0], [1], "first-price:reading=end")

    assert str(error.value) == (
        "first-price needs utility functions and no job of this workload has one; "
        "attach them with `utilitysched augment`, or charge by single-price"
    )


@given(charged("first-price:reading=end"))
def test_charges_add_up_to_the_aggregate_utility(charges: Charges) -> None:
    turnaround = charges.outcome.end - charges.workload.submit
    curves = [charges.workload.utility[i] for i in range(len(charges))]
    utilities = [
        curve(float(t)) for curve, t in zip(curves, turnaround, strict=True) if curve is not None
    ]

    assert charges.total == math.fsum(utilities)
