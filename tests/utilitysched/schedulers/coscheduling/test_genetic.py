"""The genetic co-scheduler: plans that come true, and the best of them where all can be tried."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from swfx import UtilityFunction, Workload, open_workload
from swfx.utility_table import UtilityTable
from tests.scale import enough, many
from tests.utilitysched.kernels.test_sharing import drawn
from utilitysched import make_scheduler, simulate
from utilitysched.kernels.shared_plans import carry_out, measure_plans
from utilitysched.kernels.sharing import (
    GIVEN,
    Beliefs,
    SharedRun,
    SharingState,
    advance_sharing,
)
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.coscheduling.genetic import (
    PlanSearch,
    as_plan,
    no_worse,
    plans_by_value,
    problem_at,
    working_memory,
)
from utilitysched.schedulers.genetic import GeneticOptions
from utilitysched.schedulers.genetic.front import Front

ENDLESS = 10**9


def started(seed: int, most: int = 12) -> tuple[SharedRun, JobTable, Workload]:
    """A small cluster before its first event, and what its jobs are worth."""
    nodes, policy, jobs, speeds, _ = drawn(seed)
    jobs = type(jobs)(*(column[:most] for column in jobs))
    count = len(jobs.submit)
    policy = policy._replace(order=GIVEN, window=ENDLESS, shares=True, reserves=False)
    policy = policy._replace(learns_ends=True)
    jobs = jobs._replace(known=jobs.work)
    curves = [UtilityFunction([0.0, 2.0 + 2.0 * i], [10.0, 0.0]) for i in range(count)]
    worth = Workload.from_columns(
        submit=jobs.submit,
        run=np.ones(count),
        processors=np.ones(count),
        utility=UtilityTable.from_functions(curves),
    )
    state = SharingState.blank(nodes, policy, jobs, Beliefs.sure_of(speeds, policy.threshold))
    return SharedRun(nodes, policy, jobs, speeds, state), Arrivals.of(worth, 1).known, worth


def measured(orders: Integers, run: SharedRun, known: JobTable, now: float) -> Floats:
    """What plans made now have of each aim."""
    count = len(run.jobs.submit)
    values, problem = np.empty((len(orders), 3)), problem_at(now, count, run, known)
    measure_plans(orders, problem, working_memory(problem), values)
    return values


def test_a_plan_comes_true_if_run_times_are_known() -> None:
    tried = 0
    for seed in range(many(60)):
        run, known, worth = started(seed)
        jobs, state, last = run.jobs, run.state, float(run.jobs.submit[-1])
        advance_sharing(*run, ENDLESS, last)
        problem = problem_at(last, len(jobs.submit), run, known)
        queue, present = problem.queue, problem.present
        order = np.random.default_rng(seed).permutation(2 * len(queue))
        planned = measured(order[np.newaxis], run, known, last)[0]

        carry_out(order, queue, jobs)
        advance_sharing(*run, ENDLESS, np.inf)

        waited = (state.end - jobs.submit)[present]
        lasted = (state.end - state.start)[present]
        had = lasted > 0
        value = sum(worth.utility[i](w) for i, w in zip(present.tolist(), waited, strict=True))
        slowdown = (waited[had] / lasted[had]).mean() if had.any() else 0.0
        assert np.allclose(planned, [value, state.end[present].max(), slowdown]), seed
        tried += len(present) > len(queue) > 1
    assert tried >= enough(5)


def test_leave_to_share_comes_before_the_job() -> None:
    plan = as_plan(np.array([3.0, 1.0, 2.0]), np.array([True, False, True]))
    jobs, queue = started(1)[0].jobs, np.arange(3)

    carry_out(plan, queue, jobs)

    assert plan.tolist() == [4, 1, 2, 0, 3, 5]
    assert np.argsort(jobs.turn[:3]).tolist() == [1, 2, 0]
    assert jobs.apart[:3].tolist() == [True, False, True]


def test_the_best_of_all_plans_of_a_few_jobs_is_found() -> None:
    options = GeneticOptions(population=12, generations=20)
    hit = tried = 0
    for seed in range(many(40)):
        run, known, _ = started(seed, most=3)
        count = len(run.jobs.submit)
        if count < 3 or run.jobs.submit.any():
            run.jobs.submit[:] = 0.0
            known = known._replace(submit=run.jobs.submit, arrival=run.jobs.submit)
        every = np.array(list(permutations(range(2 * count))))
        best = measured(every, run, known, 0.0)[:, 1].min()
        first = [run.policy._replace(order=order) for order in range(4)]
        search = PlanSearch(run, known, first, (("makespan",), "makespan"), options, seed)

        search.decide(0.0, count)
        advance_sharing(*run, ENDLESS, np.inf)

        assert run.state.end.max() >= best
        hit += run.state.end.max() == best
        tried += 1
    assert hit >= 0.9 * tried


def test_orders_by_value_are_among_the_first_plans() -> None:
    options = GeneticOptions(population=5, generations=0)
    for seed in range(many(40)):
        run, known, _ = started(seed)
        count, last = len(run.jobs.submit), float(run.jobs.submit[-1])
        advance_sharing(*run, ENDLESS, last)
        problem = problem_at(last, count, run, known)
        by_value = np.array(list(plans_by_value(last, problem, known)))
        best = measured(by_value, run, known, last)[:, 0].max()

        aims = (("utility",), "utility")
        PlanSearch(run, known, [run.policy], aims, options, seed).decide(last, count)

        taken = as_plan(run.jobs.turn[problem.queue], run.jobs.apart[problem.queue])
        assert measured(taken[np.newaxis], run, known, last)[0, 0] >= best


def test_whoever_plans_by_utility_reads_bids() -> None:
    assert make_scheduler("coscheduled:policy=ga").bids_matter
    assert not make_scheduler("coscheduled:policy=ga,aims=makespan,pick=knee").bids_matter
    assert not make_scheduler("coscheduled").bids_matter
    assert "aims" not in make_scheduler("coscheduled").options


def test_decisions_are_the_same_each_time_and_make_way_for_what_comes() -> None:
    workload = open_workload("model:applications,jobs=25,seed=2,gap=300,arrivals=poisson").workload
    text = "coscheduled:policy=ga,completion=1,known=request,population=8,generations=2,window=10"

    once, again = simulate(workload, text), simulate(workload, text)

    assert once.start.tolist() == again.start.tolist()
    assert once.end.tolist() == again.end.tolist()
    assert once.deciding is not None
    assert len(once.deciding) == 25


def test_plans_that_are_worse_in_no_aim_go_before_others() -> None:
    orders, terms = np.arange(8).reshape(4, 2), ("utility", "makespan")
    front = Front(terms, orders, np.array([[9.0, 8.0], [7.0, 6.0], [6.0, 5.0], [2.0, 1.0]]))

    assert no_worse(front, np.array([6.0, 6.0])).orders.tolist() == [[2, 3], [4, 5]]
    assert no_worse(front, np.array([9.0, 1.0])).orders.tolist() == orders.tolist()
