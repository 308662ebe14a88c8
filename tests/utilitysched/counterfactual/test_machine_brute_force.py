"""Charges on tiny machines of two resources and a limit, against plain first come, first served."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

import pytest

from pricing import charge
from swfx import Header, UtilityFunction, UtilityTable, Workload
from swfx.machine import Limit, Machine, Pool
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals

CORES, GPUS, MOST = 4, 2, 2
TINY = Machine(
    (Pool("gpu", {"processors": CORES, "gpu": GPUS}),), limits=(Limit("user", {"jobs": MOST}),)
)
HEADER = Header(("Partition: 1 gpu",))


class Request(NamedTuple):
    """A job that loses `slope` SU a second until it is worth nothing."""

    submit: int
    run: int
    cores: int
    gpus: int
    user: int
    slope: int

    def worth(self, end: float) -> float:
        return self.slope * max(400 - (end - self.submit), 0)


def drawn(rng: Random) -> list[Request]:
    jobs = [
        Request(
            rng.randint(0, 30),
            rng.randint(1, 20),
            rng.randint(1, CORES),
            rng.randint(0, GPUS),
            rng.randint(1, 2),
            rng.randint(1, 9),
        )
        for _ in range(rng.randint(2, 9))
    ]
    return sorted(jobs, key=lambda job: job.submit)


def ends(jobs: list[Request], running: dict[int, float], now: int) -> dict[int, float]:
    """Serve jobs second by second in their order, without backfilling; `running` end as given.

    A job whose user runs as many as it may is skipped; one that does not fit stops the others.
    """
    over = dict(running)
    waiting = [number for number in range(len(jobs)) if number not in over]
    while waiting:
        for number in list(waiting):
            there = [each for each in over if over[each] > now]
            job = jobs[number]
            if job.submit > now or sum(jobs[each].user == job.user for each in there) >= MOST:
                continue
            cores = sum(jobs[each].cores for each in there) + job.cores
            if cores > CORES or sum(jobs[each].gpus for each in there) + job.gpus > GPUS:
                break
            over[number] = now + job.run
            waiting.remove(number)
        now += 1
    return over


def lost_by_replay(jobs: list[Request], job: int) -> float:
    """What all others lose by a job, in the whole log with it and without it."""
    rest = [each for number, each in enumerate(jobs) if number != job]
    without, with_it = ends(rest, {}, 0), ends(jobs, {}, 0)
    others = [each for number, each in enumerate(jobs) if number != job]
    ended = [with_it[number] for number in range(len(jobs)) if number != job]
    return math.fsum(each.worth(without[number]) for number, each in enumerate(rest)) - math.fsum(
        each.worth(end) for each, end in zip(others, ended, strict=True)
    )


def workload_of(jobs: list[Request]) -> Workload:
    curves = [UtilityFunction([0, 400], [400 * job.slope, 0]) for job in jobs]
    return Workload.from_columns(
        header=HEADER,
        submit=[job.submit for job in jobs],
        run=[job.run for job in jobs],
        requested_time=[job.run for job in jobs],
        processors=[job.cores for job in jobs],
        user=[job.user for job in jobs],
        partition=[1] * len(jobs),
        utility=UtilityTable.from_functions(curves),
        **{"tres/gres/gpu": [job.gpus for job in jobs]},
    )


def lost_by_plan(jobs: list[Request], end: dict[int, float], job: int) -> float:
    """What others in the queue lose by a job in plans at its start, if nobody else comes.

    Plans are made of the jobs that no limit bars at that instant.
    """
    now = int(end[job] - jobs[job].run)
    came = [each for each in range(len(jobs)) if jobs[each].submit <= now]
    runs = [each for each in came if end[each] - jobs[each].run < now < end[each]]
    queue = [each for each in came if end[each] - jobs[each].run >= now]
    full = {each.user for each in jobs if sum(jobs[r].user == each.user for r in runs) >= MOST}
    queue = [each for each in queue if jobs[each].user not in full]
    values = []
    for planned in (queue, [each for each in queue if each != job]):
        present = [jobs[each] for each in [*runs, *planned]]
        served = ends(present, {place: end[each] for place, each in enumerate(runs)}, now)
        values.append(
            {
                each: jobs[each].worth(served[len(runs) + place])
                for place, each in enumerate(planned)
            }
        )
    with_it, without = values
    return math.fsum(without[each] - with_it[each] for each in without)


@pytest.mark.parametrize("method", ["replay", "pivot"])
def test_charges_are_what_others_lose(method: str) -> None:
    rng, paid, held = Random(f"brute {method}"), 0, 0
    for _ in range(many(40)):
        jobs = drawn(rng)
        workload = workload_of(jobs)
        schedule = simulate(workload, "fcfs:placement=none", machine=TINY)
        end = ends(jobs, {}, 0)
        assert schedule.end.tolist() == [end[number] for number in range(len(jobs))]
        held += schedule.held is not None and bool(schedule.held.limit.any())
        known = Counterfactuals.of(workload, schedule)
        if method == "replay":
            mechanism = "vcg:method=replay"
            found = charge(
                workload, schedule.start, schedule.end, mechanism, counterfactual=known
            ).charge.tolist()
            lost = [max(0.0, lost_by_replay(jobs, job)) for job in range(len(jobs))]
        else:
            losses = known.pivots().losses
            found = losses.by_cause(len(jobs)).tolist()
            lost = [lost_by_plan(jobs, end, job) for job in range(len(jobs))]
        assert found == pytest.approx(lost, abs=1e-6), jobs
        paid += sum(each > 0 for each in lost)
    assert paid >= enough(30)
    assert held >= enough(5)
