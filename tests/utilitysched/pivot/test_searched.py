"""Pivot charges of the genetic scheduler beside every order of small queues."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from tests.planning import Case, random_case
from tests.reference.pivot import best_value
from tests.reference.plan import fitness, plan
from tests.scale import many
from utilitysched.genetic.options import GeneticOptions
from utilitysched.genetic.scheduler import GeneticScheduler
from utilitysched.pivot import PivotRecorder, Settlement
from utilitysched.state import Decision

THOROUGH = GeneticOptions(generations=100)


def with_job(case: Case, decision: Decision, job: int, duration: float | None = None) -> float:
    """Return what the others are worth in the plan in force, by the readable placement (SU)."""
    assert decision.order is not None
    jobs = [
        one if one.number != job or duration is None else one._replace(request=duration)
        for one in case.jobs
    ]
    starts = plan(decision.order.tolist(), jobs, case.now, case.running, case.processors)
    guesses = case.guesses(THOROUGH)
    kept = [number for number in range(len(jobs)) if number != job]
    return fitness(
        [case.jobs[number] for number in kept],
        [starts[number] for number in kept],
        [guesses[number] for number in kept],
    )


def without_job(case: Case, job: int) -> float:
    """Return what the others are worth in the best of all plans without the job (SU)."""
    others = [one for one in case.jobs if one.number != job]
    guesses = [case.guesses(THOROUGH)[one.number] for one in others]
    return best_value(others, guesses, case.now, case.running, case.processors)


def test_charges_are_those_of_the_best_plans() -> None:
    rng = Random(7)
    charged = 0
    for _ in range(many(150)):
        case = random_case(rng, most=5)
        recorder = PivotRecorder(GeneticScheduler(THOROUGH))
        decision = recorder.decide(case.state)
        found = recorder.pivots(np.arange(len(case.jobs)))

        for job in decision.starts.tolist():
            if len(decision.starts) == len(case.jobs):
                assert math.isnan(found.with_job[job])
                assert found.charge[job] == 0
                continue
            plus, minus = with_job(case, decision, job), without_job(case, job)
            assert found.with_job[job] == pytest.approx(plus)
            assert found.without_job[job] == pytest.approx(max(plus, minus))
            assert found.charge[job] == pytest.approx(max(0.0, minus - plus), abs=1e-9)
            charged += found.charge[job] > 0
    assert charged > 5


def test_a_shorter_job_is_in_the_way_for_less() -> None:
    rng = Random(8)
    less = 0
    for _ in range(many(150)):
        case = random_case(rng, most=5)
        run = np.array([job.request / 4 for job in case.jobs])
        planned, settled = (
            PivotRecorder(GeneticScheduler(THOROUGH), settlement, run)
            for settlement in (Settlement(), Settlement("actual"))
        )
        planned.decide(case.state)
        decision = settled.decide(case.state)
        order = np.arange(len(case.jobs))

        for job in decision.starts.tolist():
            if len(decision.starts) == len(case.jobs):
                continue
            by_plan, by_run = planned.pivots(order), settled.pivots(order)
            assert by_run.charge[job] <= by_plan.charge[job] + 1e-9
            best = max(
                with_job(case, decision, job), with_job(case, decision, job, float(run[job]))
            )
            assert by_run.with_job[job] == pytest.approx(best)
            less += by_run.charge[job] < by_plan.charge[job]
    assert less > 3


def test_losses_add_up_to_charges() -> None:
    rng = Random(9)
    seen = 0
    for _ in range(many(60)):
        case = random_case(rng, most=8)
        recorder = PivotRecorder(GeneticScheduler(), Settlement(searches=3))
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
    assert seen > 3


def test_one_search_has_no_error_and_several_do() -> None:
    rng = Random(10)
    case = random_case(rng, most=8)
    while True:
        one, several = (
            PivotRecorder(GeneticScheduler(), Settlement(searches=searches)) for searches in (1, 4)
        )
        starts = one.decide(case.state).starts
        several.decide(case.state)
        if 0 < len(starts) < len(case.jobs):
            break
        case = random_case(rng, most=8)
    order = np.arange(len(case.jobs))

    assert np.isnan(one.pivots(order).error).all()
    assert (several.pivots(order).error[starts] >= 0).all()
