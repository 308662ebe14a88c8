"""Policies of one's own, and those that read utility functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from swfx import InputError, Workload, attach_utilities, open_workload
from utilitysched import make_scheduler, simulate
from utilitysched.schedulers.coscheduling import SharedQueue, policy
from utilitysched.schedulers.coscheduling.options import POLICIES

LOAD = "model:applications,jobs=300,seed=3,arrivals=poisson,gap=16"


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """Policies as they are without those of a test."""
    before = dict(POLICIES)
    yield
    POLICIES.clear()
    POLICIES.update(before)


@pytest.fixture(scope="module")
def load() -> Workload:
    """A load with utility functions."""
    workload = open_workload(LOAD).workload
    return attach_utilities(workload, waits=np.full(len(workload), 600.0))


def shared(queue: SharedQueue) -> np.ndarray:
    """Nobody compact."""
    return np.zeros(len(queue.job), np.bool_)


def shortest(queue: SharedQueue) -> Any:
    return queue.run, shared(queue)


@pytest.mark.parametrize("options", ["", ",nodes=fastest", ",window=5,depth=3,known=request"])
def test_shortest_first_of_ones_own_is_sjf_co(load: Workload, options: str) -> None:
    policy("mine")(shortest)

    ours = simulate(load, f"coscheduled:policy=sjf-co{options}")
    own = simulate(load, f"coscheduled:policy=mine{options}")

    assert own.start.tolist() == ours.start.tolist()
    assert own.end.tolist() == ours.end.tolist()


def test_all_compact_is_sjf(load: Workload) -> None:
    policy("mine")(lambda queue: (queue.run, ~shared(queue)))

    own = simulate(load, "coscheduled:policy=mine")

    assert own.end.tolist() == simulate(load, "coscheduled:policy=sjf").end.tolist()


def test_columns_are_those_of_the_queue(load: Workload) -> None:
    seen: list[SharedQueue] = []

    def watch(queue: SharedQueue) -> Any:
        seen.append(queue)
        return shortest(queue)

    policy("mine")(watch)
    schedule = simulate(load, "coscheduled:policy=mine")

    start, first = schedule.start - load.submit.min(), load.submit.min()
    for queue in seen[:: len(seen) // 20]:
        waiting = (load.submit - first <= queue.now) & (start >= queue.now)
        assert queue.job.tolist() == np.flatnonzero(waiting).tolist()
        assert queue.size.tolist() == load.size[waiting].tolist()
        assert queue.application.tolist() == (load.executable[waiting] - 1).tolist()
        assert queue.wait == pytest.approx(queue.now - (load.submit[waiting] - first))
        # parts of nodes of those that run on
        running = (start < queue.now) & (schedule.end - first > queue.now)
        taken = np.unique(queue.parts[queue.parts >= 0])
        assert taken.tolist() == np.unique(load.executable[running] - 1).tolist()


def test_values_are_read_where_the_policy_says_so(load: Workload) -> None:
    seen: list[tuple[SharedQueue, np.ndarray]] = []

    def by_value(queue: SharedQueue) -> Any:
        seen.append((queue, queue.value(queue.now + queue.run)))
        return -seen[-1][1], shared(queue)

    policy("mine", value_aware=True)(by_value)
    policy("silent")(by_value)
    simulate(load, "coscheduled:policy=mine")

    for queue, values in seen[::20]:
        utility = load.utility.take(queue.job)
        assert values == pytest.approx(utility.evaluate(queue.wait + queue.run))
    assert make_scheduler("coscheduled:policy=mine").bids_matter
    assert not make_scheduler("coscheduled:policy=silent").bids_matter
    with pytest.raises(InputError, match="value_aware=True"):
        simulate(load, "coscheduled:policy=silent")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda queue: queue.run, "no pair of columns"),
        (lambda queue: None, "NoneType that is no pair"),  # noqa: ARG005
        (lambda queue: (queue.run[1:], shared(queue)), r"scores has the shape \(0,\) for 1 jobs"),
        (lambda queue: (queue.run, [False, True]), r"compact has the shape \(2,\) for 1 jobs"),
        (lambda queue: (queue.run * np.nan, shared(queue)), "1 of 1 scores are NaN"),
        (lambda queue: (queue.run, queue.run), "compact has the type float64, not bool"),
    ],
)
def test_unusable_columns_are_refused(load: Workload, returned: Any, message: str) -> None:
    policy("mine")(returned)

    with pytest.raises(InputError, match=message):
        simulate(load, "coscheduled:policy=mine")


def test_names_are_taken_once() -> None:
    with pytest.raises(InputError, match="'sjf-co' is in"):
        policy("sjf-co")(shortest)
    with pytest.raises(InputError, match="'mien' is not a choice"):
        make_scheduler("coscheduled:policy=mien")


def test_value_filler_reads_utility_functions(load: Workload) -> None:
    scheduler = "coscheduled:policy=value-filler"
    zero = load.replace(utility=load.utility.take(np.arange(len(load))[::-1]))

    assert make_scheduler(scheduler).bids_matter
    assert not make_scheduler("coscheduled").bids_matter
    assert simulate(zero, scheduler).start.tolist() != simulate(load, scheduler).start.tolist()
    for option in ("nodes=fastest", "contiguous=true"):
        with pytest.raises(InputError, match="value-filler chooses the nodes"):
            make_scheduler(f"{scheduler},{option}")


def test_value_filler_gains_on_shortest_first_and_on_no_sharing(load: Workload) -> None:
    def utility(scheduler: str) -> float:
        schedule = simulate(load, scheduler)
        return float(load.utility.evaluate(schedule.end - load.submit).sum())

    gained = utility("coscheduled:policy=value-filler")

    assert gained > 1.02 * utility("coscheduled:policy=sjf-filler")
    assert gained > utility("cost-of-delay:duration=requested,tau=1200")
