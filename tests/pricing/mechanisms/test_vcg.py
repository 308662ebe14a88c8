from __future__ import annotations

import math

import numpy as np
import pytest

from pricing import ReplayRule, Replays, charge, make_mechanism
from pricing.counterfactual import Duration
from swfx import InputError
from tests.pricing.jobs import END, START, TAKEN, KnownAnswers, three_jobs


def test_a_job_pays_what_its_start_takes_from_the_others() -> None:
    charges = charge(three_jobs(), START, END, "vcg", counterfactual=KnownAnswers())

    assert charges.charge.tolist() == list(TAKEN)
    assert np.isnan(charges.rate).all()
    assert charges.evidence is not None


def test_excluded_jobs_do_not_shift_the_charges_of_others() -> None:
    jobs = three_jobs().replace(status=np.array([0, 1, 1]))

    charges = charge(jobs, START, END, "vcg", exclude_statuses=[0], counterfactual=KnownAnswers())

    assert charges.charge.tolist() == list(TAKEN[1:])


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("vcg", ("requested", 1, False)),
        ("vcg:duration=expected,searches=4", ("expected", 4, False)),
        ("vcg:settle=end", ("actual", 1, False)),
        ("vcg:reservations=true", ("requested", 1, True)),
    ],
)
def test_options_decide_what_is_asked(text: str, asked: tuple[Duration, int, bool]) -> None:
    known = KnownAnswers()

    charge(three_jobs(), START, END, text, counterfactual=known)

    assert known.asked == [asked]
    assert make_mechanism(text).label == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vcg:settle=end,duration=expected", "field duration: is known when"),
        ("vcg:searches=0", "field searches: 0 is below 1"),
        ("vcg:settle=never", "settle"),
        ("vcg:reservations=2", "reservations"),
        ("vcg:horizon=24h", "field horizon: does not concern pivot"),
        ("vcg:method=pivot,seeds=3", "field seeds: does not concern pivot"),
        ("vcg:method=pivot,literal=true", "field literal: concerns replays"),
        ("vcg:method=replay,searches=2", "field searches: does not concern replay"),
        ("vcg:literal=true,settle=end", "field settle: does not concern replay"),
        ("vcg:literal=true,horizon=1w", "field horizon: does not concern literal=true"),
        ("vcg:method=replay,seeds=0", "field seeds: 0 is below 1"),
        ("vcg:method=replay,horizon=soon", "'soon' is no time span; give 24h, 1w, 2w"),
        ("vcg:method=best", "field method: 'best' is not a choice"),
    ],
)
def test_options_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_mechanism(text)


def test_without_the_scheduler_there_is_no_answer() -> None:
    with pytest.raises(InputError, match="needs the scheduler"):
        charge(three_jobs(), START, END, "vcg")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("vcg:method=replay,horizon=1w,seeds=3", ReplayRule(7 * 86400.0, 3)),
        ("vcg:method=replay,horizon=recoupled", ReplayRule(math.inf)),
        ("vcg:literal=true", ReplayRule(literal=True)),
    ],
)
def test_replays_are_asked_of_the_jobs_that_pay(text: str, rule: ReplayRule) -> None:
    jobs = three_jobs().replace(status=np.array([0, 1, 1]))
    known = KnownAnswers()

    charges = charge(jobs, START, END, text, exclude_statuses=[0], counterfactual=known)

    assert known.replayed == [(rule, [1, 2])]
    assert charges.charge.tolist() == [0.0, 0.0]
    assert make_mechanism(text).label == text


def test_a_replay_charge_is_what_others_would_have_had_more() -> None:
    charges = charge(three_jobs(), START, END, "vcg:method=replay", counterfactual=KnownAnswers())

    assert charges.charge.tolist() == [5.0, 0.0, 0.0]
    assert isinstance(charges.evidence, Replays)
    assert charges.evidence.mean.tolist() == [5.0, -3.0, 0.0]
