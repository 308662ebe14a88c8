"""Holes and priced restarts equal their readable twin, in both event loops."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from tests.preempting import Case, checkpoints_of, failing_case, random_case, rules_of
from tests.queues import Machine, jobs_of
from tests.reference.lists import ListTwin
from tests.reference.orderings import ORDERINGS
from tests.reference.preemptive import After, Checkpoints, Ended
from tests.reference.preemptive import simulate as readable
from tests.reference.restarts import Kill, RestartTwin, Terms
from tests.scale import many
from tests.test_differential import VALUE_AWARE, drawn
from tests.test_differential_dependent import after_of, linked
from tests.test_differential_preemptive import assert_equal
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.model.segments import Stop
from utilitysched.schedulers.restarts import RestartingScheduler

CASES = many(40)


class Restarted(NamedTuple):
    """A case, a scheduler by its text, its twin, and who waits for whom."""

    case: Case
    text: str
    twin: RestartTwin
    saves: list[Checkpoints]
    after: dict[int, After]


def restarted(seed: int) -> Restarted:
    """Draw a case with checkpoints, and perhaps failures and dependencies."""
    rng = Random(f"restarts {seed}")
    case = failing_case(rng, most=60) if rng.random() < 0.4 else random_case(rng, most=70)
    depends = rng.random() < 0.4
    if depends:
        case = case._replace(workload=linked(rng, Machine(*case[:2])).workload)
    names = rng.choice([VALUE_AWARE, tuple(ORDERINGS)])
    placement = rng.choice(["easy", "easy", "none", "reservations", "limits", "replan"])
    twins = drawn(rng, rng.choice(names), placement, reserves=False)
    holes, restarts = rng.choice([(True, True), (True, True), (True, False), (False, True)])
    given = {
        "kills": rng.choice([0, 1, 3, 3]),
        "theta": rng.choice([0.0, 0.01, 0.4]),
        "hole_alpha": rng.choice([0.5, 0.25]),
        "hole_tau": rng.choice([4.0, 43200.0]),
        "horizon": rng.choice([2.0, 0.5]),
        "protection": rng.choice([0.0, 2.5, 300.0]),
        "kill_age": rng.choice([3.0, 43200.0]),
        "kill_area": rng.choice([0.00390625, 500.0]),
    }
    options = {"holes": str(holes).lower(), "restarts": str(restarts).lower(), **given}
    text = ",".join([twins.text, *(f"{name}={value}" for name, value in options.items())])
    orders = {twins.readable.ordering, twins.readable.backfill}
    valued = bool(orders & set(VALUE_AWARE))
    *terms, area = given.values()
    saves = checkpoints_of(case)
    inner = ListTwin(case.processors, twins.readable)
    twin = RestartTwin(inner, Terms(holes, restarts, valued, *terms, area * 3600.0), saves)
    after = after_of(case.workload) if depends else {}
    return Restarted(case, text, twin, saves, after)


def kills_of(case: Case, schedule: Schedule) -> list[Kill]:
    """Return who was killed for whom at what cost, by numbers in arrival order."""
    found = schedule.segments
    assert found is not None
    if found.value_lost is None:
        assert not (found.stop == Stop.PREEMPTED).any()
        return []
    place = np.argsort(case.order)
    killed = found.stop == Stop.PREEMPTED
    columns = place[found.job[killed]], place[found.cause[killed]], found.value_lost[killed]
    assert not found.value_lost[~killed].any()
    return [Kill(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def played(made: Restarted, monkeypatch: pytest.MonkeyPatch, *, compiled: bool) -> Schedule:
    """Return the schedule by one of the event loops."""
    case = made.case
    if not compiled:
        monkeypatch.setattr(RestartingScheduler, "compiled_base", None)
    schedule = simulate(
        case.workload,
        make_scheduler(made.text),
        machine_size=case.processors,
        dependencies=bool(made.after),
        preemption=case.rules,
        failures=case.drawn_outages() if case.outages else None,
    )
    monkeypatch.undo()
    return schedule


@cache
def twin_of(seed: int) -> tuple[Restarted, Ended]:
    """Return a case and what becomes of it, by the twin."""
    made = restarted(seed)
    case = made.case
    jobs, rules = jobs_of(case.workload), rules_of(case)
    choose, outages = made.twin.choose, case.outages
    ended = readable(jobs, made.saves, case.processors, choose, rules, outages, after=made.after)
    return made, ended


@pytest.mark.parametrize("seed", range(CASES))
def test_every_start_and_stop_equals_the_twin(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, twin = twin_of(seed)

    for compiled in (True, False):
        schedule = played(made, monkeypatch, compiled=compiled)
        assert_equal(made.case, schedule, twin)
        kills, twins = sorted(kills_of(made.case, schedule)), sorted(made.twin.killed)
        assert [kill[:2] for kill in kills] == [kill[:2] for kill in twins]
        # sums of the past are rounded otherwise
        costs = [kill.cost for kill in twins]
        assert [kill.cost for kill in kills] == pytest.approx(costs, rel=1e-9, abs=1e-12)


@pytest.mark.skipif(CASES < 40, reason="too few cases to hold them all")
def test_the_cases_hold_all_that_can_come() -> None:
    cases = [twin_of(seed) for seed in range(CASES)]
    stops = [{attempt.stop for attempt in twin.attempts} for _, twin in cases]
    killed = [made.twin.killed for made, _ in cases]
    priced = [any(kill.cost > 0 for kill in kills) for kills in killed]
    assert sum(any(kill.cost == 0 for kill in kills) for kills in killed) > CASES / 10
    assert sum(priced) > CASES / 10
    assert sum({int(Stop.PREEMPTED), int(Stop.FAILED)} <= found for found in stops) > CASES / 20
    assert any(priced[at] and made.after for at, (made, _) in enumerate(cases))
