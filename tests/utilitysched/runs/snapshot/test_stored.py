"""Snapshots of stored runs beside what the scheduler saw."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from swfx import InputError
from tests.queues import random_workload
from tests.scale import many
from utilitysched import Decision, QueueState, make_scheduler, simulate
from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun


class Watched:
    """EASY, and what it saw when it was first asked at each instant."""

    def __init__(self) -> None:
        self.inner = make_scheduler("easy")
        self.seen: dict[float, QueueState] = {}

    def decide(self, state: QueueState) -> Decision:
        self.seen.setdefault(state.now, state)
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
            assert [job._replace(user=0, queue=-1) for job in found.queued] == [
                job._replace(user=0, queue=-1) for job in seen.queued
            ]
            assert {job._replace(user=0, start=None) for job in found.running} == {
                job._replace(user=0) for job in seen.running
            }
            starts = dict(zip(jobs.job_id.tolist(), schedule.start.tolist(), strict=True))
            assert all(job.start == starts[job.id] for job in found.running)
            compared += len(found.queued)
    assert compared > 100


def test_a_moment_at_which_a_job_has_been_preempted_and_is_not_done_is_refused() -> None:
    rng = Random(6)
    refused = made = 0
    for _ in range(many(30)):
        jobs, processors = random_workload(rng)
        interval = np.array([rng.choice([-1.0, 1.0, 2.5]) for _ in range(len(jobs))])
        jobs = jobs.replace(checkpoint_interval=interval)
        rules = "scratch=true,overhead=1"
        schedule = simulate(jobs, "priority-preempt", machine_size=processors, preemption=rules)
        ran = schedule.segments
        assert ran is not None
        record = {"simulation": schedule.provenance}
        run = StoredRun(jobs, schedule.start, schedule.end, record, ran)
        for now in np.unique(np.concatenate([ran.start, ran.end])) + 0.1:
            holds = {int(job) for job in ran.job[(ran.start < now) & (ran.end > now)]}
            stopped = {int(job) for job in ran.job[ran.end < now] if schedule.end[job] > now}
            if stopped:
                with pytest.raises(
                    InputError, match=r"had been preempted by then and was not done"
                ):
                    snapshot_of(run, now)
                refused += 1
            else:
                found = {job.id for job in snapshot_of(run, now).running}
                assert found == {int(jobs.job_id[job]) for job in holds}
                made += 1
    assert refused > 5
    assert made > 100


def test_a_run_whose_processors_failed_is_refused() -> None:
    jobs, processors = random_workload(Random(2))
    schedule = simulate(jobs, "easy", machine_size=processors)
    record = {"simulation": {**schedule.provenance, "failures": {}}}

    with pytest.raises(InputError, match="does not say which are down"):
        snapshot_of(StoredRun(jobs, schedule.start, schedule.end, record), 1.0)
