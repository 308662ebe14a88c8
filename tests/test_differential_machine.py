"""Machines of pools follow the rules: starts, ends and times held back are the plain twin's."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx.dependencies import dependencies
from tests.checked import linked
from tests.machines import drawn_machine, drawn_shares, no_windows, whole_machine
from tests.plain_machines import played_plainly
from tests.preempting import failing_case, random_case
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import make_scheduler
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.segments import Stop

ALL_KINDS = (
    *(
        "fcfs",
        "conservative",
        "easy:reservations=2",
        "value:duration=predicted",
        "lexp:threshold=3",
    ),
    *("ga:generations=2", "select", "priority-preempt", "ga:generations=2,preempt=true"),
)


def prepared(text: str, arrivals: Arrivals) -> Scheduler:
    scheduler = make_scheduler(text)
    scheduler.prepare(Setting(arrivals.known.machine_size, arrivals.longest_request, 3))
    return scheduler


@pytest.mark.parametrize("text", ["fcfs:placement=none", "easy"])
def test_first_come_first_served_jobs_start_as_in_the_twin(text: str) -> None:
    rng, held = Random(text), np.zeros(2)
    for _ in range(many(60)):
        workload, processors = random_workload(rng)
        arrivals = Arrivals.of(workload, processors)
        machine = drawn_machine(rng, arrivals)
        simulation = MachineSimulation(arrivals, make_scheduler(text), machine)
        simulation.finish()
        outcome = simulation.outcome()
        twin = played_plainly(arrivals, machine, backfills=text == "easy")
        assert outcome.start.tolist() == twin.start
        assert outcome.end.tolist() == twin.end
        assert outcome.passes == twin.passes
        if outcome.held is not None:
            np.testing.assert_allclose(outcome.held.limit, twin.for_limit, atol=1e-9)
            np.testing.assert_allclose(outcome.held.window, twin.for_window, atol=1e-9)
            held += outcome.held.limit.sum(), outcome.held.window.sum()
    assert (held > enough(50)).all()


@pytest.mark.parametrize("text", ["fairshare:placement=none", "fairshare"])
def test_jobs_of_those_who_have_used_least_start_as_in_the_twin(text: str) -> None:
    rng, reordered = Random(text), 0
    for _ in range(many(40)):
        arrivals = Arrivals.of(*random_workload(rng))
        machine = drawn_machine(rng, arrivals)
        jobs, resources = machine.pools.demand.shape
        windows, shares = no_windows(jobs, resources), drawn_shares(rng, arrivals)
        machine = machine._replace(windows=windows, shares=shares)
        outcomes = []
        for name in (text, "easy" if text == "fairshare" else "fcfs"):
            simulation = MachineSimulation(arrivals, make_scheduler(name), machine)
            simulation.finish()
            outcomes.append(simulation.outcome())
        outcome, first_come = outcomes
        twin = played_plainly(arrivals, machine, backfills=text == "fairshare", fair=True)
        assert outcome.start.tolist() == twin.start
        reordered += outcome.start.tolist() != first_come.start.tolist()
    assert reordered > enough(5)


@pytest.mark.parametrize("text", ALL_KINDS)
def test_one_pool_of_processors_is_an_ordinary_machine(text: str) -> None:
    rng = Random(text)
    for _ in range(many(6)):
        case, drawn = failing_case(rng), random_workload(rng)
        following = linked(rng, drawn)
        failures = Failures(case.drawn_outages())
        for workload, processors in (drawn, following, (case.workload, case.processors)):
            arrivals = Arrivals.of(workload, processors)
            links = dependencies(workload) if workload is following.workload else None
            fails = failures if workload is case.workload else None
            terms = None
            if fails is not None or make_scheduler(text).preempts:
                terms = StopTerms.of(workload, arrivals.order, case.rules)
            conditions = {"dependencies": links, "terms": terms, "failures": fails}
            expected = Simulation(arrivals, prepared(text, arrivals), **conditions)
            machine = whole_machine(arrivals)
            simulation = MachineSimulation(
                arrivals, make_scheduler(text), machine, **conditions, seed=3
            )
            expected.finish()
            simulation.finish()
            assert_same(simulation.outcome(), expected.outcome())


def assert_same(outcome: SimulationOutcome, expected: SimulationOutcome) -> None:
    for name in ("start", "end", "backfilled", "release"):
        found, wanted = getattr(outcome, name), getattr(expected, name)
        assert (None if found is None else found.tolist()) == (
            None if wanted is None else wanted.tolist()
        )
    assert outcome.passes == expected.passes
    assert outcome.segments == expected.segments
    assert outcome.outages == expected.outages


@pytest.mark.parametrize("text", ["fcfs:placement=none", "easy", "ga:generations=2"])
def test_windows_that_stop_jobs_leave_nobody_on_what_they_take(text: str) -> None:
    rng, stopped = Random(text), 0
    for _ in range(many(20)):
        case = random_case(rng)
        arrivals = Arrivals.of(case.workload, case.processors)
        machine = drawn_machine(rng, arrivals)
        # nobody knows of a window before it begins
        windows, stops = machine.windows, np.ones(len(machine.windows.pool), np.bool_)
        known = np.maximum(windows.known, windows.begin)
        windows = windows._replace(known=known, requeue=stops)
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        simulation = MachineSimulation(
            arrivals, make_scheduler(text), machine._replace(windows=windows), terms=terms
        )
        simulation.finish()
        pieces = simulation.outcome().segments
        assert pieces is not None
        place = np.argsort(arrivals.order)[pieces.job]
        stopped += np.count_nonzero(pieces.stop == Stop.REQUEUED)
        for number, pool in enumerate(windows.pool.tolist()):
            left = machine.pools.capacity[pool] - windows.taken[number]
            here = (machine.pools.pool[place] == pool) & ~windows.exempt[place, number]
            first = known[number]
            for now in [first, *pieces.start[(pieces.start > first)]]:
                if now < windows.end[number]:
                    runs = here & (pieces.start <= now) & (now < pieces.end)
                    assert (machine.pools.demand[place[runs]].sum(axis=0) <= left).all()
    assert stopped >= enough(3)
