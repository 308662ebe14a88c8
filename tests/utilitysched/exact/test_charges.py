"""Exact charges: what they promise, on small queues that are solved for certain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest

from pricing import check_externality, check_monotonicity, check_rationality, check_truthfulness
from swfx import UtilityFunction
from tests.scale import enough, many
from tests.utilitysched.exact.cases import random_problem, worth
from utilitysched import make_scheduler
from utilitysched.exact import (
    PROMISES,
    StaticProblem,
    UnprovenOptimum,
    exact_charges,
    exact_pivot,
    optimum,
    planned,
    static_charges,
)
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import QueuedJob

ROUNDING = 1e-6

Lie = Callable[[UtilityFunction], UtilityFunction]


def scaled(curve: UtilityFunction, factor: float) -> UtilityFunction:
    return UtilityFunction(curve.times, curve.values * factor)


def steeper(curve: UtilityFunction) -> UtilityFunction:
    share = np.linspace(1.0, 0.0, len(curve.values))
    return UtilityFunction(curve.times, curve.values * share)


def flatter(curve: UtilityFunction) -> UtilityFunction:
    return UtilityFunction(curve.times, np.full(len(curve.values), curve.start_value))


def stretched(curve: UtilityFunction, factor: float) -> UtilityFunction:
    return UtilityFunction(curve.times * factor, curve.values)


def false_step(curve: UtilityFunction) -> UtilityFunction:
    middle = curve.deadline / 2
    return UtilityFunction([0, middle, middle + 0.001], [curve.start_value * 3] * 2 + [0])


LIES: tuple[Lie, ...] = (
    *(partial(scaled, factor=factor) for factor in (0.1, 0.5, 2.0, 10.0)),
    steeper,
    flatter,
    *(partial(stretched, factor=factor) for factor in (0.5, 2.0)),
    false_step,
)


def said(problem: StaticProblem, liar: QueuedJob, curve: UtilityFunction) -> StaticProblem:
    """The problem with another curve for one job."""
    return replace(problem, snapshot=problem.snapshot.with_queued(replace(liar, utility=curve)))


def lies(problem: StaticProblem) -> Iterator[tuple[int, StaticProblem]]:
    """Places of jobs, and the problem with a lie of each."""
    for place, job in enumerate(problem.snapshot.queued):
        for lie in LIES if job.utility is not None else ():
            yield place, said(problem, job, lie(job.utility))


def best(problem: StaticProblem) -> Floats:
    return optimum(problem).start


def test_charges_keep_what_they_promise() -> None:
    rng = Random(41)
    charged = 0
    for _ in range(many(60)):
        found = exact_charges(random_problem(rng, whole=True))

        assert {"rationality", "externality"} <= PROMISES
        assert check_rationality(found.charge, found.value, ROUNDING).holds
        assert check_externality(found.charge, ROUNDING).holds
        charged += (found.charge > ROUNDING).sum()
    assert charged > enough(15)


def test_who_says_more_is_served_no_worse() -> None:
    rng = Random(42)
    moved = 0
    for _ in range(many(12)):
        problem = random_problem(rng, 4, whole=True)
        true = best(problem)
        for place, lied in lies(problem):
            false = best(lied)
            check = check_monotonicity(
                (problem.values(true)[place], problem.values(false)[place]),
                (lied.values(true)[place], lied.values(false)[place]),
                ROUNDING,
            )
            assert check.holds, check.detail
            moved += true[place] != false[place]
    assert "monotonicity" in PROMISES
    assert moved > enough(3)


PLANNERS: dict[str, Callable[[StaticProblem], Floats]] = {
    "best": best,
    **{
        text: lambda problem, text=text: planned(problem.snapshot, make_scheduler(text), seed=1)
        for text in ("easy", "value-density", "ga:generations=0,population=2")
    },
}


@pytest.mark.parametrize("name", PLANNERS)
def test_the_best_lie_gains_at_most_what_the_plan_is_short_of_the_optimum(name: str) -> None:
    rng = Random(8)  # a lie about the second problem pays where plans fall short
    planner = PLANNERS[name]
    gained = 0.0
    falls_short = name not in ("best", "easy")  # of the optimum, and looks at what is said
    for _ in range(many(6 if name == "best" else 12, least=2)):
        problem = random_problem(rng, 4, whole=True)
        truth = static_charges(problem, planner)
        short = optimum(problem).total - worth(problem, truth.start)
        for place, lied in lies(problem):
            outcome = static_charges(lied, planner)
            left = problem.values(outcome.start)[place] - outcome.charge[place]
            gain = left - (truth.value[place] - truth.charge[place])
            assert check_truthfulness(gain, short, ROUNDING).holds
            gained = max(gained, gain)
    assert (gained > ROUNDING) == falls_short
    assert "truthfulness" in PROMISES


def test_a_start_now_costs_no_less_than_the_exact_charge() -> None:
    rng = Random(44)
    equal = more = 0
    for _ in range(many(60, least=40)):
        problem = random_problem(rng, 4, whole=True)
        found = exact_charges(problem)
        for place, job in enumerate(problem.snapshot.queued):
            if job.processors > problem.snapshot.free or not problem.request.all():
                continue  # no job of no time gets in before one that runs already
            pivot = exact_pivot(problem, job.id)
            assert pivot >= found.charge[place] - ROUNDING
            if found.start[place] == problem.snapshot.now:
                assert pivot == pytest.approx(found.charge[place], abs=ROUNDING)
                equal += 1
            more += pivot > found.charge[place] + ROUNDING
    assert equal > enough(10)
    assert more > enough(3)


def test_a_job_alone_pays_nothing() -> None:
    problem = random_problem(Random(45), 1, whole=True)

    assert exact_charges(problem).charge.tolist() == [0]


def test_what_is_not_proven_is_not_charged() -> None:
    rng = Random(46)
    problem = random_problem(rng, 8, whole=True)
    while optimum(problem, effort=1e-9).proven:
        problem = random_problem(rng, 8, whole=True)

    with pytest.raises(UnprovenOptimum, match=r"the bound is \d"):
        exact_charges(problem, effort=1e-9)


def test_charges_add_up_to_what_the_others_lose() -> None:
    rng = Random(47)
    problem = random_problem(rng, whole=True)
    found = exact_charges(problem)

    for place, job in enumerate(problem.snapshot.queued):
        rest = optimum(problem.without(job.id)).total
        others = math.fsum(found.value) - found.value[place]
        assert found.charge[place] == pytest.approx(rest - others, abs=ROUNDING)
