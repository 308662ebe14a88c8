"""Stops, failures and dependencies follow the rules: segments, ends, flags and passes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from checkpoint.failures import Outages
from tests.checked import after_of, check_case, linked
from tests.preempting import Case, Preemptor, failing_case, random_case
from tests.queues import Machine
from tests.reference.lists import ListTwin
from tests.reference.orderings import ORDERINGS
from tests.reference.protocol import After, Chooser
from tests.scale import enough, many
from tests.test_differential import PLACEMENTS, STATIC, drawn
from tests.translated import Translated
from utilitysched import simulate

CASES = many(120)


class Together(NamedTuple):
    """A case of several things at once: a scheduler by its text, and what is asked of the engine.

    Without `stops` no job can be stopped; `after` says who waits for whom, by arrival order.
    """

    case: Case
    text: str
    chooser: Chooser
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
def test_all_that_can_come_together_follows_the_rules(seed: int) -> None:
    case, text, choose, stops, after = together(seed)

    schedule = simulate(
        case.workload,
        text,
        machine_size=case.processors,
        dependencies=bool(after),
        preemption=case.rules if stops else None,
        failures=case.drawn_outages() if case.outages else None,
    )

    assert (schedule.segments is not None) == stops
    check_case(case, schedule, choose, after)


def test_much_comes_together() -> None:
    """Jobs are stopped that others depend on, and reservations are disrupted."""
    found = [together(seed) for seed in range(CASES)]
    assert sum(bool(each.after) and bool(each.case.outages) for each in found) > CASES / 8
    assert sum("conservative" in each.text and bool(each.case.outages) for each in found) > enough(
        9
    )


@pytest.mark.parametrize("make", [random_case, failing_case])
@pytest.mark.parametrize("seed", range(CASES))
def test_preemptions_at_random_follow_the_rules(seed: int, make: Callable[[Random], Case]) -> None:
    case = make(Random(f"{make.__name__} {seed}"))
    preemptor = Preemptor(case, seed)

    schedule = simulate(
        case.workload,
        preemptor,
        machine_size=case.processors,
        preemption=case.rules,
        failures=case.drawn_outages() if case.outages else None,
    )

    check_case(case, schedule, preemptor.choose)
