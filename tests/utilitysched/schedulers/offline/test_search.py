"""The best schedule found by one who knows all jobs."""

from __future__ import annotations

import math
from itertools import accumulate
from random import Random

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.header import Header
from tests.reference.clearing import HeldJob, all_schedules, serial_starts
from tests.reference.hindsight import KnownJob, Search
from tests.reference.stream import Stream
from tests.scale import many
from tests.utilitysched.schedulers.offline.cases import workload
from utilitysched import metrics, simulate
from utilitysched.engine.recorded import occupation
from utilitysched.kernels.curves import realised_values
from utilitysched.kernels.hindsight import PlacedJobs, improve, place_serially, reorder
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.offline import search
from utilitysched.schedulers.offline.clearing import unwatched
from utilitysched.schedulers.registry import make_scheduler


def held_jobs(jobs: Workload) -> list[HeldJob]:
    columns = (jobs.submit, jobs.effective_run, jobs.size)
    return [HeldJob(*row) for row in zip(*(each.tolist() for each in columns), strict=True)]


def test_serial_generation_is_that_of_its_twin() -> None:
    for seed in range(many(60)):
        jobs = workload(seed, 8, 4)
        # what runs for no time holds nothing, wherever it is
        jobs = jobs.replace(run=np.maximum(jobs.run, 0.25))
        arrivals = Arrivals.of(jobs)
        jobs = jobs[arrivals.order]
        order = np.random.default_rng(seed).permutation(8)
        placed = empty_machine(8, 4, jobs.submit[0])

        place_serially(order, arrivals.known, arrivals.run, jobs.submit.copy(), placed, math.inf)

        assert placed.start.tolist() == serial_starts(held_jobs(jobs), order.tolist(), 4)
        assert placed.value.tolist() == pytest.approx(
            jobs.utility.evaluate(placed.start + jobs.effective_run - jobs.submit).tolist()
        )


def known_jobs(seed: int) -> list[KnownJob]:
    """Jobs whose values are exact in floats, so that ties are ties however they are summed."""
    draw = Random(seed)
    found = []
    for _ in range(draw.randint(3, 30)):
        times = [0.0, *accumulate(draw.choice([0.5, 2.0, 4.0, 16.0]) for _ in range(3))]
        values = sorted((float(draw.randint(0, 32)) for _ in times), reverse=True)
        points = tuple(zip(times, values, strict=True))
        found.append(
            KnownJob(draw.randint(0, 30) / 4, draw.randint(1, 30) / 4, draw.randint(1, 4), points)
        )
    return sorted(found, key=lambda job: job.submit)


def test_moves_are_those_of_their_twin() -> None:
    kept = np.zeros(2, np.int64)
    for seed in range(many(20)):
        drawn = known_jobs(seed)
        submit, run, size, points = (list(column) for column in zip(*drawn, strict=True))
        curves = [UtilityFunction(*zip(*each, strict=True)) for each in points]
        jobs = Workload.from_columns(
            submit=submit,
            run=run,
            processors=size,
            header=Header().with_value("MaxProcs", 4),
            utility=UtilityTable.from_functions(curves),
        )
        arrivals = Arrivals.of(jobs)
        known, release = arrivals.known, jobs.submit.copy()
        best, placed = np.empty(len(jobs)), empty_machine(len(jobs), 4, submit[0])
        every = np.arange(len(jobs))
        realised_values(every, release + arrivals.run, known, best)
        place_serially(every, known, arrivals.run, release, placed, -math.inf)
        twin = Search(drawn, 4, placed.start.tolist(), Stream(seed))

        draws = np.array([seed], np.uint64)
        improve(moves := 520, draws, known, arrivals.run, release, best, placed)
        twin.improve(moves)

        assert placed.start.tolist() == twin.start
        assert placed.value.tolist() == [twin.value(job, twin.start[job]) for job in every]
        assert draws[0] == twin.stream.state
        assert np.diff(placed.free[: placed.steps[0]]).all()
        kept += twin.kept
    assert kept.min() > 0.1 * kept.sum()


def empty_machine(jobs: int, processors: int, now: float = 0.0) -> PlacedJobs:
    room = 2 * jobs + 8
    placed = PlacedJobs(
        np.empty(room),
        np.empty(room, np.int64),
        np.ones(1, np.int64),
        np.full(jobs, np.inf),
        np.zeros(jobs),
    )
    placed.time[0], placed.free[0] = now, processors
    return placed


def test_trials_of_orders_lose_nothing_and_leave_what_their_order_gives() -> None:
    better = 0
    for seed in range(cases := many(20)):
        arrivals = Arrivals.of(workload(seed, 30, 4))
        known, run, release = arrivals.known, arrivals.run, arrivals.known.submit.copy()
        order, best = np.random.default_rng(seed).permutation(30), np.empty(30)
        realised_values(np.arange(30), release + run, known, best)
        placed = empty_machine(30, 4)
        place_serially(order, known, run, release, placed, -math.inf)
        before = math.fsum(placed.value)

        draws = np.array([seed], np.uint64)
        reorder(150, draws, order, known, run, release, best, empty_machine(30, 4), placed)
        again = empty_machine(30, 4)
        place_serially(order, known, run, release, again, -math.inf)

        assert sorted(order.tolist()) == list(range(30))
        assert placed.start.tolist() == again.start.tolist()
        assert placed.value.tolist() == again.value.tolist()
        count = again.steps[0]
        assert placed.steps[0] == count
        assert placed.time[:count].tolist() == again.time[:count].tolist()
        assert placed.free[:count].tolist() == again.free[:count].tolist()
        assert math.fsum(placed.value) >= before * (1 - 1e-12)
        better += math.fsum(placed.value) > before
    assert better >= 0.8 * cases


