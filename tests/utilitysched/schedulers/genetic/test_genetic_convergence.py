"""Means of what generations were like, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from swfx.families.generators import attach_utilities
from tests.utilitysched.small import plain_workload
from utilitysched import make_scheduler, simulate
from utilitysched.schedulers.genetic.convergence import Convergence
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

JOBS = attach_utilities(plain_workload(), seed=3)

# evaluations, plans, best, median, worst
LONG = np.array([[20.0, 2, 10, 8, 5], [20.0, 4, 11, 10, 6], [20.0, 6, 12, 11, 10]])
SHORT = np.array([[20.0, 1, -4, -4, -6]])
WORTHLESS = np.array([[20.0, 1, 0, 0, 0]])


def test_shares_are_of_the_best_that_a_search_began_with() -> None:
    found = Convergence.none(3)
    found.add(LONG)

    assert found.means() == {
        "decisions": [1, 1, 1],
        "plans": [2.0, 4.0, 6.0],
        "best": [0.0, 0.1, 0.2],
        "median": [-0.2, 0.0, 0.1],
        "worst": [-0.5, -0.4, 0.0],
    }


def test_a_search_that_ended_counts_with_its_last_generation() -> None:
    found = Convergence.none(3)
    found.add(LONG)
    found.add(SHORT)

    means = found.means()
    assert means["decisions"] == [2, 1, 1]
    assert means["plans"] == [1.5, 2.5, 3.5]
    assert means["best"] == pytest.approx([0.0, 0.05, 0.1])
    assert means["worst"] == pytest.approx([-0.5, -0.45, -0.25])  # of the short one -2 of 4


def test_searches_that_begin_with_nothing_have_no_shares() -> None:
    found = Convergence.none(3)
    found.add(WORTHLESS)

    assert found.means() == {}


def test_the_trace_is_left_as_it_was_and_copies_go_on_by_themselves() -> None:
    before, found = LONG.copy(), Convergence.none(3)
    other = found.copy()
    found.add(LONG)

    assert np.array_equal(LONG, before)
    assert other.means() == {}


def test_a_schedule_says_what_its_searches_took() -> None:
    scheduler = make_scheduler("ga:population=4,generations=2")
    schedule = simulate(JOBS, scheduler)

    assert isinstance(scheduler, GeneticScheduler)
    took = schedule.provenance["search"]
    assert isinstance(took, dict)
    assert took["decisions"] == scheduler.effort.decisions > 0
    assert took["generations"] == scheduler.effort.generations
    assert took["plans"] == scheduler.effort.plans
    assert took["convergence"] == scheduler.convergence.means()
    assert len(scheduler.convergence.means()["best"]) == 3
    again = simulate(JOBS, scheduler)
    assert again.provenance == schedule.provenance
