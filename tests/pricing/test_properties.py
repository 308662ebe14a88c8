"""Each mechanism is held to what it declares, and only to that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pricing import (
    PROPERTIES,
    Charges,
    charge,
    check_charges,
    check_externality,
    check_monotonicity,
    check_rationality,
    check_relabelling,
    check_truthfulness,
    check_undisturbing,
    check_value_blindness,
    make_mechanism,
    mechanism_names,
)
from pricing.properties import Floats, Price
from swfx import UtilityFunction, UtilityTable, Workload
from tests.pricing.jobs import charged, three_charges
from tests.scale import many

PRICED = ("first-price:reading=end", "multi-queue", "second-price", "single-price")
"""Mechanisms that need no scheduler; test_relabelling.py of schedulers has the others."""


def again(charges: Charges) -> Price:
    """Price other workloads with the same times, by the same mechanism."""

    def price(workload: Workload) -> Floats:
        outcome = charges.outcome
        return charge(workload, outcome.start, outcome.end, charges.mechanism).charge

    return price


def test_promises_are_known_properties() -> None:
    for name in mechanism_names():
        assert make_mechanism(name).promises <= set(PROPERTIES)  # type: ignore[attr-defined]


@given(st.sampled_from(PRICED).flatmap(charged))
@settings(max_examples=many(60))
@pytest.mark.slow
def test_mechanisms_keep_what_they_promise(charges: Charges) -> None:
    assert check_relabelling(charges.workload, again(charges)).holds
    assert all(check.holds for check in check_charges(charges) if check.asserted)
    if "rationality" in charges.promises:
        assert check_rationality(charges.charge, charges.outcome.utility).holds
    if "value-blindness" in charges.promises:
        assert check_value_blindness(charges.workload, again(charges)).holds


def test_what_is_not_promised_is_reported() -> None:
    by_rate, by_value = (
        three_charges(name) for name in ("single-price:rate=2", "first-price:reading=end")
    )

    (rationality,) = (c for c in check_charges(by_rate) if c.name == "rationality")
    assert (rationality.holds, rationality.asserted) == (False, False)
    assert not check_value_blindness(by_value.workload, again(by_value)).holds


@pytest.mark.parametrize("name", PRICED)
def test_what_is_not_promised_does_not_hold(name: str) -> None:
    """A bill for each promise that a mechanism does not make: it is broken there."""
    charges = four_charges(name)

    broken = {
        "rationality": not check_rationality(charges.charge, charges.outcome.utility).holds,
        "value-blindness": not check_value_blindness(charges.workload, again(charges)).holds,
    }
    assert {held for held, is_broken in broken.items() if not is_broken} == charges.promises


def four_charges(name: str) -> Charges:
    """Four jobs of one queue that start together, the dearest worth less than its hours."""
    jobs = Workload.from_columns(
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 7200], [worth, 0]) for worth in (1, 4, 6, 8)]
        ),
        submit=[0] * 4,
        run=[3600] * 4,
        processors=[2] * 4,
        queue=[1] * 4,
    )
    return charge(jobs, [0] * 4, [3600] * 4, name)


def test_a_cap_makes_every_mechanism_rational() -> None:
    charges = three_charges("single-price:rate=2")
    capped = charge(
        charges.workload,
        charges.outcome.start,
        charges.outcome.end,
        "single-price:rate=2",
        cap=True,
    )

    (rationality,) = (c for c in check_charges(capped) if c.name == "rationality")
    assert (rationality.holds, rationality.asserted) == (True, True)


def test_charges_by_name_are_caught() -> None:
    jobs = three_charges().workload

    check = check_relabelling(jobs, lambda workload: workload.user.astype(np.float64))

    assert (check.holds, check.detail) == (False, "3 of 3 charges differ under other names")


def test_unknown_users_stay_unknown() -> None:
    jobs = three_charges().workload.replace(user=[-1, 3, -1])

    assert check_relabelling(jobs, lambda workload: (workload.user < 0).astype(np.float64)).holds


def test_who_is_in_nobodys_way_pays_nothing() -> None:
    charge = np.array([0.0, 2.0, 3.0])

    assert check_undisturbing(charge, np.array([True, False, False])).holds
    check = check_undisturbing(charge, np.array([True, True, False]))
    assert (check.holds, check.detail) == (False, "1 of 2 jobs that delay no other job pay")


@pytest.mark.parametrize(
    ("check", "detail"),
    [
        (
            check_rationality(np.array([3.0, 1.0]), np.array([1.0, 1.0])),
            "1 of 2 jobs pay more than they are worth, 2.00 SU in all",
        ),
        (check_externality(np.array([-1.5, 1.0])), "1 of 2 charges are below 0, -1.50 SU in all"),
        (
            check_monotonicity((5.0, 4.0), (10.0, 8.0)),
            "the move is worth -1 SU in truth, -2 SU as reported",
        ),
        (
            check_truthfulness(2.0, 1.0),
            "the lie gains 2 SU, the plan on the truth is 1 SU short",
        ),
    ],
)
def test_broken_promises_are_told(check: tuple[str, bool, str], detail: str) -> None:
    assert check[1:3] == (False, detail)


def test_within_the_tolerance_promises_hold() -> None:
    assert check_rationality(np.array([1.1]), np.array([1.0]), 0.2).holds
    assert check_externality(np.array([-0.1]), 0.2).holds
    assert check_monotonicity((5.0, 5.0), (1.0, 0.9), 0.2).holds
    assert check_truthfulness(1.1, 1.0, 0.2).holds
