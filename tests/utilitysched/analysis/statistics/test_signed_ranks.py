from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from tests.scale import many
from utilitysched.analysis.statistics import least_pairs, rank_biserial, signed_rank_p


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1, 2, 3, 4, 5, 6], 2 / 64),
        # at most 1 of negative ranks: none, or the first
        ([-1, 2, 3, 4, 5, 6], 4 / 64),
        # at most 3: none, 1, 2, 3, 1 + 2
        ([1, 2, -3, 4, 5, 6, 7], 10 / 128),
        # six ties of rank 3.5, one of them negative: none or one of six
        ([1, 1, 1, -1, 1, 1], 14 / 64),
        # a pair without difference is left out
        ([0, 1, 2, 3, 0, 4, 5, 6], 2 / 64),
        # as much above as below
        ([1, -1, 2, -2, 3, -3], 1.0),
    ],
)
def test_worked_by_hand(differences: list[float], p: float) -> None:
    assert signed_rank_p(np.array(differences, float)) == pytest.approx(p)


@settings(max_examples=many(40))
@given(st.lists(st.integers(-9, 9).filter(bool), min_size=6, max_size=8))
def test_beside_every_way_to_sign_the_ranks(differences: list[int]) -> None:
    magnitudes = [abs(d) for d in differences]
    ranks = [
        sum(other < m for other in magnitudes) + (magnitudes.count(m) + 1) / 2 for m in magnitudes
    ]
    positive = sum(r for r, d in zip(ranks, differences, strict=True) if d > 0)
    sums = [
        sum(r for r, up in zip(ranks, ups, strict=True) if up)
        for ups in product((False, True), repeat=len(ranks))
    ]
    below, above = sum(s <= positive for s in sums), sum(s >= positive for s in sums)

    expected = min(1.0, 2 * min(below, above) / len(sums))
    assert signed_rank_p(np.array(differences, float)) == pytest.approx(expected)


def test_many_pairs_are_what_scipy_says() -> None:
    differences = np.random.default_rng(0).normal(0.2, 1, 80)

    assert signed_rank_p(differences) == wilcoxon(differences, method="asymptotic").pvalue


@pytest.mark.parametrize(
    "differences", [[], [1, 2, 3, 4, 5], [0] * 9, [1, 2, 3, 4, 5, 0, 0], [1, 2, 3, 4, 5, 6, np.nan]]
)
def test_no_p_that_could_not_be_significant(differences: list[float]) -> None:
    assert signed_rank_p(np.array(differences, float)) is None


@pytest.mark.parametrize(("tests", "pairs"), [(1, 6), (2, 7), (3, 7), (4, 8), (10, 9), (100, 12)])
def test_least_pairs(tests: int, pairs: int) -> None:
    assert least_pairs(tests) == pairs


@pytest.mark.parametrize(
    ("differences", "effect"),
    [
        ([1, 2, 3, 4], 1.0),
        ([-5], -1.0),
        ([1, -2, 3, 4], (1 + 3 + 4 - 2) / 10),
        ([3, -3], 0.0),
        ([0, 0, 1, -2], (1 - 2) / 3),
        # ties share 1.5: (1.5 - 1.5 + 3) / 6
        ([2, -2, 7], 0.5),
        ([0, 0], None),
        ([1, np.nan], None),
        ([], None),
    ],
)
def test_rank_biserial(differences: list[float], effect: float | None) -> None:
    assert rank_biserial(np.array(differences, float)) == effect
