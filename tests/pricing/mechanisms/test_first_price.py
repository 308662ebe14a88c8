from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing import Charges, charge, individual_rationality, make_mechanism
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.pricing import stopped
from tests.pricing.jobs import charged, three_charges
from tests.scale import many
from tests.utilitysched.market.audit.markets import crowd


def one_job(**columns: float) -> Workload:
    """A job of 10 s that requests 40 s, worth 100 SU at its submission and nothing after 100 s."""
    known: dict[str, float] = {"submit": 0, "run": 10, "requested_time": 40, "processors": 1}
    curve = UtilityTable.from_functions([UtilityFunction([0, 100], [100, 0])])
    return Workload.from_columns(
        **{name: [number] for name, number in (known | columns).items()}, utility=curve
    )


def test_a_job_pays_its_curve_at_its_requested_end() -> None:
    charges = charge(one_job(), [20], [30])

    assert charges.mechanism == "first-price"
    assert charges.charge.tolist() == pytest.approx([40])  # at 20 + 40 s
    assert charges.outcome.utility.tolist() == pytest.approx([70])
    assert charges.reason == ["charged: what it was worth at its requested end"]
    assert charges.promises == {"rationality"}


def test_a_job_that_is_of_no_use_at_its_requested_end_pays_nothing() -> None:
    charges = charge(one_job(), [70], [80])

    assert charges.charge.tolist() == [0]
    assert charges.reason == ["not charged: worth nothing at its requested end"]


def test_a_job_that_ends_later_than_requested_pays_its_curve_at_its_end() -> None:
    """As a job does that shares nodes, was suspended, or whose limit is not enforced."""
    charges = charge(one_job(), [20], [90])

    assert charges.charge.tolist() == pytest.approx([10])


def test_a_bill_is_the_same_whoever_made_the_schedule() -> None:
    """No scheduler has to be asked, so any schedule can be charged."""
    assert charge(one_job(), [20], [30], "first-price").evidence is None


@given(st.integers(0, 2**32), st.floats(0, 3))
def test_nobody_pays_more_than_the_job_turned_out_to_be_worth(seed: int, longer: float) -> None:
    """Jobs run for up to three times as long as they requested."""
    jobs, rng = crowd(seed), np.random.default_rng(seed)
    start = jobs.submit + rng.integers(0, 300, len(jobs))
    end = start + longer * rng.random(len(jobs)) * jobs.request

    charges = charge(jobs, start, end)

    for place, curve in enumerate(jobs.utility):
        last = max(start[place] + jobs.request[place], end[place]) - jobs.submit[place]
        assert curve is not None
        assert charges.charge[place] == pytest.approx(curve(float(last)))
    assert (charges.charge <= charges.outcome.utility).all()


@pytest.mark.parametrize("displaced", ["owners", "owners-only", "centre", "no"])
def test_no_job_pays_more_for_itself_than_it_is_worth(displaced: str) -> None:
    for seed in range(many(20)):
        charges = stopped.charged(*stopped.random_run(seed), f"first-price:displaced={displaced}")
        assert charges.shares is not None

        assert (charges.shares.own <= charges.outcome.utility).all()
        if "rationality" in charges.promises:
            assert not len(individual_rationality(charges).job_ids)


def test_no_job_can_cost_more_than_if_it_starts_at_once() -> None:
    assert make_mechanism("first-price").ceiling(one_job()).tolist() == pytest.approx([60])
    assert make_mechanism("first-price:reading=end").ceiling(one_job()).tolist() == [100]


def test_jobs_pay_their_curve_at_the_turnaround_time() -> None:
    charges = three_charges("first-price:reading=end")

    assert charges.charge.tolist() == [5, 5, 0]
    assert np.isnan(charges.rate).all()


def test_a_workload_without_curves_cannot_be_charged() -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])

    with pytest.raises(InputError) as error:
        charge(jobs, [0], [1])

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
