from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pricing import (
    ConfiguredMechanism,
    Outcome,
    Prices,
    charge,
    make_mechanism,
    mechanism_names,
    register,
)
from pricing.registry import ABOUT, ENTRY_POINTS, MECHANISMS
from swfx import InputError
from swfx.base.plugins import import_family
from tests.pricing.jobs import END, START, three_charges, three_jobs

PAGE = Path(__file__).parents[2] / "docs" / "pricing.md"

# ---- conformance: these hold for every registered mechanism ----


@pytest.mark.parametrize("name", mechanism_names())
def test_name_is_label_and_back(name: str) -> None:
    mechanism = make_mechanism(name)

    assert mechanism.label == name
    assert make_mechanism(mechanism.label) == mechanism
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism


@pytest.mark.parametrize("name", mechanism_names())
def test_one_finite_charge_and_rate_per_job(name: str) -> None:
    outcome = three_charges(name).outcome

    prices = make_mechanism(name).price(outcome)

    assert prices.charge.shape == prices.rate.shape == (3,)
    assert (prices.charge >= 0).all()


@pytest.mark.parametrize("name", mechanism_names())
def test_every_mechanism_says_in_one_line_what_it_does(name: str) -> None:
    assert 20 < len(MECHANISMS.summary(name)) < 100


@pytest.mark.parametrize("name", mechanism_names())
def test_every_mechanism_is_in_the_documentation(name: str) -> None:
    explained = f"| `{name}` |" in PAGE.read_text("utf-8")

    assert explained, f"add a row for `{name}` to the table of mechanisms in docs/pricing.md"


# ---- names and options ----


def test_the_three_mechanisms() -> None:
    assert {"first-price", "multi-queue", "single-price"} <= set(mechanism_names())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "first-pirce",
            "unknown price mechanism 'first-pirce'; did you mean 'first-price'? known:",
        ),
        ("", f"unknown price mechanism ''; known: {', '.join(mechanism_names())}"),
        ("single-price:rat=1", "field rat: is not a known key; did you mean 'rate'?"),
        ("single-price:rate", "'rate' is not of the form key=value"),
        ("single-price:rate=1,rate=2", "field rate: is given twice"),
        ("first-price:rate=1", "first-price: field rate: is not a known key;"),
        (
            "single-price:lost_rate=1",
            "is not a known key; did you mean 'rate'? known: displaced, lost, of, rate",
        ),
        ("vcg:lost=centr", "field lost: 'centr' is not a choice; did you mean 'centre'? known:"),
        ("vcg:lost_rate=-1", "field lost_rate: '-1' is negative; give 0 or more"),
    ],
)
def test_unusable_names_are_refused_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_mechanism(text)

    assert message in str(error.value)


# ---- mechanisms from elsewhere ----


class Overpriced:
    """A mechanism that is registered nowhere."""

    label = "overpriced"

    def __init__(self, amount: float) -> None:
        self.amount = amount

    def price(self, outcome: Outcome) -> Prices:
        paid = outcome.utility * 0 + self.amount
        return Prices(paid, paid * float("nan"))


def test_any_object_with_a_price_is_a_mechanism() -> None:
    charges = charge(three_jobs(), START, END, Overpriced(2.5))

    assert (charges.mechanism, charges.total) == ("overpriced", 7.5)


def test_other_packages_enter_theirs_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def enter() -> None:
        @register("gratis")
        @dataclass(frozen=True)
        class Gratis(ConfiguredMechanism):
            """Nobody pays anything for whatever they used."""

            def price(self, outcome: Outcome) -> Prices:
                return Prices(np.zeros(len(outcome)), np.zeros(len(outcome)))

    point = SimpleNamespace(name="gratis", load=enter)
    monkeypatch.setattr(MECHANISMS, "_known", dict(MECHANISMS.members()))
    import_family.cache_clear()
    monkeypatch.setattr(
        "swfx.base.plugins.entry_points", lambda group: {ENTRY_POINTS: [point]}[group]
    )

    assert "gratis" in mechanism_names()
    assert charge(three_jobs(), START, END, "gratis").total == 0


def test_a_name_is_not_taken_twice() -> None:
    with pytest.raises(InputError, match=r"the price mechanism 'first-price' is in pricing\.mech"):
        register("first-price")(type("Other", (ConfiguredMechanism,), {}))


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_a_mechanism_that_charges_nonsense_is_stopped(amount: float) -> None:
    with pytest.raises(InputError, match=r"overpriced charges job 1 .* a finite number, 0 or more"):
        charge(three_jobs(), START, END, Overpriced(amount))


@pytest.mark.parametrize("name", mechanism_names())
def test_each_says_in_two_sentences_what_a_user_pays_for(name: str) -> None:
    about = make_mechanism(name).about

    assert about != ABOUT.format(name)
    assert len(re.findall(r"\.(?: |$)", about)) == 2
