"""Plans of list schedulers beside the readable engine run on from the same state."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.planning import Case, random_case
from tests.queues import random_workload
from tests.reference.jobs import Job, Running
from tests.reference.lists import Scheduler
from tests.reference.pivot import projection
from tests.reference.placements import Conservative, SchedulingPass
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.plans import Begun
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.schedulers.list_plans import ListPlans
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.registry import make_scheduler

SCHEDULERS = {
    "easy": Scheduler(),
    "saf": Scheduler("saf"),
    "fcfs": Scheduler(placement="none"),
    "lexp": Scheduler("lexp"),
    "saf:backfill=lcfs,threshold=20": Scheduler("saf", backfill="lcfs", threshold=20.0),
    "spf:placement=reservations,reservations=2": Scheduler("spf", "reservations", reservations=2),
}


def run_on(case: Case, jobs: list[Job], scheduler: Scheduler) -> list[float]:
    """Return the readable engine's starts of these queued jobs (s)."""
    starts = projection(jobs, case.now, case.running, case.processors, scheduler)
    return [starts[job.number] for job in jobs]


@pytest.mark.parametrize("text", SCHEDULERS)
def test_plans_are_what_the_readable_engine_would_do(text: str) -> None:
    rng = Random(11)
    twin = SCHEDULERS[text]
    for _ in range(many(60)):
        case = random_case(rng, most=7)
        state, jobs = case.state, case.jobs
        scheduler = make_scheduler(text)
        starts = scheduler.decide(state).starts
        assert isinstance(scheduler, ListScheduler)
        plans = ListPlans(scheduler)

        assert plans.in_force(state).tolist() == run_on(case, jobs, twin)
        for gone in starts.tolist() if len(jobs) > 1 else []:
            others = jobs[:gone] + jobs[gone + 1 :]
            half = jobs[gone].request / 2
            short = [*jobs[:gone], jobs[gone]._replace(request=half), *jobs[gone + 1 :]]
            planned, shorter = run_on(case, jobs, twin), run_on(case, short, twin)

            found = plans.started(state, Begun.one(gone, half), None)

            assert found.without_job.tolist() == run_on(case, others, twin)
            assert found.with_job.tolist() == [
                plan[:gone] + plan[gone + 1 :] for plan in (planned, shorter)
            ]
            assert plans.started(state, Begun.one(gone), None).with_job.tolist() == [
                planned[:gone] + planned[gone + 1 :]
            ]


@pytest.mark.parametrize("text", SCHEDULERS)
def test_left_out_jobs_are_in_neither_plan_and_starting_ones_run(text: str) -> None:
    rng, twin = Random(15), SCHEDULERS[text]
    compared = 0
    for _ in range(many(80, least=40)):
        case = random_case(rng, most=7)
        state, jobs, running = case.state, case.jobs, case.running
        scheduler = make_scheduler(text)
        starts = scheduler.decide(state).starts.tolist()
        assert isinstance(scheduler, ListScheduler)
        plans = ListPlans(scheduler)
        waiting = [job.number for job in jobs if job.number not in starts]
        for gone in starts:
            left = sorted(rng.sample(waiting, rng.randint(0, len(waiting))))
            others = [job for job in jobs if job.number not in (gone, *left)]
            if not left or not others:
                continue
            lasts = rng.choice([math.nan, jobs[gone].request / 2])
            length = jobs[gone].request if math.isnan(lasts) else lasts
            held = [Running(case.now + length, gone, jobs[gone].size)] if length else []
            begun = Begun(np.array([gone]), np.array([lasts]), np.array(left))

            found = plans.started(state, begun, None)

            assert found.job.tolist() == [job.number for job in others]
            assert found.without_job.tolist() == run_on(case, others, twin)
            beside = replace(case, running=[*running, *held])
            assert found.with_job.tolist() == [run_on(beside, others, twin)]
            compared += 1
    assert compared > enough(15)


class Watched:
    """A scheduler whose plans are compared with what it does later."""

    def __init__(self, text: str) -> None:
        self.scheduler = make_scheduler(text)
        assert isinstance(self.scheduler, ListScheduler)
        self.plans = ListPlans(self.scheduler)
        self.seen: list[tuple[QueueState, Decision, Floats]] = []

    def prepare(self, setting) -> None:  # type: ignore[no-untyped-def]
        self.scheduler.prepare(setting)

    def decide(self, state: QueueState) -> Decision:
        decision = self.scheduler.decide(state)
        self.seen.append((state, decision, self.plans.in_force(state)))
        return decision


