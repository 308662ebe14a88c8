"""The genetic scheduler's options, and what is refused."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched import make_scheduler
from utilitysched.model.threshold import Threshold
from utilitysched.schedulers.genetic import GeneticOptions
from utilitysched.schedulers.genetic.options import defaults


def test_texts_become_numbers() -> None:
    texts = "population=6,generations=9,mutation=0.5,warm=false,budget=1.5,threshold=3x,wait=2"

    options = GeneticOptions.parse(dict(part.split("=") for part in texts.split(",")))

    assert options == GeneticOptions(
        population=6,
        generations=9,
        mutation=0.5,
        warm=False,
        budget=1.5,
        threshold=Threshold(3.0, relative=True),
        wait=2.0,
    )


def test_every_default_can_be_given() -> None:
    given = {name: text for name, text in defaults().items() if text}

    assert GeneticOptions.parse(given) == GeneticOptions()


def test_the_preset_is_lees_setting_and_can_be_changed() -> None:
    lee = GeneticOptions.parse({"preset": "lee"})

    assert (lee.population, lee.generations, lee.mutation, lee.warm) == (20, 100, 0.3, False)
    assert (lee.patience, lee.budget) == (0, math.inf)
    assert GeneticOptions.parse({"preset": "lee", "generations": "7"}).generations == 7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("populaton=3", "ga: field populaton: is not a known key; did you mean 'population'?"),
        ("population=1", "ga: field population: 1 is below 2; give 2 or more"),
        ("population=two", "ga: field population: 'two' is not a whole number"),
        ("generations=-1", "ga: field generations: -1 is below 0"),
        ("mutation=1.5", "ga: field mutation: 1.5 is out of bounds; give 0 to 1"),
        ("mutation=nan", "ga: field mutation: 'nan' is not a finite number"),
        ("warm=yes", "ga: field warm: 'yes' is not a choice; give true or false"),
        (
            "selection=roulete",
            "field selection: 'roulete' is not a choice; did you mean 'roulette'?",
        ),
        ("crossover=cxOnePoint", "field crossover: 'cxOnePoint' is not a choice"),
        ("mutator=flip", "field mutator: 'flip' is not a choice"),
        ("duration=none", "field duration: 'none' is not a choice"),
        ("fraction=-0.1", "field fraction: -0.1 is out of bounds; give 0 to 1"),
        ("patience=-1", "field patience: -1 is below 0"),
        ("budget=-1", "field budget: -1 is below 0"),
        ("delays=0+soon", "field delays: unknown unit of time: 'soon'"),
        ("delays=-1", "field delays: -1 is below 0"),
        ("depth=0", "field depth: 0 is below 1"),
        ("lead=-1", "field lead: -1 is below 0"),
        ("lead=0.1,pareto=utility+wait", "field lead: is not for fronts"),
        ("wait=-2", "field wait: -2 is below 0"),
        ("threshold=soon", "field threshold: 'soon' is not a starvation threshold"),
        ("preset=leee", "field preset: 'leee' is not a preset; did you mean 'lee'?"),
    ],
)
def test_refusals_name_the_option(options: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        make_scheduler(f"ga:{options}")

    assert message in str(refusal.value)


def test_the_scheduler_says_every_option() -> None:
    scheduler = make_scheduler("ga:preset=lee,large=0.5")

    assert scheduler.label == "ga:preset=lee,large=0.5"
    assert set(scheduler.options) == set(defaults()) - {"preset", "reserve", "idle"}
    assert set(make_scheduler("ga:reserve=1").options) == set(defaults()) - {"preset"}
    assert scheduler.options["large"] == 0.5


@pytest.mark.parametrize("text", ["ga", "ga:selection=selTournament,crossover=cxOrdered"])
def test_schedulers_can_be_sent_to_another_process(text: str) -> None:
    scheduler = pickle.loads(pickle.dumps(make_scheduler(text)))

    assert scheduler.label == text


def test_the_documentation_has_every_option_with_its_default() -> None:
    page = Path(__file__).parents[4] / "docs" / "genetic.md"
    rows = [line.split("|") for line in page.read_text("utf-8").splitlines() if "|" in line]
    documented = {row[1].strip().strip("`"): row[2].strip() for row in rows if "`" in row[1]}

    assert {name: documented.get(name) for name in defaults()} == {
        name: text or "none" for name, text in defaults().items()
    }
