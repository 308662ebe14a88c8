from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given, settings

from pricing import KINDS, Charges, charge, statement
from pricing.statements import displaced_total, waste_total
from swfx import InputError
from tests.pricing import stopped
from tests.pricing.jobs import charged, three_charges, three_jobs
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload


def test_a_statement_per_user() -> None:
    table = statement(three_charges("multi-queue"), "user")

    assert table.index.tolist() == [7, 8]
    assert table["jobs"].tolist() == [2, 1]
    assert table["processor_hours"].tolist() == [3, 4]
    assert table["utility"].tolist() == [5, 5]
    assert table["charge"].tolist() == [Decimal("3.9"), Decimal(8)]


@pytest.mark.parametrize(
    ("by", "keys", "charges"),
    [
        ("group", [1, 2], [6, 1]),
        ("queue", [1, 2, 4], [2, 4, 1]),
        ("month", ["2000-04", "2000-05"], [6, 1]),
    ],
)
def test_a_statement_per_kind(by: str, keys: list[object], charges: list[int]) -> None:
    table = statement(three_charges("single-price"), by)

    assert table.index.tolist() == keys
    assert table["charge"].tolist() == charges


def test_rounded_lines_add_up_to_the_rounded_total() -> None:
    charges = three_charges("single-price:rate=0.155")  # 0.465 and 0.62, 1.085 in all

    table = statement(charges.rounded(2), "user")

    assert [str(line) for line in table["charge"]] == ["0.46", "0.62"]
    assert sum(table["charge"]) == round(charges.billed, 2) == Decimal("1.08")


def test_no_jobs_make_an_empty_statement() -> None:
    nothing = charge(three_jobs()[:0], [], [])

    assert len(statement(nothing, "user")) == 0


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match=r"no statement by 'users'; did you mean 'user'\?"):
        statement(three_charges(), "users")


@given(charged("first-price:reading=end"))
@settings(max_examples=many(40))
def test_every_kind_adds_up_to_the_total_and_counts_every_job_once(charges: Charges) -> None:
    for by in KINDS:
        table = statement(charges, by)
        assert sum(table["charge"], Decimal(0)) == Decimal(repr(math.fsum(charges.charge)))
        assert table["jobs"].sum() == len(charges)
        assert table.index.is_monotonic_increasing


@given(charged("multi-queue"))
@settings(max_examples=many(40))
def test_rounded_statements_add_up_to_the_same_rounded_total(charges: Charges) -> None:
    rounded = charges.rounded(2)
    totals = {sum(statement(rounded, by)["charge"], Decimal(0)) for by in KINDS}

    assert totals == {round(charges.billed, 2)}


def test_statements_show_preemptions_and_what_is_charged_for_them() -> None:
    mechanism = "single-price:rate=3600,lost=preemptor"
    bill = stopped.charged(preempted_workload(), preempted_schedule(), mechanism)

    table = statement(bill, "user")

    assert table["preemptions"].tolist() == [1, 0]
    assert table["wasted_hours"].tolist() == [4 * 28 / 3600, 0]
    assert table["charge"].tolist() == [400, 50 + 112]
    assert table["waste_charge"].tolist() == [0, 112]


def test_statements_add_up_to_what_is_paid_for_stops() -> None:
    for seed in range(10):
        bill = stopped.charged(*stopped.random_run(seed), "single-price:rate=0.1")
        total, moved = waste_total(bill), displaced_total(bill)
        assert total is not None
        assert moved is not None
        for by in KINDS:
            table = statement(bill, by)
            assert sum(table["waste_charge"], Decimal(0)) == total.paid
            assert table["preemptions"].sum() == total.preemptions
            between = table["displacement_charge"] - table["compensation"]
            assert sum(between, Decimal(0)) == moved.kept
            assert (table["waste_charge"] <= table["charge"] - between).all()


def test_statements_say_nothing_of_stops_where_nobody_could_be_stopped() -> None:
    assert "preemptions" not in statement(three_charges(), "user")
