"""Pivot charges of the genetic scheduler beside every order of small queues."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from pricing import PivotRule
from pricing.pivots import Pivots
from tests.planning import Case, random_case
from tests.reference.jobs import Running
from tests.reference.pivot import best_value
from tests.reference.plan import fitness, plan
from tests.scale import enough, many
from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.model.state import Decision
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

OPTIONS = GeneticOptions()


def in_force(case: Case, decision: Decision, job: int) -> float:
    """Return what the others are worth in the plan decided on, by the readable placement (SU)."""
    assert decision.order is not None
    starts = plan(decision.order.tolist(), case.jobs, case.now, case.running, case.processors)
    guesses = case.guesses(OPTIONS)
    kept = [number for number in range(len(case.jobs)) if number != job]
    return fitness(
        [case.jobs[number] for number in kept],
        [starts[number] for number in kept],
        [guesses[number] for number in kept],
    )


def best(case: Case, job: int, duration: float | None) -> float:
    """Return what the others are worth in the best of all plans (SU).

    `job` runs for `duration` from now on; with None it is not there.
    """
    others = [one for one in case.jobs if one.number != job]
    guesses = [case.guesses(OPTIONS)[one.number] for one in others]
    running = list(case.running)
    if duration is not None:
        running.append(Running(case.now + duration, -1, case.jobs[job].size))
    return best_value(others, guesses, case.now, running, case.processors)


def contested(rng: Random, rule: PivotRule, cases: int) -> Iterator[Contest]:
    """Yield starts that somebody else waits beside, with what was recorded."""
    for _ in range(cases):
        case = random_case(rng, most=5)
        run = np.array([job.request / 4 for job in case.jobs])
        recorder = PivotRecorder(GeneticScheduler(OPTIONS), rule, run)
        decision = recorder.decide(case.state)
        if len(decision.starts) < len(case.jobs):
            pivots = recorder.pivots(np.arange(len(case.jobs)))
            for job in decision.starts.tolist():
                yield Contest(case, decision, job, pivots)


class Contest(NamedTuple):
    case: Case
    decision: Decision
    job: int
    pivots: Pivots


@pytest.mark.parametrize("rule", [PivotRule(), PivotRule("actual")])
def test_charges_are_nearly_always_those_of_the_best_plans(rule: PivotRule) -> None:
    charged = exact = contests = 0
    for case, decision, job, found in contested(Random(7), rule, many(150, least=75)):
        planned = in_force(case, decision, job)
        request = case.jobs[job].request
        taken = best(case, job, request if rule.duration == "requested" else request / 4)
        with_job = max(planned, taken)
        without_job = max(with_job, best(case, job, None))

        assert found.charge[job] >= 0
        assert planned - 1e-9 <= found.with_job[job] <= with_job + 1e-9
        assert found.with_job[job] <= found.without_job[job] <= without_job + 1e-9
        assert found.charge[job] == pytest.approx(found.without_job[job] - found.with_job[job])
        charged += found.charge[job] > 0
        exact += found.charge[job] == pytest.approx(without_job - with_job, abs=1e-9)
        contests += 1
    assert charged > enough(5)
    assert exact > 0.95 * contests


def test_where_the_whole_queue_starts_nobody_pays() -> None:
    rng = Random(8)
    seen = 0
    for _ in range(many(60, least=30)):
        case = random_case(rng, most=3)
        recorder = PivotRecorder(GeneticScheduler(OPTIONS))
        decision = recorder.decide(case.state)
        found = recorder.pivots(np.arange(len(case.jobs)))

        if len(decision.starts) == len(case.jobs):
            assert np.isnan(found.with_job).all()
            assert found.charge.tolist() == [0.0] * len(case.jobs)
            seen += 1
    assert seen > enough(3)


def test_losses_add_up_to_charges() -> None:
    rng = Random(9)
    seen = 0
    for _ in range(many(60)):
        case = random_case(rng, most=8)
        recorder = PivotRecorder(GeneticScheduler(), PivotRule(searches=3))
        recorder.decide(case.state)
        found = recorder.pivots(np.arange(len(case.jobs)))

        for job in range(len(case.jobs)):
            lost = found.losses.loss[found.losses.cause == job]
            assert found.charge[job] == max(0.0, math.fsum(lost))
            assert job not in found.losses.victim[found.losses.cause == job]
            seen += len(lost) > 0
        known = ~np.isnan(found.with_job)
        difference = (found.without_job - found.with_job)[known]
        assert difference == pytest.approx(found.charge[known], abs=1e-9)
    assert seen > enough(3)


def test_one_search_has_no_error_and_several_do() -> None:
    rng = Random(10)
    case = random_case(rng, most=8)
    while True:
        one, several = (
            PivotRecorder(GeneticScheduler(), PivotRule(searches=searches)) for searches in (1, 4)
        )
        starts = one.decide(case.state).starts
        several.decide(case.state)
        if 0 < len(starts) < len(case.jobs):
            break
        case = random_case(rng, most=8)
    order = np.arange(len(case.jobs))

    assert np.isnan(one.pivots(order).error).all()
    assert (several.pivots(order).error[starts] >= 0).all()
