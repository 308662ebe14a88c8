"""Plans in which running jobs are preempted equal their readable twins."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.planning import random_case
from tests.preemptible import ANYBODY, PreemptionCase, random_preemption_case
from tests.reference.jobs import Job, Running
from tests.reference.plan import plan
from tests.reference.preempting_plan import (
    PreemptingPlan,
    fitness_with_preemption,
    in_line,
    needed_preemptions,
)
from tests.reference.preempting_plan import plan_with_preemption as readable_plan
from tests.scale import many
from utilitysched.kernels.fitness import Problem, Workspace, evaluate, worth_of_order
from utilitysched.kernels.plan import place
from utilitysched.schedulers.genetic.genome_map import (
    NOBODY,
    GenomeMap,
    Memory,
    find_preemptible,
    forecast_beside,
    not_preempted_first,
)
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.preempting import carried_out
from utilitysched.schedulers.genetic.problem import problem_of
from utilitysched.schedulers.history import History

CASES = many(150, least=75)


def batches() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("batch", range(4))


def line_of(case: PreemptionCase, threshold: float = np.inf) -> GenomeMap:
    state = case.state
    return GenomeMap.of(state, threshold, None).beside(find_preemptible(state, ANYBODY))


def problem(case: PreemptionCase, line: GenomeMap, options: GeneticOptions = ANYBODY) -> Problem:
    forecast = forecast_beside(History(options.rule), case.state)
    return problem_of(case.state, line, forecast, Memory(), options)


def random_order(rng: Random, line: GenomeMap) -> list[int]:
    """Return an order, in which as often as not some running jobs stay ahead of the queue."""
    order = rng.sample(range(len(line.movable)), len(line.movable))
    if rng.random() < 0.5:
        ahead = [number for number in order if number >= line.waiting and rng.random() < 0.7]
        order = ahead + [number for number in order if number not in ahead]
    return order


def readable(
    case: PreemptionCase, line: GenomeMap, order: list[int]
) -> tuple[list[Job], PreemptingPlan]:
    """Return the twin's jobs in the order of the line, and its plan."""
    by_number = {job.number: job for job in case.jobs}
    jobs = [by_number[number] for number in line.job.tolist()]
    movable = [jobs[line.pinned + number] for number in order]
    queue = in_line(movable, jobs[: line.pinned], case.held)
    others = case.others
    found = readable_plan(queue, case.held, others.now, others.running, others.processors)
    return jobs, found


@batches()
def test_what_is_left_of_running_jobs_is_equal(batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES):
        case = random_preemption_case(rng)
        now, held = case.others.now, case.held

        found = find_preemptible(case.state, ANYBODY)

        assert found.job.tolist() == [one.job.number for one in held]
        assert found.left.tolist() == [one.left(now) for one in held]
        assert found.later.tolist() == [one.later(now) for one in held]
        assert found.wasted == pytest.approx([one.wasted(now) for one in held])
        assert (found.later >= found.left).all()


@batches()
def test_plans_with_preemption_are_equal(batch: int) -> None:
    rng = Random(batch)
    preempted = 0
    for _ in range(CASES):
        case = random_preemption_case(rng)
        line = line_of(case, rng.choice([np.inf, 20.0]))
        order = random_order(rng, line)
        queue = problem(case, line).queue
        workspace = Workspace.empty(len(line.job), len(queue.release_time))

        immediate = place(
            np.array(order, dtype=np.int64), queue, workspace.scratch, workspace.start
        )
        jobs, expected = readable(case, line, order)

        assert workspace.start.tolist() == [expected.start[job.number] for job in jobs]
        now_running = set(line.job[workspace.scratch.placed[:immediate]].tolist())
        assert set(line.preemptible.job.tolist()) - now_running == expected.preempted
        preempted += len(expected.preempted)
    assert preempted > CASES / 3


@batches()
def test_fitnesses_with_preemption_are_equal(batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES // 3):
        case = random_preemption_case(rng)
        damping = ("boost",) if rng.random() < 0.5 else ()
        options = GeneticOptions(preempt=True, damping=damping, lost=0.0, delays=(0.0,))
        line = line_of(case)
        whole = problem(case, line, options)
        orders = [random_order(rng, line) for _ in range(4)]
        found = np.empty(len(orders))
        workspace = Workspace.empty(len(line.job), len(whole.queue.release_time))

        evaluate(np.array(orders, dtype=np.int64), whole, workspace, found)

        boosts = {
            one.job.number: one.job.points[0][1] if damping and one.job.points else 0.0
            for one in case.held
        }
        expected = []
        for order in orders:
            jobs, planned = readable(case, line, order)
            zero = [[0.0]] * len(jobs)
            expected.append(fitness_with_preemption(jobs, planned, zero, list(boosts.items())))
        assert found.tolist() == expected


@batches()
def test_where_all_stay_the_queue_is_planned_as_beside_running_jobs(batch: int) -> None:
    rng = Random(batch)
    for _ in range(CASES):
        case = random_preemption_case(rng)
        line = line_of(case, rng.choice([np.inf, 20.0]))
        drawn = np.array([random_order(rng, line)], dtype=np.int64)
        order = not_preempted_first(drawn, line.waiting)[0]
        _, planned = readable(case, line, order.tolist())
        now, processors = case.others.now, case.others.processors

        assert planned.preempted == set()
        fixed = [
            *case.others.running,
            *(_running(one.job, one.left(now), now) for one in case.held),
        ]
        queued = [
            number for number in line.jobs_of(order).tolist() if number < len(case.others.jobs)
        ]
        alone = plan(queued, case.others.jobs, now, fixed, processors)
        assert alone == [planned.start[job.number] for job in case.others.jobs]


def _running(job: Job, left: float, now: float) -> Running:
    return Running(now + left, job.number, job.size)


@batches()
def test_who_is_in_nobodys_way_is_not_preempted(batch: int) -> None:
    rng = Random(batch)
    spared = 0
    for _ in range(CASES):
        case = random_preemption_case(rng)
        line, state = line_of(case), case.state
        order = random_order(rng, line)
        jobs, planned = readable(case, line, order)
        sizes = {job.number: job.size for job in jobs}

        found = carried_out(
            np.array(order, dtype=np.int64), problem(case, line), line, state, Memory()
        )

        starts = set(found.starts.tolist())
        expected = needed_preemptions(planned, starts, sizes, state.free)
        assert set(found.preempts.tolist()) == expected
        room = state.free + sum(sizes[number] for number in expected)
        need = sum(sizes[number] for number in starts)
        assert need <= room
        assert all(need > room - sizes[number] for number in expected)
        spared += len(planned.preempted) > len(expected)
    assert spared > 0


def test_a_line_without_running_jobs_is_a_queue() -> None:
    rng = Random(1)
    for _ in range(CASES):
        case = random_case(rng)
        line = GenomeMap.of(case.state, np.inf, Memory())
        order = np.array(rng.sample(range(len(case.jobs)), len(case.jobs)))

        assert line == (line.job, 0, NOBODY)
        assert line.job.tolist() == case.state.queued.tolist()
        assert line.jobs_of(order).tolist() == order.tolist()
        expected = plan(order.tolist(), case.jobs, case.now, case.running, case.processors)
        whole = case.problem(GeneticOptions())
        start = np.empty(len(order))
        place(order, whole.queue, Workspace.empty(len(order), len(case.running)).scratch, start)
        assert start.tolist() == expected
        assert worth_of_order(order, whole) >= 0.0
