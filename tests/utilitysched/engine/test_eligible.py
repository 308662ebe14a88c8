"""Jobs held by begin times, holds and dependencies: they are submitted when they are eligible."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload
from swfx.eligibility import time_held
from swfx.families.formats.registry import IMPORTERS
from swfx.families.transforms.submit_at import simulated
from tests.strategies import held_workloads
from utilitysched import metrics, simulate

NAMES = "JobID|User|Submit|Eligible|Start|End|State|NCPUS|SubmitLine"
LOG = Workload.from_columns(
    submit=[0, 5, 5],
    wait=[10, 60, 1_000],
    run=[100, 20, 20],
    processors=[4, 2, 2],
    eligible=[0, 50, 900],
)


def test_three_jobs() -> None:
    schedule = simulate(LOG, "easy", machine_size=4)

    assert schedule.release is not None
    assert schedule.release.tolist() == [0, 55, 905]
    assert schedule.start.tolist() == [0, 100, 905]
    assert schedule.wait(LOG).tolist() == [0, 45, 0]
    assert schedule.provenance["workload"] == LOG.digest()


def test_the_log_itself_is_compared_by_the_same_waits() -> None:
    schedule = simulate(LOG, "recorded", machine_size=4)

    assert schedule.start.tolist() == [10, 65, 1_005]
    assert schedule.wait(LOG).tolist() == [10, 10, 100]


@given(held_workloads())
@pytest.mark.parametrize("scheduler", ["easy", "conservative", "ga:population=4,generations=2"])
def test_no_job_starts_before_it_is_eligible(scheduler: str, log: Workload) -> None:
    schedule = simulate(log, scheduler)
    prepared = simulated(log, ()).workload

    eligible = log.submit + time_held(log)
    assert (schedule.start >= eligible).all()
    starts = dict(zip(log.job_id.tolist(), schedule.start.tolist(), strict=True))
    again = simulate(prepared, scheduler).start.tolist()
    if scheduler != "ga:population=4,generations=2":  # its draws follow the order of the jobs
        assert {job: starts[job] for job in prepared.job_id.tolist()} == dict(
            zip(prepared.job_id.tolist(), again, strict=True)
        )


@given(held_workloads())
def test_both_waits_are_measured(log: Workload) -> None:
    schedule, prepared = simulate(log, "easy"), simulated(log, ()).workload
    by_library = metrics.summary(log, schedule)
    by_command = metrics.summary(prepared, simulate(prepared, "easy"))

    held = [
        max(eligible, 0.0) if wait < 0 else min(max(eligible, 0.0), wait)
        for eligible, wait in zip(log.eligible.tolist(), log.wait.tolist(), strict=True)
    ]
    since = schedule.start - log.submit
    for figures in (by_library, by_command):
        assert figures["wait_mean"] == pytest.approx(np.mean(since - held))
        if not any(held):
            assert "submission_wait_mean" not in figures
            continue
        assert figures["submission_wait_mean"] == pytest.approx(since.mean())
        assert figures["submission_wait_p100"] == pytest.approx(since.max())
        run = log.effective_run
        slowdowns = np.maximum((since + run) / np.maximum(run, 10), 1)
        assert figures["submission_bounded_slowdown_mean"] == pytest.approx(slowdowns.mean())
        assert figures["submission_turnaround_mean"] == pytest.approx((since + run).mean())
        ratios = (since + run)[run > 0] / run[run > 0]
        expected = pytest.approx(ratios.mean()) if len(ratios) else None
        assert figures["submission_slowdown_mean"] == expected


def test_a_dependency_that_is_simulated_decides_alone() -> None:
    chained = LOG.replace(preceding_job=[-1, 1, -1], think_time=[-1, 0, -1])

    schedule = simulate(chained, "easy", machine_size=4, dependencies=True)

    # job 2 waits for job 1 as simulated, not as logged; job 3 has a begin time
    assert schedule.release is not None
    assert schedule.release.tolist() == [0, 100, 905]
    quicker = chained.replace(run=[30, 20, 20])
    assert simulate(quicker, "easy", machine_size=4, dependencies=True).start[1] == 30


records = st.lists(
    st.tuples(
        st.integers(0, 300),  # submission
        st.sampled_from(["", "--begin=20:00", "-H", "--dependency=afterok:"]),
        st.integers(1, 5_000),  # time held, where anything holds the job
        st.integers(0, 400),  # wait from eligibility
        st.integers(1, 900),  # run time
        st.integers(1, 8),
    ),
    min_size=1,
    max_size=10,
)


@given(records, st.booleans())
def test_listings_with_begin_times_holds_and_dependencies(
    listed: list[tuple[int, str, int, int, int, int]], dependencies: bool
) -> None:
    def date(second: int) -> str:
        return datetime.fromtimestamp(1_767_225_600 + second, UTC).strftime("%Y-%m-%dT%H:%M:%S")

    listed = sorted(listed, key=lambda job: job[0])  # nobody waits for a job to come
    rows, eligible, ends = [NAMES], {}, {}
    for number, (submit, command, held, waited, run, size) in enumerate(listed, 1):
        before = number - 1 if command.endswith(":") else 0
        late = held if command and not command.endswith(":") else 0
        if before:  # eligible when the one before has ended
            late = max(ends[before] - submit, 0)
        eligible[number], start = submit + late, submit + late + waited
        ends[number] = start + run
        times = "|".join(map(date, (submit, submit + late, start, start + run)))
        line = f"sbatch {command}{before} a.sh" if before else f"sbatch {command.rstrip(':=')}"
        rows.append(f"{number}|ann|{times}|COMPLETED|{size}|{line}")
    log = IMPORTERS.make("slurm").read("\n".join(rows).encode(), "log").workload
    began = listed[0][0]

    schedule = simulate(log, "easy", machine_size=8, dependencies=dependencies)

    end = dict(zip(log.job_id.tolist(), schedule.end.tolist(), strict=True))
    for number, start in zip(log.job_id.tolist(), schedule.start.tolist(), strict=True):
        if dependencies and listed[number - 1][1].endswith(":") and number > 1:
            assert start >= end[number - 1]
        else:
            assert start + began >= eligible[number]
