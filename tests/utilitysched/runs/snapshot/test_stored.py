"""Snapshots of stored runs beside what the scheduler saw."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from checkpoint.failures import Outages
from swfx import InputError, Workload
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import Decision, QueueState, Schedule, make_scheduler, simulate
from utilitysched.runs.snapshot import FailureSource, Snapshot, read_snapshot, write_snapshot
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun


class Watched:
    """A scheduler, and what it saw when it was first asked at each instant."""

    def __init__(self, scheduler: str = "easy") -> None:
        self.inner = make_scheduler(scheduler)
        self.preempts = self.inner.preempts
        self.seen: dict[float, QueueState] = {}

    def decide(self, state: QueueState) -> Decision:
        self.seen.setdefault(state.now, deepcopy(state))
        return self.inner.decide(state)


def test_a_snapshot_is_what_the_scheduler_saw() -> None:
    rng = Random(2)
    compared = 0
    for _ in range(many(30)):
        jobs, processors = random_workload(rng)
        watched = Watched()
        schedule = simulate(jobs, watched, machine_size=processors)
        run = StoredRun(jobs, schedule.start, schedule.end, {"simulation": schedule.provenance})
        order = np.argsort(jobs.submit, kind="stable")
        for now, state in watched.seen.items():
            found = snapshot_of(run, now)
            seen = Snapshot.of_state(state, jobs.job_id[order])
            assert found.ids.tolist() == seen.ids.tolist()
            assert [replace(job, user=0, queue=-1) for job in found.queued] == [
                replace(job, user=0, queue=-1) for job in seen.queued
            ]
            assert {replace(job, user=0, start=None) for job in found.running} == {
                replace(job, user=0) for job in seen.running
            }
            starts = dict(zip(jobs.job_id.tolist(), schedule.start.tolist(), strict=True))
            assert all(job.start == starts[job.id] for job in found.running)
            compared += len(found.queued)
    assert compared > enough(100)


def test_where_jobs_are_preempted_a_snapshot_says_what_that_means(tmp_path: Path) -> None:
    rng = Random(6)
    again = compared = 0
    for _ in range(many(20)):
        jobs, processors = random_workload(rng)
        jobs = jobs.replace(
            checkpoint_interval=np.array([rng.choice([-1.0, 1.0, 2.5]) for _ in range(len(jobs))])
        )
        rules = rng.choice(["scratch=true,overhead=1", "overhead=2,overrun=run", "on_demand=1"])
        watched = Watched("priority-preempt:preemptions=2")
        schedule = simulate(jobs, watched, machine_size=processors, preemption=rules)
        record = {"simulation": schedule.provenance}
        run = StoredRun(jobs, schedule.start, schedule.end, record, schedule.segments)
        names = jobs.job_id[np.argsort(jobs.submit, kind="stable")].tolist()
        for now, state in watched.seen.items():
            found, seen, known = snapshot_of(run, now), state.preemption, state.known
            assert seen is not None
            assert found.preemption == schedule.provenance["preemption"]
            assert [job.id for job in found.queued] == [names[job] for job in state.queued]
            assert {job.id for job in found.running} == {names[job] for job in state.running}
            for told in (*found.queued, *found.running):
                job, checkpoints = names.index(told.id), told.checkpoints
                assert checkpoints is not None
                assert told.priority == known.priority[job]
                assert told.submit == known.submit[job]
                assert checkpoints.preemptions == seen.preemptions[job]
                assert checkpoints.overhead == seen.overhead[job]
                interval = np.inf if checkpoints.interval is None else checkpoints.interval
                assert interval == seen.interval[job]
                if checkpoints.preemptions:
                    assert checkpoints.paid == seen.paid[job]
                again += checkpoints.preemptions
            for waits in found.queued:
                job = names.index(waits.id)
                assert waits.limit == pytest.approx(known.request[job])
            for runs in found.running:
                job = names.index(runs.id)
                assert runs.start == seen.last_start[job]
                if runs.expected_end > np.nextafter(now, np.inf):
                    assert runs.expected_end == pytest.approx(runs.start + known.request[job])
            compared += 1
            write_snapshot(found, tmp_path / "moment.json")
            assert read_snapshot(tmp_path / "moment.json") == found
    assert again > enough(20)
    assert compared > enough(60)


def test_where_processors_fail_a_snapshot_says_what_is_down(tmp_path: Path) -> None:
    rng = Random(4)
    again = down = 0
    for _ in range(many(20)):
        jobs, processors = random_workload(rng)
        text = f"nodes={processors},mtbf={rng.choice([60, 300])},repair=7"
        watched = Watched(rng.choice(["easy", "priority-preempt"]))
        schedule = simulate(jobs, watched, machine_size=processors, failures=text, seed=5)
        run = stored(jobs, schedule)
        for now, state in watched.seen.items():
            found = snapshot_of(run, now)
            seen = found.state()
            assert seen.free == state.free
            assert len(seen.queued) == len(state.queued)
            assert seen.expected_end.tolist() == state.expected_end.tolist()
            size, known = seen.known.size[seen.running], state.known.size[state.running]
            assert sorted(size) == sorted(known)
            assert found.failures == FailureSource(text, 5, jobs.submit.min())
            again += sum(job.checkpoints.failures for job in found.queued if job.checkpoints)
            down += len(found.down)
        write_snapshot(found, tmp_path / "moment.json")
        assert read_snapshot(tmp_path / "moment.json") == found
    assert again > enough(5)
    assert down > enough(40)


def stored(jobs: Workload, schedule: Schedule) -> StoredRun:
    record = {"simulation": schedule.provenance}
    return StoredRun(jobs, schedule.start, schedule.end, record, schedule.segments)


def test_a_run_of_which_nothing_says_what_failed_is_refused() -> None:
    jobs, processors = random_workload(Random(2))
    outages = Outages.union([(0.0, 9.0, 0, 1, 0)], ("node",))
    schedule = simulate(jobs, "easy", machine_size=processors, failures=outages)

    with pytest.raises(InputError, match="nothing says what failed"):
        snapshot_of(stored(jobs, schedule), 1.0)


def test_a_run_whose_failures_are_others_by_now_is_refused() -> None:
    jobs, processors = random_workload(Random(2))
    text = f"nodes={processors},mtbf=20,repair=7"
    schedule = simulate(jobs, "easy", machine_size=processors, failures=text)
    schedule.provenance["outages"] = {"count": 1, "seed": 9, "sha256": "0"}

    with pytest.raises(InputError, match="no longer fails as it did"):
        snapshot_of(stored(jobs, schedule), 1.0)
