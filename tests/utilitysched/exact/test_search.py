"""Searches explained, at a moment of which all is known by hand.

One of four processors is free, the others until 100. By arrival: job 1 takes the whole machine,
jobs 2 and 3 one processor until 100. Job 3 is worth much now and nothing later.
"""

from __future__ import annotations

import numpy as np
import pytest

from swfx import UtilityFunction
from utilitysched import make_scheduler
from utilitysched.exact.planned import planned
from utilitysched.exact.search import ExplainedSearch, explained_search
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot


def worth(*points: tuple[float, float]) -> UtilityFunction:
    times, values = zip(*points, strict=True)
    return UtilityFunction(times, values)


STEADY = worth((0.0, 10.0), (1e6, 9.0))
MOMENT = Snapshot(
    50.0,
    4,
    (RunningJob(7, 3, 100.0),),
    (
        QueuedJob(1, 0.0, 4, 20.0, STEADY),
        QueuedJob(2, 10.0, 1, 50.0, STEADY),
        QueuedJob(3, 20.0, 1, 50.0, worth((0.0, 60.0), (40.0, 60.0))),
    ),
)
NAME = "ga:seeds=fcfs,warm=false,spread=2,delays=0,prior={prior},depth=9"


def explained(name: str) -> ExplainedSearch | None:
    scheduler = make_scheduler(name)
    return explained_search(MOMENT, scheduler, planned(MOMENT, scheduler))


def test_what_the_plan_starts_that_the_first_order_does_not() -> None:
    found = explained(NAME.format(prior=0))

    assert found is not None
    assert found.first == "fcfs"
    assert found.ancestors == ("fcfs",)
    assert found.starts.tolist() == [3]
    assert found.leaves.tolist() == [2]
    assert found.jobs == 3
    assert found.trace.shape == (found.generations + 1, 5)
    assert 0 <= found.born <= found.generations


def test_what_that_is_worth_is_the_difference_of_the_plans() -> None:
    found = explained(NAME.format(prior=0))

    scheduler = make_scheduler(NAME.format(prior=0))
    start = planned(MOMENT, scheduler)
    assert start.tolist()[2] == 50.0
    assert found is not None
    # job 3 earns 60 at 30 s instead of nothing; jobs 1 and 2 lose what their curves fall meanwhile
    assert found.gained == pytest.approx(60.0, abs=0.1)
    assert found.pull == 0.0


def test_the_prior_takes_a_part_of_it() -> None:
    found = explained(NAME.format(prior=0.1))

    assert found is not None
    assert found.starts.tolist() == [3]
    assert 0.0 < found.pull < found.gained


def test_in_place_of_a_last_plan_there_is_the_order_of_arrival() -> None:
    found = explained("ga:seeds=none,delays=0,prior=0")

    assert found is not None
    assert found.first == "arrival"


def test_others_search_for_no_best_order() -> None:
    assert explained("easy") is None


def test_where_all_start_at_once_nothing_is_searched() -> None:
    alone = Snapshot(50.0, 4, (), (MOMENT.queued[1],))
    scheduler = make_scheduler("ga")

    assert explained_search(alone, scheduler, planned(alone, scheduler)) is None
    assert np.isfinite(planned(alone, scheduler)).all()
