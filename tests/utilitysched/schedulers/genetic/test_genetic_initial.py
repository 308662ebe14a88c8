"""The first generation of queue orders."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from swfx import InputError
from tests.planning import Case, random_case
from tests.reference.genetic import dead_last
from tests.reference.jobs import Job
from tests.reference.values import utility
from tests.scale import enough, many
from utilitysched import make_scheduler
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Integers
from utilitysched.schedulers.genetic.genome_map import Memory
from utilitysched.schedulers.genetic.initial import (
    completed,
    first_generation,
    guessed,
    ordered_by,
)
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler
from utilitysched.schedulers.genetic.toolbox import FirstGeneration
from utilitysched.schedulers.history import History
from utilitysched.schedulers.list_options import order_from
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.orders import Order

ZERO = ForecastRule("zero")

JOBS = [
    Job(0, 0.0, 0.0, 10.0, 4, priority=3, points=((0.0, 50.0), (100.0, 50.0))),
    Job(1, 1.0, 0.0, 10.0, 1, priority=0, points=((0.0, 40.0), (100.0, 40.0))),
    Job(2, 2.0, 0.0, 90.0, 1, priority=0, points=((0.0, 60.0), (100.0, 60.0))),
    Job(3, 3.0, 0.0, 10.0, 2, priority=5),
]


def first(
    case: Case, population: int, spread: float = math.inf, warm: list[int] | None = None
) -> FirstGeneration:
    """Return a first generation of the order given, if any, and LEE's guesses."""
    state = case.state
    given = []
    if warm is not None:
        given.append(("warm", completed(np.array(warm, dtype=np.int64), len(state.queued))))
    given += guessed(state, History(ZERO).forecast(state), state.queued)
    stream = np.array([99], dtype=np.uint64)
    options = GeneticOptions(population=population, spread=spread)
    found = first_generation(state.known, state.queued, given, options, stream)
    assert stream[0] == 99
    return found


def generation(case: Case, population: int, warm: list[int] | None = None) -> Integers:
    return first(case, population, warm=warm).orders


def test_informed_guesses_come_first() -> None:
    found = first(Case(10.0, 8, JOBS, []), 6)

    assert found.names == (
        "arrival",
        "priority class",
        "value per processor-second",
        "value",
        "random",
    )
    assert found.origin.tolist() == [0, 1, 2, 3, 4, 4]
    assert found.orders[:4].tolist() == [
        [0, 1, 2, 3],  # arrival
        [1, 2, 0, 3],  # priority class, then arrival
        [1, 0, 2, 3],  # 4, 1.25, 0.67 and 0 SU per processor-second
        [2, 0, 1, 3],  # 60, 50, 40 and 0 SU
    ]


def test_the_last_plan_comes_before_them_and_newcomers_at_its_end() -> None:
    orders = generation(Case(10.0, 8, JOBS, []), 6, warm=[3, 1])

    assert orders[0].tolist() == [3, 1, 0, 2]
    assert orders[1].tolist() == [0, 1, 2, 3]


def test_a_small_population_takes_the_first_of_them() -> None:
    assert generation(Case(10.0, 8, JOBS, []), 2).tolist() == [[0, 1, 2, 3], [1, 2, 0, 3]]


def test_an_order_is_completed_by_what_it_lacks() -> None:
    assert completed(np.array([4, 1]), 5).tolist() == [4, 1, 0, 2, 3]


def test_all_are_permutations() -> None:
    rng = Random(5)
    for _ in range(many(50)):
        case = random_case(rng)
        jobs = len(case.jobs)

        assert (np.sort(generation(case, 9)) == np.arange(jobs)).all()


def test_random_orders_differ() -> None:
    case = Case(10.0, 8, [Job(i, float(i), 0.0, 10.0 + i, 1) for i in range(9)], [])

    orders = generation(case, 24)[4:]

    assert len(np.unique(orders, axis=0)) == 20
    # no job has a place of its own: over 20 orders each is in the first half now and then
    assert all((orders[:, :5] == job).any() for job in range(9))


NINE = Case(10.0, 8, [Job(i, float(i), 0.0, 10.0 + i, 1) for i in range(9)], [])


