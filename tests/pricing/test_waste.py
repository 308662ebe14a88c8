from __future__ import annotations

import numpy as np
import pytest

from pricing import Waste
from pricing.waste import NOBODY, WasteRule
from swfx import InputError

COLUMNS: dict[str, list[float]] = {
    "job": [0, 2],
    "cause": [1, NOBODY],
    "preempted": [True, False],
    "time": [60.0, 90.0],
    "lost": [20.0, 5.0],
    "overhead": [8.0, 0.0],
}


def waste(**columns: list[float]) -> Waste:
    return Waste(**{name: np.array(column) for name, column in (COLUMNS | columns).items()})


def test_a_stop_costs_work_and_the_restart_that_follows() -> None:
    assert waste().seconds.tolist() == [28, 5]


def test_some_stops_are_stops() -> None:
    one = waste()[np.array([False, True])]

    assert (one.job.tolist(), one.cause.tolist(), one.preempted.tolist()) == (
        [2],
        [NOBODY],
        [False],
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"lost": [1.0]}, "waste: field lost: has 1 rows for 2 stops; give the stops of the sched"),
        ({"lost": [1.0, -1.0]}, r"field lost: is -1\.0 s, not 0 s or more"),
        ({"value_lost": [1.0, -2.0]}, r"field value_lost: is -2\.0 SU, not 0 SU or more"),
        ({"overhead": [np.inf, 0]}, "field overhead: is inf s"),
        ({"time": [60.0, np.nan]}, "field time: is nan s, not a finite number"),
        ({"cause": [0, 1]}, "field cause: is the very job that was stopped"),
    ],
)
def test_what_is_no_stop_is_refused(columns: dict[str, list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        waste(**columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"job": [0, 3]}, "field job: is at position 3 of a workload of 3 jobs"),
        ({"job": [-1, 2]}, "field job: is at position -1"),
        ({"cause": [3, 1]}, "field cause: is at position 3"),
        ({"cause": [-2, 1]}, "field cause: is at position -2"),
    ],
)
def test_stops_of_jobs_that_are_not_there_are_refused(
    columns: dict[str, list[float]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        waste(**columns).require_within(3)


@pytest.mark.parametrize(
    ("rule", "usual", "bounded"),
    [
        (WasteRule(), True, True),
        (WasteRule("preemptor"), False, False),
        (WasteRule("preempted", 1.0), False, False),
        (WasteRule("preempted", None), True, True),
        (WasteRule("stopped", None), True, True),
        (WasteRule("stopped", 1.0), False, False),
        (WasteRule("centre", None), False, True),
        (WasteRule("preemptor", None), False, False),
    ],
)
def test_what_a_rule_means(rule: WasteRule, usual: bool, bounded: bool) -> None:
    assert (rule.is_usual, rule.is_bounded) == (usual, bounded)


def test_what_says_nothing_leaves_it_to_the_centre() -> None:
    assert WasteRule.of(object()) == WasteRule("centre", 1.0)
