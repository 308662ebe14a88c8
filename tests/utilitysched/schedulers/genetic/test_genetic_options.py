"""The genetic scheduler's options, and what is refused."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

from swfx import InputError
from swfx.base.removed import REMOVED
from utilitysched import make_scheduler
from utilitysched.kernels.fitness import TERMS
from utilitysched.model.scheduling_pass import Threshold
from utilitysched.schedulers.genetic import GeneticOptions
from utilitysched.schedulers.genetic.options import defaults
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler


def test_texts_become_numbers() -> None:
    texts = "population=6,generations=9,mutation=0.4,warm=false,threshold=3x"
    texts += ",weights=wait:2+large:0.5,damping=,spread=inf,depth=inf"

    options = GeneticOptions.parse(dict(part.split("=") for part in texts.split(",")))

    assert options == GeneticOptions(
        population=6,
        generations=9,
        mutation=0.4,
        warm=False,
        threshold=Threshold(3.0, relative=True),
        weights=(("wait", 2.0), ("large", 0.5)),
        spread=math.inf,
        depth=math.inf,
    )


def test_the_preset_is_lees_setting_and_can_be_changed() -> None:
    lee = GeneticOptions.parse({"preset": "lee"})

    assert (lee.population, lee.generations, lee.mutation, lee.warm) == (20, 100, 0.3, False)
    assert (lee.selection, lee.crossover, lee.mutator) == ("roulette", "zipper", "swap")
    assert (lee.replacement, lee.prior, lee.seeds) == ("generational", 0.0, ())
    assert lee.spread == math.inf
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
        ("replacement=pluss", "field replacement: 'pluss' is no replacement; did you mean 'plus'?"),
        ("prior=-0.1", "field prior: -0.1 is below 0"),
        ("spread=-1", "field spread: -1 is below 0"),
        ("seeds=[indexx]", "'indexx'"),
        ("duration=none", "field duration: 'none' is not a choice"),
        ("delays=0+soon", "field delays: unknown unit of time: 'soon'"),
        ("delays=-1", "field delays: -1 is below 0"),
        ("depth=0", "field depth: 0 is below 1"),
        ("weights=wait:-2", "field weights: -2 is below 0"),
        ("weights=wait", "field weights: '' is not a finite number"),
        ("weights=wiat:1", "field weights: 'wiat' is no term of the fitness; did you mean 'wait'?"),
        ("weights=wait:1+wait:2", "field weights: names a term twice; name it once"),
        (
            "preempt=true,damping=boos",
            "field damping: 'boos' is not a choice; did you mean 'boost'?",
        ),
        *(
            (option, f"ga: field {option.partition('=')[0]}: nothing is preempted; give preempt=")
            for option in ("preemptions=2", "damping=boost", "damping=airline+boost", "lost=1")
        ),
        ("planning=expected", "field planning: nothing is expected; give duration=expected, too"),
        ("threshold=soon", "field threshold: 'soon' is not a starvation threshold"),
        ("preset=leee", "field preset: 'leee' is not a preset; did you mean 'lee'?"),
    ],
)
def test_refusals_name_the_option(options: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        make_scheduler(f"ga:{options}")

    assert message in str(refusal.value)


GONE = [name for kind, name in REMOVED if kind == "option of ga"]


@pytest.mark.parametrize("option", GONE)
def test_options_of_earlier_versions_are_refused_with_what_to_do(option: str) -> None:
    with pytest.raises(InputError) as refusal:
        make_scheduler(f"ga:{option}=1")

    assert str(refusal.value).startswith(f"ga: field {option}: was removed; ")
    assert "\n" not in str(refusal.value)


def test_climb_breeds_nothing() -> None:
    assert made("climb").generations == 0
    for option in ("preset=lee", "generations=3", "mutator=swap"):
        with pytest.raises(InputError, match=r"climb: field \w+: is not a known key"):
            make_scheduler(f"climb:{option}")


def test_the_remedies_for_options_that_are_gone_can_be_given() -> None:
    for option in ("prior=0.9", "seeds=[value-and-delay]", "seeds=none", "duration=fraction"):
        assert make_scheduler(f"ga:{option}").label == f"ga:{option.strip('[]')}".replace("[", "")
    for damping in ("boost", "airline", "boost+airline"):
        options = made(f"ga:preempt=true,damping={damping}")
        assert options.damping == tuple(damping.split("+"))
    for term in TERMS:
        assert made(f"ga:weights={term}:3").weight(term) == 3.0


def made(text: str) -> GeneticOptions:
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, GeneticScheduler)
    return scheduler.settings


def test_weights_are_of_utility_alone_where_none_are_given() -> None:
    assert [GeneticOptions().weight(term) for term in TERMS] == [1.0] + [0.0] * (len(TERMS) - 1)
    own = GeneticOptions(weights=(("utility", 0.0), ("wait", 2.0)))
    assert (own.weight("utility"), own.weight("wait"), own.weight("large")) == (0.0, 2.0, 0.0)
    assert own.signed
    assert not GeneticOptions(weights=(("utility", 2.0),)).signed


def test_the_scheduler_says_every_option() -> None:
    scheduler = make_scheduler("ga:preset=lee,weights=large:0.5")

    assert scheduler.label == "ga:preset=lee,weights=large:0.5"
    assert set(scheduler.options) == set(defaults()) - {"preset"} | {"climb"}
    assert scheduler.options["weights"] == (("large", 0.5),)


@pytest.mark.parametrize(
    "text", ["ga", "ga:selection=selTournament:tournsize=3,crossover=cxOrdered", "climb:depth=8"]
)
def test_schedulers_can_be_sent_to_another_process(text: str) -> None:
    scheduler = pickle.loads(pickle.dumps(make_scheduler(text)))

    assert scheduler.label == text


def test_the_documentation_has_every_option_with_its_default() -> None:
    page = Path(__file__).parents[4] / "docs" / "genetic.md"
    rows = [line.split("|") for line in page.read_text("utf-8").splitlines() if "|" in line]
    documented = {row[1].strip().strip("`"): row[2].strip() for row in rows if "`" in row[1]}

    assert {name: documented.get(name) for name in defaults()} == {
        name: text or "none" for name, text in defaults().items()
    }, "give every option its row, | `name` | default | meaning |, in docs/genetic.md"
