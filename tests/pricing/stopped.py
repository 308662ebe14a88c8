"""Schedules in which jobs were stopped, charged, and what the readable twin makes of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np

from pricing import Charges, charge, make_mechanism
from pricing.mechanisms.multi_queue import LEE_RATES
from swfx import UtilityFunction, UtilityTable, Workload
from tests.preempting import Preemptor, failing_case, random_case
from tests.reference import lost_work
from tests.reference.lost_work import Bill, Piece
from tests.reference.values import utility
from utilitysched import Schedule, simulate
from utilitysched.engine.segments_log import waste_of
from utilitysched.model.segments import Stop


@cache
def random_run(seed: int) -> tuple[Workload, Schedule]:
    """Preempt jobs at random, let their processors fail in every other case; price most stops."""
    rng = Random(f"who pays {seed}")
    case = failing_case(rng) if seed % 2 else random_case(rng)
    jobs = len(case.workload)
    # the first two jobs differ in status, and have curves: some mechanisms want one
    curves = [
        UtilityFunction([0, rng.randint(20, 400)], [rng.choice([0.01, 1, 50]), 0])
        if job < 2 or rng.random() < 0.8
        else None
        for job in range(jobs)
    ]
    status = [job if job < 2 else rng.randint(0, 1) for job in range(jobs)]
    workload = case.workload.replace(
        job_id=100 + np.arange(jobs),
        status=np.array(status),
        utility=UtilityTable.from_functions(curves),
    )
    schedule = simulate(
        workload,
        Preemptor(case, seed),
        machine_size=case.processors,
        preemption=case.rules,
        failures=case.drawn_outages() if case.outages else None,
    )
    found = schedule.segments
    assert found is not None
    preempted = found.stop == Stop.PREEMPTED
    price = [rng.choice([0.0, 0.01, 0.3, 2.0, 40.0]) * preempt for preempt in preempted.tolist()]
    return workload, replace(schedule, segments=replace(found, value_lost=np.array(price)))


def charged(workload: Workload, schedule: Schedule, mechanism: str, **terms: object) -> Charges:
    """Charge a schedule in which jobs could be stopped."""
    return charge(
        workload,
        schedule.start,
        schedule.end,
        mechanism,
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
        **terms,  # type: ignore[arg-type]
    )


def readable(
    workload: Workload, schedule: Schedule, charges: Charges, payer: str, displaced: str
) -> Bill:
    """Charge the same jobs by the twin."""
    pieces, sizes = pieces_of(workload, schedule), workload.size.tolist()
    paying = charges.outcome.position.tolist()
    values = {
        job: Fraction(worth(workload, job, end)) for job, end in enumerate(schedule.end.tolist())
    }
    if charges.mechanism.startswith("first-price:reading=end"):
        own, rate = {job: values[job] for job in paying}, dict.fromkeys(paying, Fraction(3))
    else:
        rate = rates(charges)
        own = {job: rate[job] * lost_work.useful_hours(pieces, sizes, job) for job in paying}
    cut = None
    if charges.terms.cap:
        valued = workload.utility.defined
        cut = {job: values[job] for job in paying if valued[job]}
    return lost_work.bill(pieces, sizes, own, rate, payer, cut, displaced)


def rates(charges: Charges) -> dict[int, Fraction]:
    """Return the rate of each job that pays; that of a second price is not made again."""
    jobs = charges.outcome.position.tolist()
    name, _, _ = charges.mechanism.partition(":")
    if name == "single-price":
        return dict.fromkeys(jobs, Fraction(1, 2))
    if name == "multi-queue":
        queues = charges.workload.queue.tolist()
        by_queue = dict(LEE_RATES)
        pairs = zip(jobs, queues, strict=True)
        return {job: Fraction(by_queue.get(queue, 1.0)) for job, queue in pairs}
    rate = make_mechanism(name).price(charges.outcome.useful).rate
    return {job: Fraction(each) for job, each in zip(jobs, rate.tolist(), strict=True)}


def worth(workload: Workload, job: int, time: float) -> float:
    """Return what a job is worth at a time (SU)."""
    curve = workload.utility[job]
    points = [] if curve is None else list(zip(curve.times, curve.values, strict=True))
    return float(utility(points, time - float(workload.submit[job])))


def pieces_of(workload: Workload, schedule: Schedule) -> list[Piece]:
    """Return the segments of a schedule as the twin takes them."""
    found = schedule.segments
    assert found is not None
    times = (found.start, found.end, found.overhead, found.lost)
    rows = zip(found.job.tolist(), *(column.tolist() for column in times), strict=True)
    causes = [None if cause < 0 else cause for cause in found.cause.tolist()]
    preempted = (found.stop == Stop.PREEMPTED).tolist()
    value = np.zeros(len(found)) if found.value_lost is None else found.value_lost
    rows = list(rows)
    left = [Fraction(worth(workload, job, end)) for job, _, end, *_ in rows]
    ends = zip(causes, preempted, map(Fraction, value.tolist()), left, strict=True)
    return [
        Piece(job, *map(Fraction, row), *end) for (job, *row), end in zip(rows, ends, strict=True)
    ]
