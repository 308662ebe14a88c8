"""Holes and priced restarts are those of their readable twin, in both event loops."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from tests.checked import after_of, check_case, linked
from tests.preempting import Case, checkpoints_of, failing_case, random_case
from tests.queues import Machine
from tests.reference.lists import ListTwin
from tests.reference.orderings import ORDERINGS
from tests.reference.protocol import After
from tests.reference.restarts import Kill, RestartTwin, Terms
from tests.scale import many
from tests.test_differential import VALUE_AWARE, drawn
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.model.segments import Stop
from utilitysched.schedulers.restarts import RestartingScheduler

CASES = many(40)


class Restarted(NamedTuple):
    """A case, a scheduler by its text, its twin, and who waits for whom."""

    case: Case
    text: str
    twin: RestartTwin
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
    return Restarted(case, text, twin, after)


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


class Judged(NamedTuple):
    """A case, its schedule by the compiled loop, and idle time (processor-seconds)."""

    made: Restarted
    schedule: Schedule
    idle: float


def judged(seed: int, monkeypatch: pytest.MonkeyPatch, *, compiled: bool = True) -> Judged:
    """Return a case and its schedule, every start, stop and price of which is the twin's."""
    made = restarted(seed)
    schedule = played(made, monkeypatch, compiled=compiled)
    idle = check_case(made.case, schedule, made.twin.choose, made.after)
    kills, twins = sorted(kills_of(made.case, schedule)), sorted(made.twin.killed)
    assert [kill[:2] for kill in kills] == [kill[:2] for kill in twins]
    # sums of the past are rounded otherwise
    costs = [kill.cost for kill in twins]
    assert [kill.cost for kill in kills] == pytest.approx(costs, rel=1e-9, abs=1e-12)
    return Judged(made, schedule, idle)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("seed", range(CASES))
def test_every_start_and_stop_is_that_of_the_twin(
    seed: int, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(seed, monkeypatch, compiled=compiled)


@pytest.mark.skipif(CASES < 40, reason="too few cases to hold them all")
def test_the_cases_hold_all_that_can_come(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [judged(seed, monkeypatch) for seed in range(CASES)]
    stops = [set(each.schedule.segments.stop.tolist()) for each in cases]  # type: ignore[union-attr]
    killed = [each.made.twin.killed for each in cases]
    priced = [any(kill.cost > 0 for kill in kills) for kills in killed]
    assert sum(any(kill.cost == 0 for kill in kills) for kills in killed) > CASES / 10
    assert sum(priced) > CASES / 10
    assert sum({int(Stop.PREEMPTED), int(Stop.FAILED)} <= found for found in stops) > CASES / 20
    assert any(priced[at] and each.made.after for at, each in enumerate(cases))
