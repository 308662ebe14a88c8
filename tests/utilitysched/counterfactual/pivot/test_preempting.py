"""Pivot charges with preemption, beside every order of queued and running jobs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from pricing import PivotRule
from pricing.pivots import Pivots
from tests.preemptible import PreemptionCase, random_preemption_case
from tests.reference.jobs import Running
from tests.reference.pivot import best_value_with_preemption
from tests.reference.preempting_plan import (
    PreemptingPlan,
    fitness_with_preemption,
    plan_with_preemption,
)
from tests.reference.refinement import Situation
from tests.scale import enough, many
from tests.utilitysched.schedulers.genetic.test_genetic_preemption import workload as checkpointing
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.model.plans import Begun, state_after
from utilitysched.model.segments import Stop
from utilitysched.model.state import Decision, Integers, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.plans import GeneticPlans, _if_it_pays
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

# nothing but utility decides: the best of all plans is what the search is after
OPTIONS = GeneticOptions(preempt=True, preemptions=1000, lost=0.0, prior=0.0)
DAMPED = GeneticOptions(preempt=True, damping=("airline",), generations=3, population=6)


class Contest(NamedTuple):
    case: PreemptionCase
    decision: Decision
    job: int
    pivots: Pivots
    scheduler: GeneticScheduler


def contested(rng: Random, options: GeneticOptions, cases: int) -> Iterator[Contest]:
    """Yield starts beside which somebody waits or is preempted, with what was recorded."""
    for _ in range(cases):
        case = random_preemption_case(rng, most=4)
        if len(case.jobs) > 6:
            continue
        scheduler = GeneticScheduler(options)
        recorder = PivotRecorder(scheduler)
        decision = recorder.decide(case.state)
        if len(decision.starts) < len(case.others.jobs) or len(decision.preempts):
            pivots = recorder.pivots(np.arange(len(case.state.known.submit)))
            for job in decision.starts.tolist():
                yield Contest(case, decision, job, pivots, scheduler)


def zeros(jobs: int) -> list[list[float]]:
    """Return that curves are read at the start."""
    return [[0.0]] * jobs


def decided(contest: Contest) -> tuple[PreemptingPlan, set[int]]:
    """Return the plan decided on, and whom it starts later though there is room to go on running.

    They are let go on running.
    """
    case, order = contest.case, contest.scheduler.memory.order.tolist()
    by_number = {job.number: job for job in case.jobs}
    running = [one.job for one in case.held]
    # running jobs that the plan has no place for go on running
    jobs = [job for job in running if job.number not in order]
    jobs += [by_number[number] for number in order]
    found = plan_with_preemption(jobs, case.held, *situation(case))
    spared = found.preempted - set(contest.decision.preempts.tolist())
    going_on = dict.fromkeys(spared, case.others.now)
    return PreemptingPlan({**found.start, **going_on}, found.preempted - spared), spared


def in_force(contest: Contest) -> float:
    """Return what the others are worth in the plan decided on (SU)."""
    others = [job for job in contest.case.jobs if job.number != contest.job]
    return fitness_with_preemption(others, decided(contest)[0], zeros(len(others)), [])


def situation(case: PreemptionCase, *more: Running) -> Situation:
    others = case.others
    return Situation(others.now, [*others.running, *more], others.processors)


def best(case: PreemptionCase, job: int, *more: Running, left_out: Sequence[int] = ()) -> float:
    """Return what the others are worth in the best of all plans (SU).

    Those that are worth nothing even alone wait behind all others: they do not matter.
    """
    others = [one for one in case.others.jobs if one.number not in (job, *left_out)]
    machine = situation(case, *more)
    alone = [plan_with_preemption([one], [], *situation(case)) for one in others]
    queue = [
        one
        for one, found in zip(others, alone, strict=True)
        if fitness_with_preemption([one], found, zeros(1), []) > 0
    ]
    return best_value_with_preemption(queue, case.held, zeros(len(queue) + len(case.held)), machine)


def test_charges_are_nearly_always_those_of_the_best_plans() -> None:
    charged = exact = contests = preemptions = 0
    for contest in contested(Random(31), OPTIONS, many(120)):
        case, decision, job, found, _ = contest
        planned, own = in_force(contest), case.others.jobs[job]
        taken = best(case, job, Running(case.others.now + own.request, -1, own.size))
        with_job = max(planned, taken)
        without_job = max(with_job, best(case, job))

        assert found.charge[job] >= 0
        assert planned - 1e-9 <= found.with_job[job] <= with_job + 1e-9
        assert found.with_job[job] <= found.without_job[job] <= without_job + 1e-9
        assert found.charge[job] == pytest.approx(found.without_job[job] - found.with_job[job])
        charged += found.charge[job] > 0
        exact += found.charge[job] == pytest.approx(without_job - with_job, abs=1e-9)
        preemptions += len(decision.preempts)
        contests += 1
    assert charged > enough(5)
    assert preemptions > enough(5)
    assert exact > 0.9 * contests


def test_other_queued_jobs_of_the_player_are_in_neither_plan() -> None:
    """Running jobs, which may be preempted, are those of others."""
    rng = Random(35)
    charged = exact = contests = 0
    for _ in range(many(250, least=150)):
        case = random_preemption_case(rng, most=4)
        state, queue = case.state, case.others.jobs
        decision = GeneticScheduler(OPTIONS).decide(state)
        starts = decision.starts.tolist()
        waiting = [one.number for one in queue if one.number not in starts]
        if len(case.jobs) > 6 or not starts or not waiting:
            continue
        job, own = starts[0], rng.sample(waiting, rng.randint(1, len(waiting)))
        if len(own) == len(waiting) and not len(decision.preempts):
            continue  # nobody else waits
        player = np.full(len(state.known.submit), -1)
        player[[job, *own]] = 1
        recorder = PivotRecorder(GeneticScheduler(OPTIONS), player=player)
        recorder.decide(state)
        found = recorder.pivots(np.arange(len(state.known.submit)))

        request, size = queue[job].request, queue[job].size
        taken = best(case, job, Running(case.others.now + request, -1, size), left_out=own)
        without = best(case, job, left_out=own)

        assert not np.isin(found.losses.victim[found.losses.cause == job], [job, *own]).any()
        assert found.with_job[job] <= taken + 1e-9
        charge = max(0.0, without - taken)
        exact += found.charge[job] == pytest.approx(charge, abs=1e-9)
        charged += charge > 0
        contests += 1
    assert charged > enough(5)
    assert exact > 0.9 * contests


def test_whom_the_plan_decided_on_does_not_preempt_goes_on_running_in_it() -> None:
    """Whether the plan has no place for them, a late one, or they were preempted once before."""
    seen = spared = preempted = 0
    for contest in contested(Random(34), OPTIONS, many(120, least=120)):
        case, decision, job, _, scheduler = contest
        plan, going_on = decided(contest)
        if not len(decision.preempts):
            before = np.array([one.job.number for one in case.held], dtype=np.int64)
            scheduler.memory = replace(scheduler.memory, preempted=before)

        plans = GeneticPlans(scheduler).started(case.state, Begun.one(job), None)

        assert plans.with_job[0].tolist() == [plan.start[one] for one in plans.job.tolist()]
        seen += bool(case.held) and not len(decision.preempts)
        spared += len(going_on)
        preempted += len(plan.preempted)
    assert min(seen, spared, preempted) > 0


@pytest.mark.parametrize("options", [OPTIONS, DAMPED])
def test_losses_add_up_and_are_those_of_queued_and_preemptible_jobs(
    options: GeneticOptions,
) -> None:
    seen = running = 0
    for case, _, job, found, _ in contested(Random(32), options, many(80, least=80)):
        lost = found.losses.cause == job
        victims = set(found.losses.victim[lost].tolist())

        assert found.charge[job] == max(0.0, math.fsum(found.losses.loss[lost]))
        assert victims <= {one.number for one in case.jobs} - {job}
        assert found.others[job] == len(case.jobs) - 1
        seen += len(victims) > 0
        running += any(victim >= len(case.others.jobs) for victim in victims)
    assert seen > enough(3)
    assert running > 0


def test_whom_nobody_would_start_instead_of_pays_nothing() -> None:
    """On a machine with room for all, nobody is in the way, whoever may be preempted."""
    rng = Random(33)
    for _ in range(many(30)):
        case = random_preemption_case(rng, most=4)
        recorder = PivotRecorder(GeneticScheduler(OPTIONS), PivotRule(searches=2))
        state = case.state
        need = int(state.known.size[state.queued].sum())
        decision = recorder.decide(replace(state, free=need))

        assert not len(decision.preempts)
        assert recorder.pivots(np.arange(len(state.known.submit))).charge.sum() == 0.0


def test_the_scale_of_the_weights_is_nothing_to_charges() -> None:
    """Twice the weights are twice the fitness: the same plans, which are worth what they were."""
    preempted = 0
    for seed in range(many(6)):
        jobs = checkpointing(40, seed)
        charged = []
        for weights in ("weights=utility:1,lost=2", "weights=utility:2,lost=4"):
            text = f"ga:preempt=true,population=6,generations=3,damping=boost,{weights}"
            schedule = simulate(jobs, text, machine_size=8, seed=seed)
            charged.append(Counterfactuals.of(jobs, schedule).pivots().charge.tolist())
            assert schedule.segments is not None
            preempted += int((schedule.segments.stop == Stop.PREEMPTED).sum())
        assert charged[0] == charged[1]
    assert preempted > 0


def test_who_is_preempted_runs_no_more_after_the_pass() -> None:
    class Watched(GeneticScheduler):
        preempted = 0

        def decide(self, state: QueueState) -> Decision:
            decision = super().decide(state)
            waiting = state_after(state, decision)
            assert waiting.free + state.known.size[waiting.running].sum() == 8
            assert not np.isin(decision.preempts, waiting.running).any()
            self.preempted += len(decision.preempts)
            return decision

    scheduler = Watched(GeneticOptions.parse({"preempt": "true", "population": "6", "lost": "0"}))
    simulate(checkpointing(40, 0), scheduler, machine_size=8)
    assert scheduler.preempted > 0


class Valued(NamedTuple):
    """Stands for a contest of one queued job and one running: what its orders are worth (SU)."""

    preempted: float
    kept: float
    other: float

    def plan(self, order: Integers, queue: int) -> tuple[float, list[str]]:  # noqa: ARG002
        """Return the worth of an order, and its name for its starts."""
        name = {(0, 1): "preempted", (1, 0): "kept", (2, 0): "other"}[tuple(order.tolist())]
        return getattr(self, name), [name]

    def not_preempted(self, order: Integers) -> Integers:
        """Return the order in which nobody is preempted."""
        return order if order[0] == 2 else np.array([1, 0])


@pytest.mark.parametrize(
    ("worth", "taken"),
    [
        (Valued(preempted=106, kept=100, other=90), "preempted"),
        (Valued(preempted=106, kept=90, other=100), "preempted"),
        (Valued(preempted=100, kept=100, other=90), "kept"),
        (Valued(preempted=99, kept=90, other=100), "other"),
        (Valued(preempted=-94, kept=-100, other=-110), "preempted"),
        (Valued(preempted=-106, kept=-100, other=-110), "kept"),
    ],
)
def test_a_plan_with_preemption_must_be_worth_more_than_all_without(
    worth: Valued, taken: str
) -> None:
    orders = np.array([0, 1]), np.array([2, 0])
    assert _if_it_pays(worth, 0, orders) == [taken]  # type: ignore[arg-type]