@pytest.mark.parametrize("block", [7, 1000])
def test_nothing_is_worth_more_of_what_the_search_begins_from(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "BLOCK", block)
    better = 0
    for seed in range(many(12)):
        jobs = workload(seed, 30, 4)
        if seed % 2:
            jobs = jobs.replace(submit=np.zeros(30))
        arrivals = Arrivals.of(jobs)
        start = np.empty(30)
        start[arrivals.order] = search.OfflineSearch(arrivals, 16, seed).found(unwatched)
        own = jobs.utility.evaluate(start + jobs.effective_run - jobs.submit)
        exact = jobs.replace(requested_time=jobs.effective_run)
        evolved = metrics.aggregate_utility(jobs, simulate(exact, "ga", seed=seed))

        found = metrics.aggregate_utility(jobs, simulate(jobs, "offline", seed=seed))

        floor = max(math.fsum(own), evolved)
        assert found >= floor * (1 - 1e-12)
        better += found > floor * (1 + 1e-9)
    assert better > 0  # the first search of so few jobs leaves little to find


def test_a_schedule_that_is_known_is_returned_unless_a_better_one_is_found() -> None:
    jobs = workload(5, 40, 4)
    arrivals, known = Arrivals.of(jobs), simulate(jobs, "offline:moves=50")

    start = np.empty(40)
    start[arrivals.order] = search.best_found(
        arrivals, 0, 1, known.start[arrivals.order], unwatched
    )

    found = math.fsum(jobs.utility.evaluate(start + jobs.effective_run - jobs.submit))
    alone = metrics.aggregate_utility(jobs, simulate(jobs, "offline:moves=0"))
    assert found >= metrics.aggregate_utility(jobs, known) * (1 - 1e-12) > alone


def test_the_share_that_is_done_grows_to_all() -> None:
    told: list[float] = []

    simulate(workload(4, 60, 4), "offline", on_progress=told.append)

    assert told == sorted(told)
    assert len(told) > search.ROUNDS
    assert told[-1] == pytest.approx(1.0)


def test_a_single_job_starts_when_it_is_submitted() -> None:
    jobs = workload(1, 1, 3)

    assert simulate(jobs, "offline").start.tolist() == jobs.submit.tolist()


def test_a_search_that_nobody_told_anything_finds_a_schedule_of_its_own() -> None:
    jobs = workload(4, 20, 4)
    alone = make_scheduler("offline")
    alone.prepare(Setting(4, 0.0, 0))
    asked = alone.played_first(jobs)

    times = alone.recorded(jobs)

    assert asked is not None
    assert asked[0].request.tolist() == jobs.effective_run.tolist()
    assert asked[1].label == "ga"
    assert times is not None
    assert (times.start >= jobs.submit).all()


def test_a_few_jobs_are_scheduled_as_well_as_can_be() -> None:
    best_found = 0
    for seed in range(cases := many(40)):
        jobs = workload(seed, 5, 3)
        best = max(
            math.fsum(jobs.utility.evaluate(np.array(start) + jobs.effective_run - jobs.submit))
            for start in all_schedules(held_jobs(jobs), 3)
        )

        found = metrics.aggregate_utility(jobs, simulate(jobs, "offline:moves=50"))

        assert found <= best * (1 + 1e-12)
        best_found += found >= best * (1 - 1e-12)
    assert best_found >= 0.9 * cases


@pytest.mark.parametrize("block", [7, 1000])
def test_a_schedule_fits_on_the_machine_and_is_the_same_again(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "BLOCK", block)
    better = 0
    for seed in range(cases := many(20)):
        jobs = workload(seed, 40, 4)

        schedule = simulate(jobs, "offline", seed=seed)

        full = occupation(schedule.start, schedule.end, jobs.size, 4)
        assert full.most <= 4
        assert (schedule.start >= jobs.submit).all()
        assert (schedule.end == schedule.start + jobs.effective_run).all()
        assert simulate(jobs, "offline", seed=seed) == schedule
        easy = metrics.aggregate_utility(jobs, simulate(jobs, "easy"))
        better += metrics.aggregate_utility(jobs, schedule) >= easy
    assert better >= 0.9 * cases


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(InputError, match="-1 is below 0"):
        make_scheduler("offline:moves=-1")
    with pytest.raises(InputError, match="field move: is not a known key"):
        make_scheduler("offline:move=1")
    with pytest.raises(InputError, match="takes what happened as it is: no preemption"):
        simulate(workload(1, 5, 3), "offline", preemption="default")


def test_no_jobs_are_no_schedule() -> None:
    assert len(simulate(workload(1, 5, 3)[:0], "offline")) == 0
