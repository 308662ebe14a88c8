"""The genetic scheduler at single decisions and over whole workloads."""

from __future__ import annotations

import random
from dataclasses import replace
from random import Random
from typing import cast

import numpy as np
import pytest
from deap import base, creator

from swfx import UtilityFunction, UtilityTable, Workload
from tests.planning import Case, random_case
from tests.reference.jobs import Job, Running
from tests.reference.plan import plan
from tests.scale import enough, many
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.genetic.initial import ordered_by
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import CLOSED_DEPTH, GeneticScheduler
from utilitysched.schedulers.history import History
from utilitysched.schedulers.list_options import order_from

SMALL = GeneticOptions(population=6, generations=4)
FAIR = "ga:weights=fairness:1000"


def made(text: str) -> GeneticScheduler:
    return cast("GeneticScheduler", make_scheduler(text))


def workload(jobs: int, seed: int) -> Workload:
    """Return a busy workload for 8 processors in which waiting costs value."""
    rng = np.random.default_rng(seed)
    value = rng.uniform(1, 100, jobs)
    last = rng.uniform(50, 1500, jobs)
    curves = [
        UtilityFunction([0.0, float(end)], [float(top), 0.0])
        for end, top in zip(last, value, strict=True)
    ]
    return Workload.from_columns(
        submit=np.cumsum(rng.integers(0, 40, jobs)).astype(float),
        run=rng.integers(0, 200, jobs).astype(float),
        requested_time=rng.integers(1, 400, jobs).astype(float),
        processors=rng.integers(1, 9, jobs),
        user=rng.integers(1, 5, jobs),
        queue=rng.integers(0, 6, jobs),
        utility=UtilityTable.from_functions(curves),
    )


def utility(jobs: Workload, schedule: Schedule) -> float:
    return float(jobs.utility.evaluate(schedule.turnaround(jobs)).sum())


def run(text: str, jobs: Workload, seed: int = 0) -> Schedule:
    return simulate(jobs, text, machine_size=8, seed=seed)


ROOMY = Case(
    now=10.0,
    processors=8,
    jobs=[Job(0, 0.0, 0.0, 5.0, 2), Job(1, 1.0, 0.0, 5.0, 3)],
    running=[Running(20.0, 2, 3)],
)


@pytest.mark.parametrize(("taken", "starts"), [(3, [0, 1]), (7, [])])
def test_nothing_is_searched_where_all_fit_or_none(taken: int, starts: list[int]) -> None:
    scheduler = GeneticScheduler(log=True)

    decision = scheduler.decide(replace(ROOMY, running=[Running(20.0, 2, taken)]).state)

    assert decision.starts.tolist() == starts
    assert scheduler.logbook == []


def test_leaving_the_search_out_does_not_change_the_decision() -> None:
    rng = Random(1)
    left_out = 0
    for _ in range(many(200)):
        case = random_case(rng)
        scheduler = GeneticScheduler(SMALL)
        state = case.state
        short = scheduler.decide(state)
        if len(scheduler.memory.order):
            continue
        left_out += 1

        _, starts = scheduler.plan(state, scheduler.memory, seed=0)

        assert sorted(starts.tolist()) == sorted(short.starts.tolist())
    assert left_out > enough(20)


def test_the_more_valuable_of_two_jobs_starts() -> None:
    curve = ((0.0, 10.0), (100.0, 0.0))
    dear = ((0.0, 50.0), (100.0, 0.0))
    jobs = [Job(0, 0.0, 0.0, 50.0, 4, points=curve), Job(1, 5.0, 0.0, 50.0, 4, points=dear)]

    decision = GeneticScheduler(SMALL).decide(Case(10.0, 4, jobs, []).state)

    assert (decision.wake_up, decision.preempts.tolist(), decision.causes) == (None, [], None)
    assert decision.starts.tolist() == [1]
    assert decision.order is not None
    assert decision.order.tolist() == [1, 0]


def test_a_starved_job_goes_first() -> None:
    dear = ((0.0, 50.0), (100.0, 0.0))
    jobs = [Job(0, 0.0, 0.0, 50.0, 4), Job(1, 90.0, 0.0, 50.0, 4, points=dear)]
    state = Case(100.0, 4, jobs, []).state

    assert made("ga:threshold=100").decide(state).starts.tolist() == [1]
    assert made("ga:threshold=99").decide(state).starts.tolist() == [0]


def test_a_relative_threshold_follows_the_longest_request() -> None:
    jobs = [Job(0, 0.0, 0.0, 50.0, 4), Job(1, 90.0, 0.0, 50.0, 4, points=((0.0, 5.0), (9e9, 0.0)))]
    state = Case(100.0, 4, jobs, []).state
    scheduler = made("ga:threshold=2x")

    starts = []
    for longest in (60.0, 40.0):
        scheduler.prepare(Setting(machine_size=4, longest_request=longest, seed=0))
        starts.append(scheduler.decide(state).starts.tolist())

    assert starts == [[1], [0]]