def test_the_others_are_copies_of_those_given_in_turn() -> None:
    found = first(NINE, 24, spread=0.67)

    assert found.names == ("arrival", "priority class", "value per processor-second", "value")
    assert found.origin.tolist() == list(range(4)) * 6
    changed = (found.orders[4:] != found.orders[found.origin[4:]]).any(axis=1)
    assert 10 < changed.sum() < 20
    assert first(NINE, 24, spread=0.0).orders.tolist() == found.orders[found.origin].tolist()


def test_where_nothing_is_given_there_are_lees_guesses() -> None:
    scheduler = make_scheduler("ga:seeds=none,warm=false,population=6")
    assert isinstance(scheduler, GeneticScheduler)

    scheduler.decide(NINE.state)

    assert scheduler.latest is not None
    names = scheduler.latest.first.names
    assert names == ("arrival", "priority class", "value per processor-second", "value")


def test_without_one_job_the_others_keep_their_random_order() -> None:
    rng = Random(6)
    for _ in range(many(50)):
        case = random_case(rng)
        absent = rng.randrange(len(case.jobs))
        others = [job for job in case.jobs if job.number != absent]
        if not others:
            continue
        renumbered = [job._replace(number=i) for i, job in enumerate(others)]
        number = {job.number: i for i, job in enumerate(others)}

        whole = generation(case, 12)[4:]
        without = generation(Case(case.now, case.processors, renumbered, []), 12)[4:]

        kept = [[number[job] for job in row if job != absent] for row in whole.tolist()]
        assert without.tolist() == kept


RULES = tuple(map(order_from, GeneticOptions().seeds))


def test_rules_put_jobs_that_are_worth_nothing_any_more_last() -> None:
    rng = Random(7)
    dead = 0
    for _ in range(many(50)):
        case = random_case(rng)
        state, forecast = case.state, History(ZERO).forecast(case.state)
        known = state.known

        orders = ordered_by(RULES, state, forecast, state.queued)

        values = [utility(job.points, case.now - job.submit) for job in case.jobs]
        for order, rule in zip(orders, RULES, strict=True):
            score = np.empty(len(case.jobs))
            numbers = np.array(rule.parameters)
            moment = SchedulingPass(case.now, state.free, np.empty(0, np.int64))
            rule.ordering.score(moment, state.queued, known, forecast, numbers, score)
            assert order.tolist() == dead_last(score.tolist(), values)
        dead += min(values) <= 0
    assert dead > enough(10)


def test_rules_that_look_at_the_queue_see_the_whole_of_it() -> None:
    rng = Random(8)
    index = orderings()["index"]
    weights = dict.fromkeys(index.parameters, 0.0) | {"value": 1.0, "value_06_load": -1.0}
    by_load = (Order(index, tuple(weights.values())),)
    differ = 0
    for _ in range(many(50)):
        case = random_case(rng)
        state, forecast = case.state, History(ZERO).forecast(case.state)
        few = np.sort(rng.sample(range(len(case.jobs)), (len(case.jobs) + 1) // 2))

        whole = ordered_by(by_load, state, forecast, state.queued)
        part = ordered_by(by_load, state, forecast, few)
        alone = ordered_by(by_load, replace(state, queued=few), forecast, few)

        for order, ranked in zip(part, whole, strict=True):
            assert few[order].tolist() == ranked[np.isin(ranked, few)].tolist()
        differ += part[0].tolist() != alone[0].tolist()
    assert differ > enough(2)


def test_seeds_are_orders_that_a_search_begins_with() -> None:
    text = "ga:warm=false,seeds=[lpf,mixed:wait=0,size=-1]"
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, GeneticScheduler)
    assert make_scheduler(scheduler.label).options == scheduler.options
    state = Case(10.0, 8, JOBS, []).state

    given = scheduler._given(state, History(ZERO).forecast(state), state.queued, Memory())

    # the longest first, then the narrowest; who is worth nothing goes last
    assert [order.tolist() for _, order in given] == [[2, 0, 1, 3], [1, 2, 0, 3]]
    assert [name for name, _ in given] == ["lpf", "mixed:wait=0,size=-1"]
    with pytest.raises(InputError, match="spf takes no options; write spf alone"):
        make_scheduler("ga:seeds=spf:placement=none")
