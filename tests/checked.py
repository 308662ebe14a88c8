"""Schedules of small workloads, held against the rules and against a twin of their scheduler."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from swfx import MISSING, Workload
from swfx.dependencies import dependencies
from tests.preempting import Case, checkpoints_of, rules_of
from tests.queues import Machine, jobs_of
from tests.reference.checker import Checker, Conditions, Shown
from tests.reference.jobs import Job
from tests.reference.lists import ListTwin, Scheduler
from tests.reference.protocol import COMPLETED, NEVER_STOPPED, After, Attempt, Chooser
from utilitysched import Schedule


def shown(workload: Workload, schedule: Schedule) -> Shown:
    """Return a schedule as the checker takes it."""
    order = np.argsort(workload.submit, kind="stable")
    attempts: list[list[Attempt]] = [[] for _ in order]
    for attempt in attempts_of(workload, schedule):
        attempts[attempt.job].append(attempt)
    for number, job in enumerate(order.tolist()):
        own = attempts[number]
        assert (own[0].start, own[-1].end) == (schedule.start[job], schedule.end[job])
    release = schedule.submitted(workload)
    backfilled = schedule.backfilled[order].tolist()
    return Shown(attempts, release[order].tolist(), backfilled, schedule.passes)


def attempts_of(workload: Workload, schedule: Schedule) -> list[Attempt]:
    """Return the segments of a schedule by numbers in arrival order; unstopped jobs have one."""
    place = np.argsort(np.argsort(workload.submit, kind="stable")).tolist()
    found = schedule.segments
    if found is None:
        nothing, jobs = np.zeros(len(schedule)), np.arange(len(schedule))
        times = schedule.start, schedule.end, nothing, schedule.end - schedule.start, nothing
        columns = [jobs, *times, np.full(len(jobs), COMPLETED), np.full(len(jobs), -1)]
    else:
        columns = [getattr(found, name) for name in Attempt._fields]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Attempt(place[job], *times, stop, place[cause] if cause >= 0 else -1)
        for job, *times, stop, cause in rows
    ]


def check(machine: Machine, schedule: Schedule, choose: Chooser, *, depends: bool = False) -> None:
    """Refuse a schedule of jobs that cannot be stopped unless all is as the twin decides."""
    workload, processors = machine
    jobs, after = jobs_of(workload), after_of(workload) if depends else {}
    conditions = Conditions(jobs, [NEVER_STOPPED] * len(jobs), processors, after=after)
    Checker(shown(workload, schedule), conditions, choose).check()


def check_starts(
    jobs: list[Job],
    processors: int,
    start: Sequence[float],
    scheduler: Scheduler,
    end: Sequence[float] | None = None,
    until: float = math.inf,
) -> None:
    """Refuse starts (s) other than those of a list scheduler; jobs end as they should by default.

    `jobs` are in arrival order, as are `start` and `end`. From `until` on (s) nothing is checked.
    """
    ends = [at + job.effective for at, job in zip(start, jobs, strict=True)] if end is None else end
    attempts = [
        [Attempt(job, begun, done, 0.0, done - begun, 0.0, COMPLETED, -1)]
        for job, (begun, done) in enumerate(zip(start, ends, strict=True))
    ]
    shown = Shown(attempts, [job.submit for job in jobs])
    saves, conventions = [NEVER_STOPPED] * len(jobs), scheduler.conventions
    conditions = Conditions(jobs, saves, processors, conventions=conventions, until=until)
    Checker(shown, conditions, ListTwin(processors, scheduler).choose).check()


def check_case(
    case: Case, schedule: Schedule, choose: Chooser, after: Mapping[int, After] | None = None
) -> float:
    """Refuse a schedule of a case likewise; return its idle processor-seconds."""
    jobs, saves, rules = jobs_of(case.workload), checkpoints_of(case), rules_of(case)
    conditions = Conditions(jobs, saves, case.processors, rules, case.outages, after or {})
    return Checker(shown(case.workload, schedule), conditions, choose).check()


def linked(rng: Random, machine: Machine) -> Machine:
    """Give most jobs a preceding job: earlier, later, itself, or none that is there."""
    workload = machine.workload
    jobs = len(workload)
    columns = workload.replace(
        preceding_job=np.array(
            [rng.randint(1, jobs + 1) if rng.random() < 0.7 else -1 for _ in range(jobs)]
        ),
        think_time=np.array([rng.choice([-1.0, 0.0, 1.0, 7.5, 30.0]) for _ in range(jobs)]),
    )
    return Machine(columns, machine.processors)


def after_of(workload: Workload) -> dict[int, After]:
    """Return the dependencies of a workload by numbers in arrival order."""
    found = dependencies(workload)
    order = np.argsort(workload.submit, kind="stable").tolist()
    number = {job: place for place, job in enumerate(order)}
    return {
        number[job]: After(number[int(found.predecessor[job])], float(found.think_time[job]))
        for job in order
        if found.predecessor[job] != MISSING
    }