@pytest.mark.parametrize("text", ["conservative", "saf:placement=conservative", "easy", "lexp"])
def test_if_nobody_comes_and_all_run_as_requested_the_plan_happens(text: str) -> None:
    rng = Random(12)
    compared = 0
    for _ in range(many(60)):
        jobs, processors = random_workload(rng)
        jobs = jobs.replace(requested_time=np.maximum(jobs.run, 1.0), run=np.maximum(jobs.run, 1.0))
        watched = Watched(text)
        schedule = simulate(jobs, watched, machine_size=processors)
        order = Arrivals.of(jobs, processors).order
        for state, _, planned in watched.seen:
            if state.now >= jobs.submit.max():
                assert planned.tolist() == schedule.start[order][state.queued].tolist()
                compared += len(planned)
    assert compared > enough(100)


def test_without_a_job_reservations_are_put_forward() -> None:
    rng = Random(13)
    moved = 0
    for _ in range(many(80)):
        jobs, processors = random_workload(rng)
        watched = CheckedWithout("conservative", moved)
        simulate(jobs, watched, machine_size=processors)
        moved = watched.moved
    assert moved > enough(20)


class CheckedWithout(Watched):
    """Compares the plan without each started job with the readable reservations, put forward."""

    def __init__(self, text: str, moved: int) -> None:
        super().__init__(text)
        self.moved, self.rng = moved, Random(moved)

    def decide(self, state: QueueState) -> Decision:
        decision = super().decide(state)
        planned = self.seen[-1][2]
        for gone in decision.starts.tolist():
            kept = state.queued != gone
            expected = self.put_forward(state, planned, kept)
            found = self.plans.started(state, Begun.one(gone), None).without_job
            assert found.tolist() == expected
            self.moved += bool((found < planned[kept]).any())
            waits = state.queued[~np.isin(state.queued, decision.starts)]
            left = waits[:: self.rng.randint(1, 3)]
            if len(left):
                self.check_left_out(
                    state, planned, Begun(np.array([gone]), np.array([np.nan]), left)
                )
        return decision

    def check_left_out(self, state: QueueState, planned: Floats, begun: Begun) -> None:
        """Compare plans in which places of left-out jobs are free."""
        present = ~np.isin(state.queued, begun.left_out)
        others = present & ~np.isin(state.queued, begun.job)
        found = self.plans.started(state, begun, None)
        assert found.without_job.tolist() == self.put_forward(state, planned, others)
        with_begun = np.array(self.put_forward(state, planned, present))
        assert found.with_job.tolist() == [with_begun[others[present]].tolist()]

    @staticmethod
    def put_forward(state: QueueState, planned: Floats, kept: np.ndarray) -> list[float]:
        known = state.known
        queue = [
            Job(job, float(known.submit[job]), 0.0, float(known.request[job]), int(known.size[job]))
            for job in state.queued[kept].tolist()
        ]
        running = [
            Running(float(end), job, int(known.size[job]))
            for end, job in zip(state.expected_end, state.running.tolist(), strict=True)
        ]
        readable = Conservative()
        readable.reserved = dict(
            zip([job.number for job in queue], planned[kept].tolist(), strict=True)
        )
        moment = SchedulingPass(state.now, known.machine_size, running, queue)
        started = {job.number for job in readable.place(moment, ended_early=True)}
        return [
            state.now if job.number in started else readable.reserved[job.number] for job in queue
        ]


def test_a_recorder_changes_no_decision() -> None:
    rng = Random(14)
    for text in (
        "easy",
        "conservative",
        "lexp",
        "ga:generations=3",
        "value-and-delay:duration=expected",
    ):
        jobs, processors = random_workload(rng)
        plain = simulate(jobs, text, machine_size=processors, seed=3)
        recorder = PivotRecorder(make_scheduler(text))
        recorded = simulate(jobs, recorder, machine_size=processors, seed=3)

        assert recorded.start.tolist() == plain.start.tolist()
        assert recorder.label == plain.scheduler
