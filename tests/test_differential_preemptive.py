"""The preemptive engine equals its readable twin: segments, ends, flags and passes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.preempting import Bumper, Case, checkpoints_of, random_case, rules_of
from tests.queues import jobs_of
from tests.reference.preemptive import Attempt, Ended
from tests.reference.preemptive import simulate as readable
from tests.scale import many
from utilitysched import Schedule, simulate

CASES = many(120)


def both(seed: int) -> tuple[Case, Schedule, Ended]:
    """One random case, by the engine and by the twin."""
    case = random_case(Random(seed))
    bumper = Bumper(case, seed)
    schedule = simulate(case.workload, bumper, machine_size=case.processors, preemption=case.rules)
    jobs, saves = jobs_of(case.workload), checkpoints_of(case)
    return case, schedule, readable(jobs, saves, case.processors, bumper.choose, rules_of(case))


@pytest.mark.parametrize("seed", range(CASES))
def test_the_engine_equals_its_twin(seed: int) -> None:
    case, schedule, twin = both(seed)
    order = np.argsort(case.workload.submit, kind="stable")

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
