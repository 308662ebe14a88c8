"""How gains are summed up, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from utilitysched.market.audit import Audit, summarise
from utilitysched.market.audit.summary import TRUTH, best, by_lie, common

CHOSEN = np.array([[[1.0, 3.0, -1.0]], [[-1.0, -2.0, -3.0]], [[5.0, 0.0, 9.0]]])
SCORED = np.array([[[0.5, 2.0, 7.0]], [[8.0, 8.0, 8.0]], [[4.0, 1.0, -6.0]]])

AUDIT = Audit(
    scheduler="ga",
    mechanisms=("first-price:reading=end",),
    lies=("scale", "steeper", "split"),
    about_value=(True, True, False),
    draws=2,
    seed=0,
    job=np.array([3, 5, 8]),
    user=np.array([1, 1, 2]),
    congestion=np.array([0.1, 0.5, 2.0]),
    stratum=np.array([0, 1, 2]),
    value=np.array([10.0, 20.0, 10.0]),
    chosen=CHOSEN,
    scored=SCORED,
    placebo=np.array([[1.0], [-2.0], [4.0]]),
    others=np.full((3, 2, 4), np.nan),
)


def test_the_best_lie_is_chosen_on_one_set_of_seeds_and_scored_on_the_other() -> None:
    found = best(AUDIT, np.ones(3, np.bool_))

    assert found.lie.tolist() == [[1], [TRUTH], [2]]
    assert found.gain.tolist() == [[2.0], [0.0], [-6.0]]


def test_value_lies_only() -> None:
    assert best(AUDIT, np.array(AUDIT.about_value)).gain.tolist() == [[2.0], [0.0], [4.0]]


def test_one_lie_for_all_is_chosen_by_the_other_jobs() -> None:
    found = common(AUDIT, np.ones(3, np.bool_))

    # the others' sums: 4, -2, 6; 6, 3, 8; 0, 1, -4
    assert found.lie.tolist() == [[2], [2], [1]]
    assert found.gain.tolist() == [[7.0], [8.0], [1.0]]


def test_rows() -> None:
    rows = {(row.measure, row.congestion): row for row in summarise(AUDIT)}

    row = rows["best value lie", "all"]
    assert (row.gain, row.jobs, row.share) == (2.0, 3, 0.15)
    assert row.lying == pytest.approx(2 / 3)
    assert (row.low, row.high) == (0.0, 4.0)
    assert rows["best lie", "high"][3:] == (1, -6.0, None, None, -0.6, 1.0)
    assert rows["placebo", "all"].gain == 1.0
    assert rows["placebo", "all"].lying == 0.0


def test_no_share_of_nothing() -> None:
    worthless = replace(AUDIT, value=np.zeros(3))

    assert all(row.share is None for row in summarise(worthless))


def test_lies_one_by_one() -> None:
    assert [row.gain for row in by_lie(AUDIT)] == pytest.approx([35 / 12, 2.0, 14 / 6])


def test_what_happens_to_others_is_said_as_a_share() -> None:
    others = np.array([[[6.0, 6.0, 3.0, 6.0], [1.0, 2.0, 0.0, 1.0]]] * 3)
    rows = by_lie(replace(AUDIT, others=others))

    assert [row.others_value for row in rows] == [0.0, -0.5, 0.0]
    assert [row.others_charge for row in rows] == [1.0, -1.0, 0.0]
    assert {row.others_charge for row in by_lie(AUDIT)} == {None}
