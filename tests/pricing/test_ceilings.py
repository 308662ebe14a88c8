"""The most that a job can come to cost: no charge is above it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing import Charges, charge
from pricing.ceilings import ceilings
from swfx import InputError
from tests.pricing.jobs import END, START, KnownAnswers, charged, three_jobs


@given(
    st.sampled_from(["first-price:reading=end", "single-price:rate=3", "multi-queue"]).flatmap(
        charged
    )
)
def test_no_charge_is_above_it(bill: Charges) -> None:
    assert (bill.charge <= ceilings(bill.workload, bill.mechanism)).all()


def test_by_mechanism() -> None:
    jobs = three_jobs()

    assert ceilings(jobs, "first-price:reading=end").tolist() == [10, 20, 0]
    assert ceilings(jobs, "single-price:rate=0.5").tolist() == [1, 2, 0.5]
    assert ceilings(jobs, "multi-queue").tolist() == [3.4, 8, 0.5]


def test_requests_count_not_run_times() -> None:
    jobs = three_jobs().replace(requested_time=[7200.0, 7200.0, 7200.0])

    assert ceilings(jobs, "single-price").tolist() == [4, 8, 2]


def test_a_cap_bounds_every_mechanism() -> None:
    jobs = three_jobs()[:2]

    most = ceilings(jobs, "vcg", cap=True)

    assert most.tolist() == [10, 20]
    bill = charge(jobs, START[:2], END[:2], "vcg", cap=True, counterfactual=KnownAnswers())
    assert (bill.charge <= most).all()
    assert ceilings(three_jobs(), "single-price:rate=6", cap=True).tolist() == [10, 20, 6]


def test_without_a_bound_it_is_refused() -> None:
    with pytest.raises(InputError, match="vcg does not say beforehand what job 1 can cost"):
        ceilings(three_jobs(), "vcg")
    with pytest.raises(InputError, match="what job 3 can cost"):
        ceilings(three_jobs(), "vcg", cap=True)


def test_no_jobs() -> None:
    assert np.array_equal(ceilings(three_jobs()[:0], "single-price"), [])


@pytest.mark.parametrize(
    "mechanism",
    [
        "single-price:lost=preemptor",
        "first-price:reading=end,lost=preempted",
        "first-price:reading=end,lost=preemptor",
    ],
)
def test_what_is_paid_for_stops_has_no_bound(mechanism: str) -> None:
    with pytest.raises(InputError, match=f"{mechanism} does not say beforehand what job 1 can cos"):
        ceilings(three_jobs(), mechanism)
    assert ceilings(three_jobs()[:2], mechanism, cap=True).tolist() == [10, 20]


@pytest.mark.parametrize("mechanism", ["single-price:lost=centre", "single-price:lost=preempted"])
def test_what_is_by_the_hour_has(mechanism: str) -> None:
    assert ceilings(three_jobs(), mechanism).tolist() == [2, 4, 1]
