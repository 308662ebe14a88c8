"""The preemptive engines equal their readable twin: segments, ends, flags and passes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.preempting import Bumper, Case, checkpoints_of, failing_case, random_case, rules_of
from tests.queues import jobs_of
from tests.reference.preemptive import Attempt, Ended
from tests.reference.preemptive import simulate as readable
from tests.scale import many
from utilitysched import Schedule, simulate

CASES = many(120)


def both(case: Case, seed: int) -> tuple[Schedule, Ended]:
    """One random case, by the engine and by the twin."""
    bumper = Bumper(case, seed)
    schedule = simulate(
        case.workload,
        bumper,
        machine_size=case.processors,
        preemption=case.rules,
        failures=case.drawn_outages() if case.outages else None,
    )
    jobs, saves, rules = jobs_of(case.workload), checkpoints_of(case), rules_of(case)
    return schedule, readable(jobs, saves, case.processors, bumper.choose, rules, case.outages)


def assert_equal(case: Case, schedule: Schedule, twin: Ended) -> None:
    order = np.array(case.order)
    assert schedule.segments is not None
    columns = [getattr(schedule.segments, name).tolist() for name in Attempt._fields]
    place = np.argsort(order).tolist()
    found = [
        (place[job], *times, stop, place[cause] if cause >= 0 else -1)
        for job, *times, stop, cause in zip(*columns, strict=True)
    ]
    assert sorted(found) == sorted(map(tuple, twin.attempts))
    assert schedule.start[order].tolist() == twin.start
    assert schedule.end[order].tolist() == twin.end
    assert schedule.backfilled[order].tolist() == twin.backfilled
    assert schedule.passes == twin.passes


@pytest.mark.parametrize("seed", range(CASES))
def test_the_engine_equals_its_twin(seed: int) -> None:
    case = random_case(Random(seed))

    assert_equal(case, *both(case, seed))


@pytest.mark.parametrize("seed", range(CASES))
def test_the_engine_equals_its_twin_where_processors_fail(seed: int) -> None:
    case = failing_case(Random(f"failing {seed}"))

    assert_equal(case, *both(case, seed))