def test_jobs_behind_the_depth_follow_the_rule_and_start_where_easy_lets_them() -> None:
    rng = Random(3)
    backfilled = 0
    for _ in range(many(100)):
        case = random_case(rng)
        state, depth = case.state, rng.randint(1, 4)
        scheduler = GeneticScheduler(replace(SMALL, depth=float(depth), prior=0.0))
        starts = scheduler.decide(state).starts.tolist()
        memory = scheduler.memory
        if len(memory.order) <= depth or min(job.request for job in case.jobs) == 0:
            continue

        forecast = History(SMALL.rule).forecast(state)
        ranked = ordered_by([order_from("index")], state, forecast, state.queued)
        assert sorted(memory.order[:depth]) == sorted(ranked[0, :depth])
        assert memory.order[depth:].tolist() == ranked[0, depth:].tolist()
        planned = plan(memory.order.tolist(), case.jobs, case.now, case.running, case.processors)
        assert set(starts) == {job for job, start in enumerate(planned) if start == case.now}
        assert set(memory.job.tolist()) == set(memory.order[:depth].tolist()) | set(starts)
        backfilled += len(set(starts) - set(memory.order[:depth].tolist()))
    assert backfilled > enough(10)


def test_the_prior_keeps_plans_near_the_first_order() -> None:
    """The more it weighs, the nearer; no plan is worth an order that is far enough."""
    rng, apart = Random(5), {0.0: 0.0, 0.3: 0.0, 1e9: 0.0}
    for _ in range(many(60, least=60)):
        state = random_case(rng).state
        forecast = History(SMALL.rule).forecast(state)
        ranked = ordered_by([order_from("index")], state, forecast, state.queued)[0]
        place = np.argsort(ranked)
        for prior in apart:
            scheduler = GeneticScheduler(replace(SMALL, prior=prior))
            scheduler._trusting = scheduler.settings  # jobs do arrive
            scheduler.decide(state)
            order = place[scheduler.memory.order]
            turned = np.triu(order[:, np.newaxis] > order, 1).sum()
            apart[prior] += turned
    assert apart[1e9] == 0.0
    assert 0.0 < apart[0.3] < apart[0.0]


def test_a_depth_beyond_the_queue_changes_nothing() -> None:
    jobs = workload(60, seed=2)

    for family in ("ga:population=6,generations=3", "climb:population=20"):
        start = run(family, jobs).start.tolist()
        assert run(f"{family},depth=60", jobs).start.tolist() == start
        assert run(f"{family},depth=4", jobs).start.tolist() != start


@pytest.mark.parametrize(
    "text",
    [
        "ga:population=6,generations=4,duration=expected,planning=expected",
        "ga:population=4,generations=2,selection=selTournament:tournsize=3,crossover=cxOrdered",
        "ga:population=6,generations=4,weights=wait:1+slowdown:5+fairness:1+predictability:1+large:1",
        "climb:depth=5,seeds=[value-and-delay],delays=0+60,threshold=3x",
    ],
)
def test_same_seed_same_schedule(text: str) -> None:
    jobs = workload(60, seed=2)

    one, other = run(text, jobs, seed=5), run(text, jobs, seed=5)

    assert one.start.tobytes() == other.start.tobytes()
    assert one.passes == other.passes
    assert (one.start >= jobs.submit).all()


@pytest.mark.parametrize("options", ["", "depth=6,warm=false", "preempt=true,lost=0"])
def test_climb_breeds_nothing_and_climbs(options: str) -> None:
    jobs = workload(60, seed=2)

    climbed = run(f"climb:{options}".rstrip(":"), jobs).start.tolist()

    assert climbed != run(f"ga:{options}".rstrip(":"), jobs).start.tolist()
    assert climbed != run(f"climb:climb=0,{options}".rstrip(","), jobs).start.tolist()
    assert made("climb").settings.generations == 0


def burst(jobs: int, seed: int) -> Workload:
    """Return jobs of some hours each, all submitted at once."""
    one = workload(jobs, seed)
    curves = [
        UtilityFunction(curve.times * 400.0, curve.values)
        for curve in (one.utility[i] for i in range(jobs))
    ]
    return one.replace(
        submit=np.zeros(jobs),
        run=one.requested_time * 60.0,
        requested_time=one.requested_time * 60.0,
        utility=UtilityTable.from_functions(curves),
    )


class Watched(GeneticScheduler):
    """Notes how far plans are put in order, and how durations are read."""

    def prepare(self, setting: Setting) -> None:
        super().prepare(setting)
        self.seen: list[tuple[int, float, str]] = []

    def _search(self, problem, first, stream, jobs, settings):  # type: ignore[no-untyped-def]
        self.seen.append((len(jobs), settings.prior, settings.duration))
        return super()._search(problem, first, stream, jobs, settings)


