"""The preemptive engines equal their readable twin: segments, ends, flags and passes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from checkpoint.failures import Outages
from tests.preempting import Case, Preemptor, checkpoints_of, failing_case, random_case, rules_of
from tests.queues import Machine, jobs_of
from tests.reference.lists import ListTwin
from tests.reference.orderings import ORDERINGS
from tests.reference.preemptive import After, Attempt, Choice, Ended, State
from tests.reference.preemptive import simulate as readable
from tests.scale import enough, many
from tests.test_differential import PLACEMENTS, STATIC, drawn
from tests.test_differential_dependent import after_of, linked
from tests.translated import Translated
from utilitysched import Schedule, simulate

CASES = many(120)

Chooses = Callable[[State], Choice]


def both(case: Case, seed: int) -> tuple[Schedule, Ended]:
    """One random case, by the engine and by the twin."""
    preemptor = Preemptor(case, seed)
    schedule = simulate(
        case.workload,
        preemptor,
        machine_size=case.processors,
        preemption=case.rules,
        failures=case.drawn_outages() if case.outages else None,
    )
    jobs, saves, rules = jobs_of(case.workload), checkpoints_of(case), rules_of(case)
    return schedule, readable(jobs, saves, case.processors, preemptor.choose, rules, case.outages)


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


class Together(NamedTuple):
    """A case of several things at once: a scheduler by its text, and what is asked of the engine.

    Without `stops` no job can be stopped; `after` says who waits for whom, by arrival order.
    """

    case: Case
    text: str
    chooser: Chooses
    stops: bool
    after: dict[int, After]


def together(seed: int) -> Together:
    """Draw whether there are dependencies, preemption, failures, and who decides."""
    rng = Random(f"together {seed}")
    fails, depends = rng.random() < 0.6, rng.random() < 0.8
    kind = ("list", "list", "conservative", "conservative", "ga", "priority-preempt")[seed % 6]
    case = failing_case(rng, most=12) if fails else random_case(rng, most=14)
    if depends:
        case = case._replace(workload=linked(rng, Machine(*case[:2])).workload)
    after = after_of(case.workload) if depends else {}
    stops = fails or kind == "priority-preempt" or rng.random() < 0.5
    if kind in ("list", "conservative"):
        placement = rng.choice(PLACEMENTS[:-1]) if kind == "list" else kind
        ordering = rng.choice(STATIC if kind == "conservative" else tuple(ORDERINGS))
        twins = drawn(rng, ordering, placement)
        return Together(case, twins.text, ListTwin(case[1], twins.readable).choose, stops, after)
    text = kind
    if kind == "ga":
        text = f"ga:population=4,generations=2,preempt={'true' if stops else 'false'}"
    outages = case.drawn_outages() if case.outages else Outages.union([], ())
    return Together(case, text, Translated(case, outages, text, 0).choose, stops, after)


@pytest.mark.parametrize("seed", range(CASES))
def test_all_that_can_come_together_equals_the_twin(seed: int) -> None:
    case, text, choose, stops, after = together(seed)
    jobs, saves, rules = jobs_of(case.workload), checkpoints_of(case), rules_of(case)

    schedule = simulate(
        case.workload,
        text,
        machine_size=case.processors,
        dependencies=bool(after),
        preemption=case.rules if stops else None,
        failures=case.drawn_outages() if case.outages else None,
    )
    twin = readable(jobs, saves, case.processors, choose, rules, case.outages, after=after)

    if stops:
        assert_equal(case, schedule, twin)
    order = np.array(case.order)
    assert schedule.start[order].tolist() == twin.start
    assert schedule.end[order].tolist() == twin.end
    assert schedule.backfilled[order].tolist() == twin.backfilled
    assert schedule.passes == twin.passes
    if after:
        assert schedule.release is not None
        assert schedule.release[order].tolist() == twin.release


def test_much_comes_together() -> None:
    """Jobs are stopped that others depend on, and reservations are disrupted."""
    found = [together(seed) for seed in range(CASES)]
    assert sum(bool(each.after) and bool(each.case.outages) for each in found) > CASES / 8
    assert sum("conservative" in each.text and bool(each.case.outages) for each in found) > enough(
        9
    )


@pytest.mark.parametrize("seed", range(CASES))
def test_the_engine_equals_its_twin(seed: int) -> None:
    case = random_case(Random(seed))

    assert_equal(case, *both(case, seed))


@pytest.mark.parametrize("seed", range(CASES))
def test_the_engine_equals_its_twin_where_processors_fail(seed: int) -> None:
    case = failing_case(Random(f"failing {seed}"))

    assert_equal(case, *both(case, seed))
