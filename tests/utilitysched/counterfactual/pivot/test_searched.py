"""Pivot charges of the genetic scheduler beside every order of small queues."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.model.state import Decision
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

OPTIONS = GeneticOptions()


def in_force(case: Case, decision: Decision, begun: list[int]) -> float:
    """Return what the others are worth in the plan decided on, by the readable placement (SU)."""
    assert decision.order is not None
    starts = plan(decision.order.tolist(), case.jobs, case.now, case.running, case.processors)
    guesses = case.guesses(OPTIONS)
    kept = [number for number in range(len(case.jobs)) if number not in begun]
    return fitness(
        [case.jobs[number] for number in kept],
        [starts[number] for number in kept],
        [guesses[number] for number in kept],
    )


def best(case: Case, begun: list[int], part: float | None, left_out: Sequence[int] = ()) -> float:
    """Return what the others are worth in the best of all plans (SU).

    Jobs run from now on for `part` of their requested times; with None they are not there.
    """
    others = [one for one in case.jobs if one.number not in (*begun, *left_out)]
    if not others:
        return 0.0
    guesses = [case.guesses(OPTIONS)[one.number] for one in others]
    running = list(case.running)
    if part is not None:
        held = [case.jobs[number] for number in begun]
        running += [Running(case.now + part * job.request, -1, job.size) for job in held]
    return best_value(others, guesses, case.now, running, case.processors)


def contested(
    rng: Random, rule: PivotRule, cases: int, *, together: bool = False
) -> Iterator[Contest]:
    """Yield starts that somebody else waits beside, with what was recorded.

    If `together`, all that start are one player's, and all that wait are strangers.
    """
    for _ in range(cases):
        case = random_case(rng, most=5)
        run = np.array([job.request / 4 for job in case.jobs])
        recorder = PivotRecorder(GeneticScheduler(OPTIONS), rule, run)
        decision = recorder.decide(case.state)
        if len(decision.starts) < len(case.jobs):
            starts = [[job] for job in decision.starts.tolist()]
            if together:
                starts = [decision.starts.tolist()] if starts else []
                player = np.full(len(case.state.known.submit), -1)
                player[decision.starts] = 1
                recorder = PivotRecorder(GeneticScheduler(OPTIONS), rule, run, player=player)
                assert recorder.decide(case.state).starts.tolist() == decision.starts.tolist()
            pivots = recorder.pivots(np.arange(len(case.jobs)))
            for jobs in starts:
                yield Contest(case, decision, jobs, pivots)


class Contest(NamedTuple):
    case: Case
    decision: Decision
    jobs: list[int]
    pivots: Pivots


@pytest.mark.parametrize(
    ("rule", "together"),
    [(PivotRule(), False), (PivotRule("actual"), False), (PivotRule(), True)],
)
def test_charges_are_nearly_always_those_of_the_best_plans(rule: PivotRule, together: bool) -> None:
    charged = exact = contests = several = 0
    cases = many(300 if together else 150, least=150 if together else 75)
    drawn = contested(Random(7), rule, cases, together=together)
    for case, decision, jobs, found in drawn:
        planned = in_force(case, decision, jobs)
        taken = best(case, jobs, 1.0 if rule.duration == "requested" else 0.25)
        with_job = max(planned, taken)
        without_job = max(with_job, best(case, jobs, None))
        charge, asked = found.charge[jobs].sum(), [case.jobs[job] for job in jobs]
        weight = np.array([job.size * job.request for job in asked])

        assert (found.charge[jobs] >= 0).all()
        assert (found.with_job[jobs] == found.with_job[jobs[0]]).all()
        assert planned - 1e-9 <= found.with_job[jobs[0]] <= with_job + 1e-9
        assert found.with_job[jobs[0]] + charge <= without_job + 1e-9
        assert found.charge[jobs] == pytest.approx((found.without_job - found.with_job)[jobs])
        assert found.charge[jobs] * weight.sum() == pytest.approx(charge * weight)
        charged += charge > 0
        exact += charge == pytest.approx(without_job - with_job, abs=1e-9)
        several += charge > 0 and len(jobs) > 1
        contests += 1
    assert charged > enough(5)
    assert exact > 0.95 * contests
    assert several > enough(5) or not together


@pytest.mark.parametrize("rule", [PivotRule(), PivotRule("actual")])
def test_other_queued_jobs_of_the_player_are_in_neither_plan(rule: PivotRule) -> None:
    rng = Random(12)
    charged = exact = contests = 0
    for _ in range(many(300, least=150)):
        case = random_case(rng, most=6)
        run = np.array([job.request / 4 for job in case.jobs])
        starts = GeneticScheduler(OPTIONS).decide(case.state).starts.tolist()
        waiting = [number for number in range(len(case.jobs)) if number not in starts]
        if not starts or len(waiting) < 2:
            continue
        own = rng.sample(waiting, rng.randint(1, len(waiting) - 1))
        player = np.full(len(case.state.known.submit), -1)
        player[[starts[0], *own]] = 1
        recorder = PivotRecorder(GeneticScheduler(OPTIONS), rule, run, player=player)
        recorder.decide(case.state)
        found, job = recorder.pivots(np.arange(len(case.jobs))), starts[0]

        taken = best(case, [job], 1.0 if rule.duration == "requested" else 0.25, own)
        without = best(case, [job], None, own)

        assert found.with_job[job] <= taken + 1e-9
        assert found.without_job[job] <= max(without, found.with_job[job]) + 1e-9
        assert not np.isin(found.losses.victim[found.losses.cause == job], [job, *own]).any()
        charge = max(0.0, without - taken)
        exact += found.charge[job] == pytest.approx(charge, abs=1e-9)
        charged += charge > 0
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
