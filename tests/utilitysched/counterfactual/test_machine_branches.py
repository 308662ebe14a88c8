"""Branches of simulations of pools go on as if what is different had always been so."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from swfx import Workload
from tests.machines import drawn_machine, drawn_shares, no_shares, no_windows
from tests.preempting import random_case
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import make_scheduler
from utilitysched.counterfactual.branch import Change, branch
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.tables import Moment
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import SUBMITTED_JOBS, LimitTable, MachineTable, PoolTable
from utilitysched.model.state import Floats, Integers

USAGE = ("fairshare", "multifactor:recalc=5")
ALL_KINDS = ("easy", "conservative", "value:duration=predicted", "ga:generations=2", *USAGE)
FORGETFUL = ("fcfs:placement=none", "easy", "easy:reservations=2")
CASES = many(10, least=5)


def drawn(rng: Random) -> tuple[Arrivals, MachineTable]:
    workload, processors = random_workload(rng)
    arrivals = Arrivals.of(workload, processors)
    machine = drawn_machine(rng, arrivals)
    return arrivals, machine._replace(shares=drawn_shares(rng, arrivals))


def only(arrivals: Arrivals, table: MachineTable, jobs: Integers) -> tuple[Arrivals, MachineTable]:
    """Return some jobs alone, and the machine for them."""
    pools, limits, windows = table.pools, table.limits, table.windows
    table = MachineTable(
        pools._replace(pool=pools.pool[jobs], demand=pools.demand[jobs]),
        limits._replace(counter=limits.counter[jobs]),
        windows._replace(exempt=windows.exempt[jobs]),
        table.shares._replace(
            **{name: getattr(table.shares, name)[jobs] for name in ("entity", "partition", "qos")}
        ),
    )
    columns = arrivals.order[jobs], arrivals.known.of(jobs), arrivals.run[jobs]
    return Arrivals(*columns, arrivals.job_id[jobs]), table


def finished(simulation: MachineSimulation) -> Floats:
    simulation.finish()
    return simulation.end


@pytest.mark.parametrize("text", ALL_KINDS)
def test_a_fork_goes_on_alike_and_leaves_the_stem_as_it_was(text: str) -> None:
    rng = Random(text)
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        whole = MachineSimulation(arrivals, make_scheduler(text), table, seed=2)
        stem = MachineSimulation(arrivals, make_scheduler(text), table, seed=2)
        end = finished(whole)
        stem.advance(rng.choice(end.tolist()))
        finished(branch(stem, Change(last=stem.arrived - 1)))

        assert finished(branch(stem, Change())).tolist() == end.tolist()
        assert finished(stem).tolist() == end.tolist()
        held, expected = stem.outcome().held, whole.outcome().held
        assert np.array_equal(held or (), expected or ())


@pytest.mark.parametrize("text", [*FORGETFUL, *USAGE])
def test_without_a_job_all_is_as_if_it_had_never_been(text: str) -> None:
    rng, changed = Random(text), 0
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        job = rng.randrange(len(arrivals.run))
        stem = MachineSimulation(arrivals, make_scheduler(text), table)
        stem.advance(arrivals.known.submit[job])
        rest = np.delete(np.arange(len(arrivals.run)), job)
        others, machine = only(arrivals, table, rest)
        expected = MachineSimulation(others, make_scheduler(text), machine)
        found = finished(branch(stem, Change(left_out=job)))

        assert found[rest].tolist() == finished(expected).tolist()
        changed += not np.array_equal(found[rest], finished(stem)[rest])
    assert changed > enough(2)


@pytest.mark.parametrize("text", FORGETFUL)
def test_equal_states_have_equal_futures(text: str) -> None:
    rng, met = Random(text), 0
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        job = rng.randrange(len(arrivals.run))
        stem = MachineSimulation(arrivals, make_scheduler(text), table)
        stem.advance(arrivals.known.submit[job])
        with_job, without = branch(stem, Change()), branch(stem, Change(left_out=job))
        end = finished(branch(stem, Change()))
        for now in np.unique(arrivals.known.submit).tolist():
            with_job.advance(now)
            without.advance(now)
            states = [
                (each.queue, each.running, each.memory(), each.progress())
                for each in (with_job, without)
            ]
            if end[job] < now and states[0] == states[1]:
                met += 1
                assert finished(without)[end > now].tolist() == end[end > now].tolist()
                break
    assert met > enough(1)


@pytest.mark.parametrize("text", FORGETFUL)
def test_a_moment_is_gone_on_from(text: str) -> None:
    rng = Random(text)
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        # who has been admitted is not told by who is there
        table = table._replace(limits=_on_what_runs(table.limits))
        stem = MachineSimulation(arrivals, make_scheduler(text), table)
        stem.advance(rng.choice(finished(branch(stem, Change())).tolist()))
        stem.step()
        # a second pass at an instant may start more, if the first one met a limit
        again = branch(stem, Change())
        for pool in again.pools:
            pool.wake_up = stem.now
        end = finished(again)
        begun = MachineSimulation(arrivals, make_scheduler(text), table)
        running = np.array([job for _, job in stem.running], dtype=np.int64)
        times = stem.start[running], stem.end[running]
        queued = np.array(stem.queue, dtype=np.int64)
        moment = Moment(stem.now, stem.arrived, queued, running, *times)
        later = finished(branch(begun, Change(moment=moment)))

        there = ~np.isnan(later)
        assert later[there].tolist() == end[there].tolist()
        assert there[end > stem.now].all()


def test_the_first_to_come_is_admitted_at_a_moment_whatever_its_pool() -> None:
    jobs = Workload.from_columns(submit=[0, 1], run=[10, 10], processors=[1, 1])
    arrivals = Arrivals.of(jobs, 1)
    limits = LimitTable(np.zeros((2, 1), np.int64), np.array([SUBMITTED_JOBS]), np.array([1]))
    pools = PoolTable(np.array([1, 0]), np.ones((2, 1), np.int64), np.ones((2, 1), np.int64))
    table = MachineTable(pools, limits, no_windows(2, 1), no_shares(2))
    nobody, never = np.empty(0, np.int64), np.empty(0)
    moment = Moment(5.0, 2, np.array([0, 1]), nobody, never, never)
    begun = MachineSimulation(arrivals, make_scheduler("easy"), table)

    assert finished(branch(begun, Change(moment=moment))).tolist() == [15.0, 25.0]


@pytest.mark.parametrize("text", FORGETFUL)
def test_other_jobs_come_as_if_they_had_been_expected(text: str) -> None:
    rng, changed = Random(text), 0
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        stem = MachineSimulation(arrivals, make_scheduler(text), table)
        stem.advance(rng.choice(arrivals.known.submit.tolist()))
        run, longer = arrivals.run.copy(), arrivals.known.request[stem.arrived :]
        run[stem.arrived :] = longer
        # and the last one, if it is still to come, never comes
        jobs = np.arange(max(stem.arrived, len(run) - 1))
        other, machine = only(replace(arrivals, run=run), table, jobs)
        expected = MachineSimulation(other, make_scheduler(text), machine)
        found = finished(branch(stem, Change(arrivals=other, machine=machine)))

        assert found.tolist() == finished(expected).tolist()
        changed += not np.array_equal(found, finished(stem)[jobs])
    assert changed > enough(2)


def test_withdrawn_jobs_leave_the_queue_and_their_limits() -> None:
    rng, withdrawn = Random("withdrawn"), 0
    for _ in range(CASES):
        arrivals, table = drawn(rng)
        stem = MachineSimulation(arrivals, make_scheduler("easy"), table)
        stem.advance(rng.choice(arrivals.known.submit.tolist()) + 1)
        gone = np.array(stem.queue[::2], dtype=np.int64)
        end = finished(branch(stem, Change(withdrawn=gone)))

        assert np.isnan(end[gone]).all()
        assert not np.isnan(np.delete(end, gone)).any()
        withdrawn += len(gone)
    assert withdrawn > enough(5)


def test_jobs_that_were_stopped_end_as_much_later_as_they_need() -> None:
    rng, waiting = Random("ends"), 0
    for _ in range(CASES):
        case = random_case(rng)
        arrivals = Arrivals.of(case.workload, case.processors)
        table = drawn_machine(rng, arrivals)
        windows = table.windows
        table = table._replace(windows=windows._replace(requeue=np.ones(len(windows.pool), bool)))
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        stem = MachineSimulation(arrivals, make_scheduler("easy"), table, terms=terms)
        stem.advance(float(np.median(arrivals.known.submit)) + 3)
        jobs = np.arange(stem.arrived)
        ends = stem.ends_of(jobs, 1000.0)
        queued = np.isin(jobs, stem.queue)

        assert (ends[queued] >= 1000.0).all()
        assert ends[~queued].tolist() == stem.end[jobs[~queued]].tolist()
        waiting += queued.sum()
    assert waiting > enough(5)


def _on_what_runs(limits: LimitTable) -> LimitTable:
    counted = limits.measure >= -1
    counter = np.where(counted[limits.counter] & (limits.counter >= 0), limits.counter, -1)
    return limits._replace(counter=-np.sort(-counter, axis=1)) if len(limits.most) else limits
