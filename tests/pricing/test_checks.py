from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from pricing import Charges, check_charges, individual_rationality, statement
from pricing.ledger import Ledger
from tests.pricing.jobs import charged, three_charges
from tests.scale import many


def failed(charges: Charges) -> set[str]:
    return {check.name for check in check_charges(charges) if not check.holds}


@given(charged("first-price:reading=end"))
@settings(max_examples=many(40))
def test_first_price_holds_every_certificate(charges: Charges) -> None:
    assert failed(charges) == set()


@given(charged("multi-queue"))
@settings(max_examples=many(40))
def test_a_rate_may_break_individual_rationality_and_nothing_else(charges: Charges) -> None:
    assert failed(charges) <= {"rationality"}


def test_jobs_that_pay_more_than_they_earned_are_named() -> None:
    found = individual_rationality(three_charges("single-price:rate=2"))

    assert found.job_ids.tolist() == [2]  # pays 8 and earned 5
    assert (found.overcharge, found.judged) == (3, 2)


def test_the_report_of_an_overcharge() -> None:
    checks = {check.name: check for check in check_charges(three_charges("single-price:rate=2"))}

    assert checks["rationality"].detail == (
        "1 of 2 jobs with a utility function pay more than they earned, 3.00 SU in all"
    )


@pytest.mark.parametrize(
    ("units", "caught"),
    [
        ([5_000_000, 5_000_000, 1], {"total"}),
        ([5_000_010, 4_999_990, 0], {"lines"}),
    ],
)
def test_a_wrong_line_is_caught(units: list[int], caught: set[str]) -> None:
    charges = three_charges("first-price:reading=end")
    charges.__dict__["ledger"] = Ledger(np.array(units), 6)

    assert failed(charges) == caught


def test_a_statement_that_loses_a_line_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(charges: Charges, by: str) -> pd.DataFrame:
        table = statement(charges, by)
        return table.iloc[1:] if by == "queue" else table

    monkeypatch.setattr("pricing.checks.statement", lossy)
    checks = {check.name: check for check in check_charges(three_charges())}

    assert not checks["statements"].holds
    assert checks["statements"].detail == "not adding up: queue"


def test_a_charge_that_its_rate_does_not_explain_is_caught() -> None:
    charges = three_charges("single-price:rate=0.1")

    assert failed(replace(charges, charge=charges.charge + 0.001)) == {"evidence"}


@pytest.mark.parametrize(("share", "caught"), [(5e-10, set()), (5e-9, {"evidence"})])
def test_charges_may_be_as_far_from_their_rates_as_they_are_set_straight(
    share: float, caught: set[str]
) -> None:
    charges = three_charges("single-price:rate=0.1")

    assert failed(replace(charges, charge=charges.charge * (1 + share))) == caught
