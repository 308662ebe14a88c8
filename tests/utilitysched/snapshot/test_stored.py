"""Snapshots of stored runs beside what the scheduler saw."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.queues import random_workload
from tests.scale import many
from utilitysched import Decision, QueueState, make_scheduler, simulate
from utilitysched.runs.stored import StoredRun
from utilitysched.snapshot import Snapshot
from utilitysched.snapshot.stored import snapshot_of


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
