"""Runs of requeued jobs, put together by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import numpy as np
import pytest

from pricing.states import MACHINE_FAULTS
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.scale import many

FIRST = 1_709_280_000
OTHERS = ("PREEMPTED", "REQUEUED", "FAILED", "CANCELLED by 0")


def read(requeue: str, runs: list[tuple[int, int, int, int, str, int]]) -> Imported:
    """Read runs of (job, submit, start, end, state, processors)."""
    lines = ["JobID|User|Submit|Start|End|State|AllocCPUS"]
    for job, *times, state, size in runs:
        dates = "|".join(f"{datetime.fromtimestamp(t, UTC):%Y-%m-%dT%H:%M:%S}" for t in times)
        lines.append(f"{job}|ann|{dates}|{state}|{size}")
    return IMPORTERS.make(f"slurm:requeue={requeue}").read("\n".join(lines).encode(), "log")


@pytest.mark.parametrize("state", MACHINE_FAULTS)
def test_a_sum_of_runs_is_without_those_in_which_the_machine_failed(state: str) -> None:
    times = [(FIRST + 1000 * n, FIRST + 1000 * n, FIRST + 1000 * n + 600) for n in range(3)]
    states = ["PREEMPTED", state, "COMPLETED"]
    runs = [(1, *time, name, 4) for time, name in zip(times, states, strict=True)]

    log = read("sum", runs)

    assert log.workload.run.tolist() == [1200]
    assert log.workload.wait.tolist() == [2600 - 1200]
    assert log.report.lines_of("machine-failed").tolist() == [3]
    assert log.report.lines_of("earlier-run").tolist() == [2]


def test_sums_of_runs_are_processor_seconds_that_the_machine_worked() -> None:
    met = {"left out": 0, "all failed": 0, "failed last": 0}
    for seed in range(many(150)):
        random = Random(seed)
        runs: list[tuple[int, int, int, int, str, int]] = []
        expected: dict[int, tuple[int, int, float, str]] = {}
        lines: list[int] = []
        for job in range(1, random.randrange(2, 6)):
            time, size = FIRST + random.randrange(10_000), random.choice([1, 4])
            own = []
            for _ in range(random.randrange(1, 5)):
                submit, start = time, time + random.randrange(1, 500)
                time = start + random.randrange(1, 900)
                state = random.choice(random.choice([MACHINE_FAULTS, OTHERS]))
                size = random.choice([size, size, size + 2])
                own.append((job, submit, start, time, state, size))
            if random.random() < 0.5:
                own[-1] = (*own[-1][:4], "COMPLETED", own[-1][5])
            good = [run for run in own if run[4] not in MACHINE_FAULTS] or own[-1:]
            work = float(sum((end - start) * size for _, _, start, end, _, size in good))
            last = good[-1]
            expected[job] = (own[0][1], last[3], work, last[4].partition(" ")[0])
            lines += [len(runs) + own.index(run) + 2 for run in own if run not in good]
            met["left out"] += len(good) < len(own)
            met["all failed"] += good[0][4] in MACHINE_FAULTS
            met["failed last"] += own[-1] not in good
            runs += own

        log = read("sum", runs)

        jobs = log.workload
        names = jobs.labels.required("state")
        submitted = jobs.submit + (jobs.header.unix_start_time or 0)
        for place, job in enumerate(jobs.job_id.tolist()):
            submit, end, work, state = expected[job]
            assert submitted[place] == submit
            ended = submitted[place] + jobs.wait[place] + jobs.run[place]
            assert ended == pytest.approx(end, abs=1e-6)
            assert jobs.run[place] * jobs.processors[place] == pytest.approx(work)
            assert names.name(int(names.numbers[place])).partition(" ")[0] == state
        assert len(jobs) == len(expected)
        assert log.report.counts().get("machine-failed", 0) == len(lines)
        assert not lines or sorted(log.report.lines_of("machine-failed").tolist()) == lines
        assert log.report.lines_accounted()
        each = read("each", runs).workload
        assert "machine-failed" not in read("each", runs).report.counts()
        assert len(each) == len(runs) == len(np.unique(each.job_id))
    assert min(met.values()) > 0
