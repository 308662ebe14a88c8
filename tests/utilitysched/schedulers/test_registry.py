"""Schedulers by text, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from swfx import InputError, Workload
from swfx.families.generators.registry import MODELS, register
from utilitysched import make_scheduler, scheduler_names, simulate
from utilitysched.schedulers.list_options import CLASSICS, list_options
from utilitysched.schedulers.list_scheduler import EVERYTHING, ListScheduler
from utilitysched.schedulers.orderings import ORDERINGS, ordering, orderings
from utilitysched.schedulers.placements import PLACEMENTS, placement, placements
from utilitysched.schedulers.registry import _FAMILIES, _import_families, families, scheduler


def listed(text: str) -> ListScheduler:
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, ListScheduler)
    return scheduler


def test_every_name_makes_a_scheduler_that_says_its_name() -> None:
    for name in scheduler_names():
        scheduler = make_scheduler(name)
        assert scheduler.label == name
        assert dict(scheduler.options) or name == "recorded"


def test_the_semantics_name_these() -> None:
    assert set(scheduler_names()) >= {"conservative", "easy", "fcfs", "ga", "priority-fifo"}
    assert list(orderings()) == sorted(orderings())
    assert set(orderings()) >= {
        *("fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "srf", "lrf"),
        *("lexp", "sexp", "wfp3", "unicef", "f1", "f2", "f3", "f4", "priority-fifo", "mixed"),
        *("value", "value-density", "cost-of-delay", "value-and-delay", "first-reward"),
        *("projected-value-remaining", "apparent-tardiness-cost", "index"),
    }


@pytest.mark.parametrize(
    ("text", "ordering", "placement"),
    [
        ("fcfs", "fcfs", "none"),
        ("easy", "fcfs", "easy"),
        ("conservative", "fcfs", "conservative"),
        ("fcfs:placement=easy", "fcfs", "easy"),
        ("priority-fifo", "priority-fifo", "easy"),
        ("saf", "saf", "easy"),
        ("saf:placement=none", "saf", "none"),
        ("saf:placement=conservative", "saf", "conservative"),
        ("lexp:placement=conservative", "lexp", "reservations"),
        ("conservative:replan=true", "fcfs", "reservations"),
        ("conservative:threshold=3x", "fcfs", "reservations"),
        ("easy:reservations=2", "fcfs", "reservations"),
        ("easy:window=3600", "fcfs", "reservations"),
    ],
)
def test_ordering_and_placement(text: str, ordering: str, placement: str) -> None:
    options = listed(text).options
    assert (options["ordering"], options["placement"]) == (ordering, placement)


def test_options_reach_the_scheduler() -> None:
    saf = listed("saf:threshold=200000,backfill=spf,depth=50,reservations=3,window=7200")
    assert saf.threshold.seconds(1.0) == 200_000
    assert saf.backfill is not None
    assert saf.backfill.ordering.name == "spf"
    assert (saf.depth, saf.reservations, saf.window) == (50, 3, 7200.0)
    assert listed("easy:reservations=all").reservations == EVERYTHING
    assert listed("value:duration=fraction,fraction=0.5").rule.fraction == 0.5
    assert listed("cost-of-delay:tau=60").order.parameters == (60.0,)
    assert listed("mixed:area=-1,wait=0").order.parameters == (0, 0, 0, 0, 0, -1)


def test_options_of_a_value_aware_backfill_order_are_told() -> None:
    options = listed("saf:backfill=value,duration=predicted").options
    assert (options["backfill"], options["duration"]) == ("value", "predicted")
    assert "duration" not in listed("saf:backfill=spf").options


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (("saf:depth=2,threshold=5", "saf:threshold=5.0,depth=02"), "saf:threshold=5,depth=2"),
        (("saf", "saf:placement=easy", "saf:replan=false"), "saf"),
        (("saf:reservations=01",), "saf:reservations=1"),
        (("fcfs:placement=easy",), "fcfs:placement=easy"),
        (("easy", "easy:placement=easy"), "easy"),
        (("conservative:replan=false,placement=conservative",), "conservative"),
        (("saf:threshold=3x",), "saf:threshold=3x"),
        (("mixed:area=-1,wait=0", "mixed:wait=0.0,area=-1e0"), "mixed:wait=0,area=-1"),
        (("cost-of-delay:duration=zero,fraction=0.30",), "cost-of-delay"),
        (("saf:duration=predicted,backfill=value",), "saf:backfill=value,duration=predicted"),
        (("ga", "ga:preset=none", "ga:generations=010,mutation=0.50"), "ga"),
        (("ga:preset=lee", "ga:generations=100,preset=lee"), "ga:preset=lee"),
        (("ga:preset=lee,generations=30",), "ga:preset=lee,generations=30"),
        (("climb", "climb:climb=4,prior=0"), "climb"),
        (("climb:depth=8.0", " climb: depth=8 "), "climb:depth=8"),
        (
            ("select:feedback=full,policies=fcfs+saf,threshold=3x,period=7d",),
            "select:policies=fcfs+saf,feedback=full,period=7d,threshold=3x",
        ),
    ],
)
def test_one_label_for_what_is_the_same(texts: tuple[str, ...], label: str) -> None:
    for text in (*texts, label):
        made = make_scheduler(text)
        assert made.label == label
        assert made.options == make_scheduler(label).options


@pytest.mark.parametrize("name", sorted({*orderings(), *CLASSICS, "ga", "climb"}))
def test_defaults_that_are_written_out_change_nothing(name: str) -> None:
    written = {key: text for key, text in _defaults(name).items() if text}
    texts = (f"{key}=[{text}]" if "," in text else f"{key}={text}" for key, text in written.items())
    made = make_scheduler(f"{name}:{','.join(texts)}")
    assert made.label == name
    assert made.options == make_scheduler(name).options


def _defaults(name: str) -> dict[str, str]:
    family = families().get(name)
    return family.defaults if family else list_options(name).defaults()


def test_schedulers_pickle() -> None:
    for name in scheduler_names():
        copy = pickle.loads(pickle.dumps(make_scheduler(name)))
        assert copy.options == make_scheduler(name).options


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("esay", "unknown scheduler 'esay'; did you mean 'easy'? known: "),
        ("saf:treshold=5", "saf: field treshold: is not a known key; did you mean 'threshold'? "),
        ("saf:backfill=spd", "saf: field backfill: unknown ordering 'spd'; did you mean 'spf'? "),
        (
            "fcfs:backfill=spf",
            "fcfs: field backfill: placement none has no backfill order; leave backfill out, or ",
        ),
        ("conservative:backfill=spf", "conservative: field backfill: placement conservative has "),
        ("saf:placement=esy", "saf: field placement: unknown placement 'esy'; did you mean 'easy'"),
        ("saf:threshold=soon", "field threshold: 'soon' is not a starvation threshold; give "),
        ("saf:threshold=-1", "field threshold: '-1' is not a starvation threshold; give "),
        ("saf:depth=0", "saf: field depth: 0 is below 1; give 1 or more"),
        ("saf:depth=1.5", "saf: field depth: '1.5' is not a whole number; give a whole number"),
        (
            "saf:window=nan",
            "saf: field window: unknown unit of time: 'nan'; known: d, h, min, s, w",
        ),
        ("easy:reservations=-2", "easy: field reservations: -2 is below 0; give 0 "),
        ("easy:reservations=2.5", "easy: field reservations: '2.5' is not a whole number; give"),
        ("fcfs:reservations=2", "fcfs: placement none has no reservations to limit; use "),
        ("conservative:window=60", "conservative: placement conservative has no reservations to "),
        ("easy:replan=true", "easy: field replan: only conservative placement can be planned "),
        ("conservative:replan=maybe", "conservative: field replan: 'maybe' is not a choice; give"),
        ("saf:duration=zero", "saf: field duration: is not a known key; did you mean "),
        ("value:duration=guess", "value: field duration: 'guess' is not a choice; known: expect"),
        ("value:fraction=2", "value: field fraction: 2 is out of bounds; give 0 to 1"),
        ("value:occupancy=all", "value: field occupancy: 'all' is not a choice; known: predicted"),
        (
            "cost-of-delay:tau=-1",
            "cost-of-delay: field tau: -1 is below 0; give 0 or more",
        ),
        (
            "value-and-delay:alpha=1.5",
            "value-and-delay: field alpha: 1.5 is out of bounds; give 0 to 1",
        ),
        (
            "first-reward:discount=-3600",
            "first-reward: field discount: -3600 is below 0; give 0 or more",
        ),
        ("mixed:wait=0", "mixed: all weights are 0; give at least one weight, as in wait=1"),
        ("mixed:wait=x", "mixed: field wait: 'x' is not a finite number; give a number"),
        ("saf:threshold", "saf: 'threshold' is not of the form key=value; separate options by "),
        ("saf:depth=1,depth=2", "saf: field depth: is given twice; keep one of them"),
        ("", "unknown scheduler ''; known: "),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_scheduler(text)
    assert str(error.value).startswith(message)


def test_what_is_entered_late_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler_names()
    monkeypatch.setitem(ORDERINGS, "late", replace(orderings()["spf"], name="late"))
    monkeypatch.setitem(PLACEMENTS, "later", replace(placements()["none"], name="later"))
    monkeypatch.setitem(_FAMILIES, "last", replace(families()["ga"], name="last"))

    assert {"late", "last"} < set(scheduler_names())
    options = listed("late:placement=later").options
    assert (options["ordering"], options["placement"]) == ("late", "later")


def test_a_score_that_divides_by_zero_puts_the_job_last(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def score(moment, queue, known, forecast, parameters, out):  # type: ignore[no-untyped-def]
        for i, job in enumerate(queue):
            out[i] = 1.0 / known.arrival[job]

    monkeypatch.setitem(ORDERINGS, "sooner", replace(orderings()["fcfs"], name="s", score=score))
    jobs = Workload.from_columns(submit=[0, 1, 2], run=[9, 9, 9], processors=[4, 4, 4])

    starts = simulate(jobs, "sooner:placement=none", machine_size=4).start

    assert starts.tolist() == [0, 18, 9]  # scores infinity, 1 and a half
    assert capfd.readouterr().err == ""


def test_a_score_typed_at_a_prompt_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    typed: dict[str, Any] = {}
    exec(  # a function without a file, as at a prompt
        "def score(moment, queue, known, forecast, parameters, out):\n"
        "    for i, job in enumerate(queue):\n"
        "        out[i] = -known.submit[job]\n",
        typed,
    )
    typed_lcfs = replace(orderings()["lcfs"], name="typed", score=typed["score"])
    monkeypatch.setitem(ORDERINGS, "typed", typed_lcfs)
    jobs = Workload.from_columns(submit=[0, 1, 2], run=[9, 9, 9], processors=[4, 4, 4])

    starts = simulate(jobs, "typed", machine_size=4).start

    assert starts.tolist() == [0, 18, 9]


def other(*_: object) -> None:
    """Stand for nothing that is known."""


@pytest.mark.parametrize(
    ("enter", "message"),
    [
        (
            ordering("saf", summary="another"),
            "the ordering 'saf' is in utilitysched.schedulers.orderings.saf already; ",
        ),
        (
            placement("easy", summary="another"),
            "the placement 'easy' is in utilitysched.schedulers.placements.easy already; ",
        ),
        (
            scheduler("ga", defaults={}, summary="a"),
            "the scheduler 'ga' is in utilitysched.schedulers.genetic already; ",
        ),
        (
            register("lublin"),
            "the model 'lublin' is in swfx.families.generators.lublin already; choose",
        ),
    ],
)
def test_a_name_that_is_taken_is_refused(enter: Any, message: str) -> None:
    known = [dict(registry) for registry in (orderings(), placements(), families(), MODELS)]

    with pytest.raises(InputError) as error:
        enter(other)

    assert str(error.value).startswith(f"{__name__}: {message}")
    assert known == [dict(registry) for registry in (orderings(), placements(), families(), MODELS)]


def test_what_is_loaded_again_may_have_its_name_again() -> None:
    saf = orderings()["saf"]

    ordering("saf", summary=saf.summary)(saf.score)

    assert orderings()["saf"].score is saf.score


def test_a_scheduler_may_not_hide_an_ordering(monkeypatch: pytest.MonkeyPatch) -> None:
    families()
    monkeypatch.setitem(_FAMILIES, "saf", replace(families()["ga"], name="saf"))

    with pytest.raises(InputError, match="there is a scheduler named 'saf' already"):
        _import_families.__wrapped__()
