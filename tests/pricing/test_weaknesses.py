"""Which scenarios a bill names, by its conditions."""

from __future__ import annotations

import pytest

from pricing import Outcome, Prices, make_mechanism
from pricing.weaknesses import BillConditions, weaknesses


def scenarios(text: str, **conditions: object) -> list[str]:
    found = weaknesses(BillConditions(make_mechanism(text), **conditions))  # type: ignore[arg-type]
    return [weakness.scenario for weakness in found]


@pytest.mark.parametrize("text", ["single-price", "multi-queue"])
def test_charges_by_the_hour_have_no_known_weakness(text: str) -> None:
    assert scenarios(text, read_at="zero") == []


def test_nothing_is_known_of_mechanisms_of_other_packages() -> None:
    assert weaknesses(BillConditions(Flat(), "zero")) == ()


class Flat:
    label = "flat"

    def price(self, outcome: Outcome) -> Prices:
        raise NotImplementedError


def test_who_understates_pays_less_by_first_price_alone() -> None:
    assert "scale:factor=0.1" in scenarios("first-price", committed=True, reserve=0.1)
    assert "scale:factor=0.1" not in scenarios("vcg") + scenarios("second-price")


@pytest.mark.parametrize(
    ("text", "read_at", "pays"),
    [
        ("first-price:reading=end", "zero", True),
        ("first-price:reading=end", "expected", True),
        ("first-price:reading=end", "requested", False),
        ("first-price:reading=end", None, False),
        ("first-price:reading=scheduler", "zero", False),
        ("second-price", "zero", True),
        ("second-price", "requested", False),
        ("vcg", "zero", False),
    ],
)
def test_cliffs_pay_where_jobs_are_ranked_by_an_earlier_time(
    text: str, read_at: str | None, pays: bool
) -> None:
    assert ("cliff" in scenarios(text, read_at=read_at)) == pays


@pytest.mark.parametrize("text", ["vcg", "first-price", "second-price", "vcg:method=replay"])
def test_only_a_reserve_that_covers_the_harm_is_enough(text: str) -> None:
    assert "worthless-rerunnable" in scenarios(text)
    assert "worthless-rerunnable" not in scenarios(text, reserve=0.1)
    assert "worthless-rerunnable" in scenarios("vcg:reserve=0.1")
    assert "worthless-rerunnable" not in scenarios("vcg:reserve=1.3")


def test_shills_count_where_nobody_has_to_run() -> None:
    assert "shill" in scenarios("vcg:fair=0")
    assert "shill" not in scenarios("vcg")
    assert "shill" not in scenarios("vcg:method=replay") + scenarios("first-price")


def test_who_commits_cannot_change_curves() -> None:
    assert scenarios("vcg", reserve=0.1, committed=False)[-1] == "tripled"
    assert "tripled" not in scenarios("vcg", committed=True)


def test_a_sentence_names_the_scenario_and_the_remedy() -> None:
    first, *_ = weaknesses(BillConditions(make_mechanism("first-price:reading=end")))

    assert first.sentence == (
        "scale:factor=0.1: a user who reports a tenth of a job's value pays a tenth. Remedy: charge"
        " by vcg, whose charges do not depend on the job's own value."
    )