def test_where_nobody_arrives_the_plan_is_trusted() -> None:
    options = GeneticOptions(population=6, generations=2, depth=8.0)
    jobs, scheduler = burst(60, seed=1), Watched(options)

    simulate(jobs, scheduler, machine_size=8)

    assert scheduler.seen[0] == (60, 0.0, "requested")
    assert {seen[1:] for seen in scheduler.seen} == {(0.0, "requested")}
    # once a run has ended before its request, it is as the options say
    early = jobs.replace(run=np.where(np.arange(60) % 3, jobs.run, 60.0))
    simulate(early, scheduler, machine_size=8)
    assert scheduler.seen[0] == (60, 0.0, "requested")
    assert scheduler.seen[-1][1:] == (options.prior, "zero")
    # where jobs arrive, or with no prior, it is as the options say
    simulate(workload(60, seed=1), scheduler, machine_size=8)
    assert {seen[1:] for seen in scheduler.seen} == {(options.prior, "zero")}
    assert max(seen[0] for seen in scheduler.seen) == 8
    plain = Watched(replace(options, prior=0.0))
    simulate(jobs, plain, machine_size=8)
    assert {seen[1:] for seen in plain.seen} == {(0.0, "zero")}
    assert max(seen[0] for seen in plain.seen) == 8
    assert CLOSED_DEPTH == 128.0


def test_the_search_pays() -> None:
    earned = {"easy": 0.0, "ga": 0.0}
    for seed in range(3):
        jobs = workload(80, seed)
        for name in earned:
            earned[name] += utility(jobs, run(name, jobs))

    assert earned["ga"] > 1.1 * earned["easy"]


def measured(term: str, jobs: Workload, schedule: Schedule) -> float:
    """Return what a term charges for, of a whole schedule."""
    wait = schedule.wait(jobs)
    if term == "large":
        return float(wait @ jobs.size / jobs.size.sum())
    return float(wait.max() if term == "longest" else wait.mean())


@pytest.mark.parametrize(
    ("term", "seed", "others"),
    [
        ("wait", 3, ["ga", "easy"]),
        ("longest", 4, ["ga", "ga:weights=utility:0+wait:1"]),
        ("large", 4, ["ga:weights=utility:0+wait:1"]),
    ],
)
def test_a_weighted_term_is_lower_than_without_the_weight(
    term: str, seed: int, others: list[str]
) -> None:
    jobs = workload(100, seed)
    lowered = measured(term, jobs, run(f"ga:weights=utility:0+{term}:1", jobs))

    assert all(lowered < measured(term, jobs, run(other, jobs)) for other in others)


def test_a_weight_on_fairness_keeps_to_the_order_of_arrival() -> None:
    jobs = workload(60, seed=6)
    easy, fair, plain = (run(f"{name}", jobs).start for name in ("easy", FAIR, "ga"))

    assert np.abs(fair - easy).mean() < 0.5 * np.abs(plain - easy).mean()


def test_a_weight_on_reservations_keeps_them() -> None:
    """Count the seconds by which plans move jobs beyond the plan before."""

    def broken(text: str) -> float:
        scheduler = made(text)
        delays = []
        plan = scheduler.plan

        def watched(state, memory, seed):  # type: ignore[no-untyped-def]
            before = memory.reserved(state.queued)
            planned, starts = plan(state, memory, seed)
            delays.extend(np.maximum(planned.start - before, 0.0).tolist())
            return planned, starts

        scheduler.plan = watched  # type: ignore[method-assign]
        simulate(workload(60, seed=5), scheduler, machine_size=8)
        return float(np.sum(delays))

    assert broken("ga:depth=inf,weights=predictability:1000") < 0.8 * broken("ga:depth=inf")


def test_the_global_random_numbers_are_left_alone() -> None:
    random.seed(1)
    expected = random.random()

    random.seed(1)
    run("ga:population=4,generations=2,crossover=cxOrdered", workload(30, seed=7))

    assert random.random() == expected


def test_deaps_classes_are_made_once() -> None:
    before = creator.QueueOrder

    make_scheduler("ga")

    assert creator.QueueOrder is before
    assert before.fitness is creator.PlanFitness
    assert creator.PlanFitness.weights == (1.0,)


def test_a_toolbox_of_your_own_is_used() -> None:
    calls = []

    def no_crossing(one: list[int], other: list[int]) -> tuple[list[int], list[int]]:
        calls.append(len(one))
        return one, other

    toolbox = base.Toolbox()
    toolbox.register("mate", no_crossing)
    scheduler = GeneticScheduler(SMALL, toolbox=toolbox)
    simulate(workload(30, seed=8), scheduler, machine_size=8)

    assert calls
    assert min(calls) >= 2
