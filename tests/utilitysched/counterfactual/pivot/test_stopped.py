"""Pivot charges of schedules in which jobs are stopped and start again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

import pricing
from checkpoint.failures import Outages
from pricing import Pivots
from swfx import UtilityFunction, UtilityTable, Workload
from tests.checked import linked as linked_to
from tests.preempting import Case, failing_case, random_case
from tests.queues import Machine, random_workload
from tests.scale import enough, many
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.model.segments import Stop

SMALL = "generations=3,population=6"
SCHEDULERS = (
    f"ga:preempt=true,{SMALL},lost=0",
    f"ga:preempt=true,{SMALL},damping=boost+airline",
    f"ga:{SMALL}",
    "easy",
)


class Run(NamedTuple):
    case: Case
    schedule: Schedule
    asked: Counterfactuals


def runs(seed: int, count: int) -> Iterator[Run]:
    """Yield schedules in which some jobs were preempted or failed, or could have been."""
    rng = Random(seed)
    for k in range(count):
        case = (failing_case if k % 3 == 2 else random_case)(rng)
        if not case.workload.has_utilities:
            continue
        failures = case.drawn_outages() if case.outages else None
        schedule = simulate(
            case.workload,
            SCHEDULERS[k % len(SCHEDULERS)],
            machine_size=case.processors,
            seed=k,
            preemption=case.rules,
            failures=failures,
        )
        yield Run(case, schedule, Counterfactuals.of(case.workload, schedule, failures=failures))


def billed(run: Run, folder: Path, mechanism: str) -> pricing.Charges:
    """Return a bill, and write it."""
    schedule = run.schedule
    bill = pricing.charge(
        run.case.workload,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=run.asked,
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )
    pricing.write_statements(folder, bill, by=["user"])
    return bill


def computed_again(run: Run, folder: Path) -> pricing.Recomputed:
    """Return the bill that follows from the files."""
    schedule = run.schedule
    return pricing.recompute(
        folder,
        run.case.workload,
        schedule.start,
        schedule.end,
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )


def falling(most: float, over: float) -> UtilityFunction:
    """Return a curve that falls to 0 SU in so many seconds."""
    return UtilityFunction([0, over], [most, 0])


def test_a_start_that_failed_is_charged_for_as_long_as_it_lasted() -> None:
    """The first job fails after 5 s, is repaired 1 s later, and runs for 20 s from scratch.

    The second waits for both starts: on one processor each second costs it 1 SU.
    """
    jobs = Workload.from_columns(
        submit=[0, 0],
        run=[20, 10],
        processors=[1, 1],
        utility=UtilityTable.from_functions([falling(100, 100)] * 2),
    )
    outages = Outages.union([(5, 6, 0, 1, 0)], ("node",))
    schedule = simulate(jobs, "easy", machine_size=1, failures=outages)

    found = Counterfactuals.of(jobs, schedule, failures=outages).pivots()

    assert found.charge.tolist() == [5.0 + 20.0, 0.0]
    assert found.starts is not None
    assert found.starts.job.tolist() == [0, 0, 1]
    assert found.starts.at.tolist() == [0.0, 6.0, 26.0]
    assert found.starts.held.tolist()[0] == 5.0
    assert np.isnan(found.starts.held[1:]).all()
    assert found.starts.without_job.tolist()[:2] == [90.0, 84.0]
    assert found.starts.with_job.tolist()[:2] == [85.0, 64.0]
    assert found.losses.loss.tolist() == found.losses.delay.tolist() == [5.0, 20.0]
    assert found.losses.time.tolist() == [0.0, 6.0]


def test_who_preempts_pays_what_the_preempted_loses() -> None:
    """A job worth half an SU less each second makes room for 10 s, though nobody else is queued."""
    jobs = Workload.from_columns(
        submit=[0, 10],
        run=[100, 10],
        processors=[1, 1],
        checkpoint_interval=np.array([1.0, -1.0]),
        restart_overhead=np.array([0.0, -1.0]),
        utility=UtilityTable.from_functions([falling(100, 200), falling(1000, 20)]),
    )
    schedule = simulate(jobs, "ga:preempt=true,lost=0", machine_size=1)

    found = Counterfactuals.of(jobs, schedule).pivots()

    assert schedule.start.tolist() == [0.0, 10.0]
    assert found.charge.tolist() == [0.0, 5.0]
    assert found.others.tolist() == [0, 1]
    assert (found.with_job[1], found.without_job[1]) == (90.0, 95.0)
    assert [column.tolist() for column in found.losses[:4]] == [[1], [0], [5.0], [10.0]]
    assert found.starts is not None
    assert found.starts.at.tolist() == [0.0, 20.0, 10.0]
    assert found.starts.held[0] == 10.0
    assert found.why.tolist() == ["no other job was queued", "what others lose by its start"]


@pytest.mark.parametrize("options", ["", ",threshold=20", ",duration=expected"])
def test_without_checkpoints_charges_are_those_of_the_plain_search(options: str) -> None:
    rng = Random(41)
    charged = 0.0
    for seed in range(many(15)):
        jobs, processors = random_workload(rng)
        found = [
            Counterfactuals.of(jobs, schedule).pivots("actual", searches=2, reservations=True)
            for schedule in (
                simulate(jobs, f"ga:{SMALL}{more}{options}", machine_size=processors, seed=seed)
                for more in ("", ",preempt=true")
            )
        ]
        plain, preempting = map(columns, found)
        assert plain == preempting
        charged += found[0].charge.sum()
    assert charged > 0


def columns(found: Pivots) -> list[bytes]:
    """Return what was recorded to the last bit."""
    assert found.starts is None
    recorded = (found.others, found.with_job, found.without_job, found.charge, found.error)
    return [column.tobytes() for column in (*recorded, *found.losses, found.reserved)]


@pytest.mark.parametrize("duration", ["requested", "actual", "expected"])
def test_charges_are_what_is_lost_at_all_starts(duration: str) -> None:
    several = charged = 0
    for case, _, asked in runs(42, many(60)):
        found = asked.pivots(duration, reservations=True)  # type: ignore[arg-type]

        assert (found.charge >= 0).all()
        jobs = len(case.workload)
        for job in range(jobs):
            own = found.losses.cause == job
            assert found.charge[job] == max(0.0, math.fsum(found.losses.loss[own]))
            assert job not in found.losses.victim[own]
        more = np.nan_to_num(found.without_job - found.with_job) + found.reserved
        assert found.losses.by_cause(jobs) == pytest.approx(more, abs=1e-9)
        starts = found.starts
        if starts is not None:
            several += 1
            compared = ~np.isnan(starts.with_job)
            assert (starts.without_job[compared] >= starts.with_job[compared]).all()
            assert starts.by_job(jobs)[0].tolist() == found.others.tolist()
        charged += int((found.charge > 0).sum())
    assert several > enough(5)
    assert charged > enough(20)


def test_every_start_is_compared_and_says_until_when_it_was_stopped() -> None:
    seen = 0
    for _, schedule, asked in runs(43, many(30, least=15)):
        starts, segments = asked.pivots().starts, schedule.segments
        assert segments is not None
        if starts is None:
            assert len(np.unique(segments.job)) == len(segments)
            continue
        by_job = np.argsort(segments.job, kind="stable")
        stopped = segments.stop[by_job] != Stop.COMPLETED
        assert starts.job.tolist() == segments.job[by_job].tolist()
        assert starts.at.tolist() == segments.start[by_job].tolist()
        assert (~np.isnan(starts.held)).tolist() == stopped.tolist()
        assert starts.held[stopped].tolist() == segments.elapsed[by_job][stopped].tolist()
        seen += int(stopped.sum())
    assert seen > enough(20)


def test_bills_follow_from_what_they_have_kept(tmp_path: Path) -> None:
    kept = 0
    for number, run in enumerate(runs(44, many(15))):
        folder = tmp_path / str(number)
        bill = billed(run, folder, "vcg:searches=2")

        again = computed_again(run, folder)

        assert again.faults == ()
        assert again.charges.charge.tolist() == bill.charge.tolist()
        kept += (folder / "starts.csv").exists()
    assert kept > enough(3)


def test_a_start_that_is_left_out_is_named(tmp_path: Path) -> None:
    run = next(run for run in runs(45, 60) if run.asked.pivots().starts is not None)
    billed(run, tmp_path, "vcg")
    path = tmp_path / "starts.csv"
    lines = path.read_text().splitlines(keepends=True)
    compared = next(i for i, line in enumerate(lines) if i and line.split(",")[5])
    path.write_text("".join(lines[:compared] + lines[compared + 1 :]))

    faults = computed_again(run, tmp_path).faults

    assert {fault.file for fault in faults} == {"charges.csv"}
    assert "with_job" in {fault.field for fault in faults}


@pytest.mark.parametrize("scheduler", [*SCHEDULERS, "priority-preempt"])
def test_jobs_released_by_others_are_charged_as_if_the_log_had_submitted_them_then(
    scheduler: str,
) -> None:
    """Who is there decides what plans are compared, and nothing else does."""
    rng = Random(47)
    charged = several = 0
    for seed in range(many(60, least=30)):
        case = (failing_case if seed % 2 else random_case)(rng)
        if not case.workload.has_utilities:
            continue
        linked, processors = linked_to(rng, Machine(case.workload, case.processors))
        asked = {
            "machine_size": processors,
            "seed": seed,
            "preemption": case.rules,
            "failures": case.drawn_outages() if case.outages else None,
        }
        schedule = simulate(linked, scheduler, dependencies=True, **asked)
        assert schedule.release is not None
        released = linked.replace(submit=schedule.release)
        plain = simulate(released, scheduler, **asked)
        if len(np.unique(schedule.release)) < len(linked):
            continue  # jobs of one instant come in another order
        assert plain.segments == schedule.segments

        failures = asked["failures"]
        found, expected = (
            Counterfactuals.of(jobs, done, failures=failures).pivots(duration="actual")
            for jobs, done in ((linked, schedule), (released, plain))
        )

        assert found.charge.tolist() == expected.charge.tolist()
        assert found.losses.victim.tolist() == expected.losses.victim.tolist()
        charged += np.count_nonzero(found.charge)
        several += found.starts is not None
    assert charged > enough(1)
    assert several > 0 or "preempt" not in scheduler
