"""Prices that clear the machine, and the bounds that they prove."""

from __future__ import annotations

import math
from random import Random

import numpy as np

from swfx import UtilityFunction, UtilityTable, Workload
from tests.reference.clearing import (
    Buyer,
    HeldJob,
    all_schedules,
    best_profit,
    best_spread_profit,
)
from tests.scale import enough, many
from tests.utilitysched.schedulers.offline.cases import workload
from utilitysched.model.arrivals import Arrivals
from utilitysched.schedulers.offline.clearing import (
    ClearingProblem,
    Minimiser,
    clearing_prices,
    float_above,
    preemptive,
)


def problem_of(seed: int, jobs: int = 4, processors: int = 3) -> ClearingProblem:
    return ClearingProblem.of(Arrivals.of(workload(seed, jobs, processors)))


def buyers(problem: ClearingProblem) -> list[Buyer]:
    jobs = problem.jobs
    points = [slice(*jobs.first[j : j + 2].tolist()) for j in range(len(jobs.submit))]
    columns = zip(
        jobs.submit.tolist(), jobs.run.tolist(), jobs.demand[:, 0].tolist(), points, strict=True
    )
    return [
        Buyer(submit, run, size, jobs.age[curve].tolist(), jobs.value[curve].tolist())
        for submit, run, size, curve in columns
    ]


def random_prices(search: Minimiser, rng: Random) -> list[float]:
    most = math.ldexp(1.0, 56) / (sum(search.length.tolist()) or 1) / 4
    return [most * rng.random() if rng.random() < 0.6 else 0.0 for _ in search.length]


def test_every_job_finds_its_best_start_and_its_best_spread_work() -> None:
    rng, priced = Random(5), 0
    for seed in range(many(30)):
        problem = problem_of(seed)
        for kind, twin in ((problem, best_profit), (preemptive(problem), best_spread_profit)):
            search = Minimiser(kind)
            steps = search.steps(np.array([random_prices(search, rng)]))
            by_tick = np.zeros(int(steps.time[-2]), np.int64)
            for i in range(len(search.length)):
                by_tick[steps.time[i] : steps.time[i + 1]] = steps.price[0, i]

            bound = search.bound(steps)
            wanted = [twin(job, by_tick.tolist()) for job in buyers(problem)]

            assert search.profit.tolist() == wanted
            assert bound == problem.machine_size * int(by_tick.sum()) + sum(wanted)
            priced += sum(mine > 0 for mine in wanted)
    assert priced >= enough(50)


def test_times_and_values_are_rounded_so_that_no_job_is_worth_less() -> None:
    curve = UtilityFunction([0, 0.3, 1.03], [3, 3, 0])
    jobs = Workload.from_columns(
        submit=[0.1], run=[0.2], processors=[1], utility=UtilityTable.from_functions([curve])
    )
    problem = ClearingProblem.of(Arrivals.of(jobs, 1))
    [job] = buyers(problem)

    # 1.6 and 3.2 ticks; the curve begins 0.6 ticks late; 0.3 s are 4.8 ticks, 1.03 s are 16.48
    assert (job.submit, job.run, list(job.ages)) == (1, 3, [1, 6, 18])
    unit = problem.unit
    assert 3 <= job.values[0] * unit < 3 + 12 * unit
    assert job.values[2] == 0


def test_no_schedule_is_above_the_bounds() -> None:
    tight = 0
    for seed in range(many(80)):
        jobs = workload(seed, 5, 3)
        arrivals = Arrivals.of(jobs)
        problem = ClearingProblem.of(arrivals)
        held = [
            HeldJob(*row)
            for row in zip(
                jobs.submit.tolist(), jobs.effective_run.tolist(), jobs.size.tolist(), strict=True
            )
        ]
        best = max(
            math.fsum(jobs.utility.evaluate(np.array(start) + jobs.effective_run - jobs.submit))
            for start in all_schedules(held, 3)
        )
        for iterations in (0, 3, 100):
            found = clearing_prices(problem, iterations)
            spread = clearing_prices(preemptive(problem), iterations)

            assert best <= found.bound <= found.trivial
            assert best <= spread.bound <= spread.trivial
        tight += found.bound <= best * 1.01
    assert tight >= enough(10)


def test_a_count_of_units_is_never_rounded_down() -> None:
    assert float_above(2**53 + 1, 0.5) == (2.0**53 + 2) / 2
    assert float_above(2**53 + 2, 0.5) == (2.0**53 + 2) / 2
