"""Lies that answer lies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd, scenario_of
from utilitysched import simulate
from utilitysched.market.audit import (
    AuditPlace,
    AuditSubject,
    BestResponse,
    Design,
    ResponseRules,
    respond,
)
from utilitysched.market.audit.summary import TRUTH
from utilitysched.market.audit.table import StrategyTable
from utilitysched.market.audit.trial import AuditSeeds

SCALES = Design(lies=("scale:factor=0.1", "scale:factor=2"), queues="log")


def game(
    jobs: Workload, scheduler: str, mechanism: str, rules: ResponseRules, design: Design
) -> BestResponse:
    (reply,) = respond(jobs, AuditSubject(scheduler, [mechanism], PROCESSORS), design, rules)
    return reply


def utility(jobs: Workload, scheduler: str) -> float:
    schedule = simulate(jobs, scheduler, machine_size=PROCESSORS)
    return float(jobs.utility.evaluate(schedule.turnaround(jobs)).sum())


def test_to_a_blind_scheduler_everybody_says_a_tenth_and_nothing_is_lost() -> None:
    jobs = crowd(11)
    rules = ResponseRules(users=6, shares=(1.0,), rounds=3, budget=1.0)

    reply = game(jobs, "easy", "first-price:reading=end", rules, SCALES)

    total = utility(jobs, "easy")  # of which one of the users has nothing
    assert (reply.liars, reply.lying, reply.rounds, reply.settled) == (6, 5, 2, True)
    assert reply.truth == reply.welfare == pytest.approx(total)
    assert reply.loss == 0
    assert reply.gain == pytest.approx(0.9 * total)
    assert reply.others == 0


def test_nobody_lies_where_nothing_is_to_be_gained() -> None:
    reply = game(crowd(11), "easy", "single-price", ResponseRules(shares=(0.5,)), SCALES)

    assert (reply.liars, reply.lying, reply.rounds, reply.settled) == (3, 0, 1, True)
    assert (reply.gain, reply.others, reply.loss) == (0, 0, 0)


def row(*worth: float) -> Workload:
    """Jobs of all processors for 10 s that come while another runs, each of a user of its own."""
    count = len(worth)
    return Workload.from_columns(
        submit=[0, *[1] * count],
        run=[10] * (count + 1),
        requested_time=[10] * (count + 1),
        processors=[PROCESSORS] * (count + 1),
        user=[0, *range(1, count + 1)],
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 100], [value, 0]) for value in (1, *worth)]
        ),
    )


def test_who_pays_a_rate_says_more_and_the_others_lose() -> None:
    jobs = row(300, 200)
    rules = ResponseRules(users=3, shares=(1.0,), rounds=1, budget=1.0)
    design = Design(lies=("scale",), queues="log")

    reply = game(jobs, "value-density:placement=none", "single-price", rules, design)

    # in turn: 300 is first already; 200 says 400 and gets before it
    assert reply.truth == pytest.approx(0.9 + 300 * 0.81 + 200 * 0.71)
    assert reply.welfare == pytest.approx(0.9 + 200 * 0.81 + 300 * 0.71)
    assert reply.loss == pytest.approx(10 / reply.truth)
    assert (reply.lying, reply.settled) == (1, False)
    assert reply.gain == pytest.approx(-10)

    again = ResponseRules(users=3, shares=(1.0,), rounds=5, budget=1.0)
    settled = game(jobs, "value-density:placement=none", "single-price", again, design)

    assert (settled.lying, settled.rounds, settled.settled) == (2, 3, True)
    assert settled.welfare == reply.truth


def test_who_cannot_afford_it_tells_the_truth() -> None:
    jobs = row(300, 200)
    design = Design(lies=("scale",), queues="log")
    poor = ResponseRules(users=3, shares=(1.0,), rounds=2, budget=1e-6)

    reply = game(jobs, "value-density:placement=none", "single-price", poor, design)

    assert reply.lying == 0


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:method=replay"])
def test_nobody_jumps_the_queue_for_what_others_lose(mechanism: str) -> None:
    rules = ResponseRules(users=4, shares=(1.0,), rounds=2, budget=1.0)

    reply = game(row(300, 250, 200), "value-density:placement=none", mechanism, rules, SCALES)

    assert reply.lying == 0
    assert reply.loss == 0


def test_larger_groups_hold_smaller_ones_and_the_first_jobs_are_where_it_is_crowded() -> None:
    jobs = crowd(12, jobs=60)
    rules = ResponseRules(users=5, shares=(1.0, 0.2), jobs=25, rounds=1)

    few, all_ = respond(
        jobs, AuditSubject("easy", ["first-price:reading=end"], PROCESSORS), SCALES, rules
    )

    assert (few.share, few.liars, all_.share, all_.liars) == (0.2, 1, 1.0, 5)
    assert few.gain <= all_.gain
    assert few.truth == all_.truth < utility(jobs, "easy")


def test_the_same_in_any_number_of_processes() -> None:
    jobs = crowd(13)
    rules = ResponseRules(users=2, shares=(0.5, 1.0), rounds=1)
    subject = AuditSubject("easy", ["single-price", "first-price:reading=end"], PROCESSORS)
    asked = jobs, subject, SCALES, rules

    one, two = (respond(*asked, AuditPlace(many)) for many in (1, 2))

    assert one == two


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"users": 0}, "field users: 0 users"),
        ({"shares": (0.0,)}, "field shares: is not above 0"),
        ({"budget": -1.0}, "field budget: -1.0 is negative"),
    ],
)
def test_impossible_games_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ResponseRules(**wrong)  # type: ignore[arg-type]


SEVERAL = Design(lies=("scale:factor=0.1", "scale:factor=2"), queues="log", draws=3)


@pytest.mark.parametrize("mechanism", ["single-price", "first-price:reading=end"])
def test_a_reply_is_the_best_on_average_over_all_seeds_of_choosing(mechanism: str) -> None:
    scenario = scenario_of(crowd(15), "ga:preset=plain,generations=1,population=2", mechanism)
    table = StrategyTable(scenario, SEVERAL)
    apart = []
    for seed in table.seeds.choosing:
        one = StrategyTable(scenario, SEVERAL)
        one.seeds = AuditSeeds((), (seed,))
        apart.append([one.scored(told).left for told in ({3: 0}, {3: 1}, {})])

    reply = table.best(3, {3: TRUTH}, math.inf)

    left = np.mean(apart, axis=0)[:, table.users.index(3)]
    assert reply == [0, 1, TRUTH][int(np.argmax(left))]
    firsts = {int(np.argmax(np.array(each)[:, table.users.index(3)])) for each in apart}
    assert len(firsts) > 1 or mechanism == "first-price:reading=end"


def test_jobs_whose_user_is_not_known_stand_for_themselves() -> None:
    jobs = row(300, 250, 200)
    nobody = jobs.replace(user=np.array([0, 1, -1, -1]))
    named = jobs.replace(user=np.array([0, 1, 2, 3]))
    policy = "value-density:placement=none"

    tables = [
        StrategyTable(scenario_of(each, policy, "vcg:method=replay"), SCALES)
        for each in (nobody, named)
    ]

    assert tables[0].users == [-4, -3, 0, 1]
    one, other = (table.scored({}).left for table in tables)
    assert one.tolist() == other[[3, 2, 0, 1]].tolist()


def test_seeds_of_scoring_are_not_those_of_choosing() -> None:
    jobs = crowd(14)
    rules = ResponseRules(users=2, shares=(0.5,), rounds=1)

    reply = game(jobs, "ga:preset=plain,generations=1,population=2", "single-price", rules, SCALES)

    assert reply.truth != utility(jobs, "ga:preset=plain,generations=1,population=2")
    assert np.isfinite(reply.welfare)
