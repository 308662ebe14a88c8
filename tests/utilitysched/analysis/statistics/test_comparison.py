from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scale import many
from utilitysched.analysis.statistics import (
    Comparison,
    Interval,
    MeanName,
    Pairs,
    UnpairedRuns,
    compare,
    compare_all,
    correct,
)

Numbers = list[tuple[float, float]]
positive = st.lists(st.tuples(st.floats(0.1, 1e4), st.floats(0.1, 1e4)), min_size=1, max_size=9)
means = st.sampled_from(["arithmetic", "geometric"])
some = settings(max_examples=many(20))  # each is a bootstrap or two


def pairs(values: list[float], baseline: list[float]) -> Pairs:
    return Pairs(tuple(range(len(values))), np.array(values, float), np.array(baseline, float))


def of(numbers: Numbers) -> Pairs:
    return pairs([v for v, _ in numbers], [b for _, b in numbers])


def test_all_figures_of_six_pairs() -> None:
    found = compare(pairs([2, 4, 6, 8, 10, 3], [1, 2, 3, 4, 5, 3.5]))

    # differences 1, 2, 3, 4, 5, -0.5: rank 1 is negative, 2 of 64 ways are as far out, either side
    assert (found.pairs, found.above, found.below, found.unequal) == (6, 5, 1, 6)
    assert (found.mean, found.baseline_mean) == (5.5, 18.5 / 6)
    assert found.ratio == pytest.approx(33 / 18.5)
    assert found.p == found.corrected_p == 0.0625
    assert found.rank_biserial == pytest.approx(19 / 21)
    assert found.interval is not None
    assert found.interval.low < 33 / 18.5 < found.interval.high <= 2.0


def test_the_geometric_mean_counts_pairs_alike() -> None:
    found = compare(pairs([2, 50, 8], [1, 100, 8]), mean="geometric")

    assert found.ratio == pytest.approx(1.0)
    assert found.interval == pytest.approx(Interval(0.5, 2.0))
    assert found.rank_biserial == pytest.approx(0.0)


def test_differences_to_a_baseline_of_nothing_but_0() -> None:
    found = compare(pairs([0.5, -0.1, 0.2, 0.4], [0, 0, 0, 0]), mean="difference")

    assert found.ratio == pytest.approx(0.25)
    assert found.interval is not None
    assert -0.1 <= found.interval.low < 0.25 < found.interval.high <= 0.5


def test_four_pairs_have_an_interval_but_no_p() -> None:
    found = compare(pairs([2, 3, 4, 5], [1, 1, 1, 1]))

    assert found.ratio == 3.5
    assert found.interval == Interval(2.5, 4.5)
    assert (found.p, found.unequal, found.rank_biserial) == (None, 4, 1.0)


def test_one_pair() -> None:
    assert compare(pairs([3], [2])) == Comparison(
        pairs=1,
        above=1,
        below=0,
        mean=3.0,
        baseline_mean=2.0,
        ratio=1.5,
        interval=None,
        p=None,
        corrected_p=None,
        rank_biserial=1.0,
    )


def test_no_pair() -> None:
    found = compare(pairs([], []))

    assert (found.pairs, found.mean, found.ratio, found.interval) == (0, None, None, None)


def test_ties_only() -> None:
    found = compare(pairs([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]))

    assert (found.above, found.below, found.p, found.rank_biserial) == (0, 0, None, None)
    assert (found.ratio, found.interval) == (1.0, Interval(1.0, 1.0))


def test_a_baseline_of_nothing_but_0_can_still_be_tested() -> None:
    found = compare(pairs([1, 2, 3, 4, 5, 6], [0] * 6))

    assert (found.ratio, found.interval, found.p) == (None, None, 0.03125)


@pytest.mark.parametrize(("values", "baseline"), [([0, 1], [1, 1]), ([1, 1], [0, 1])])
def test_no_geometric_mean_with_a_0(values: list[float], baseline: list[float]) -> None:
    found = compare(pairs(values, baseline), mean="geometric")

    assert (found.ratio, found.interval, found.p, found.rank_biserial) == (None, None, None, None)


@some
@given(positive, st.randoms(), means)
def test_the_order_of_pairs_changes_nothing(
    numbers: Numbers, random: Random, mean: MeanName
) -> None:
    shuffled = list(numbers)
    random.shuffle(shuffled)

    assert compare(of(shuffled), mean=mean) == compare(of(numbers), mean=mean)


@some
@given(positive, st.floats(1e-3, 1e3), means)
def test_a_unit_changes_no_ratio(numbers: Numbers, unit: float, mean: MeanName) -> None:
    found = compare(of([(unit * v, unit * b) for v, b in numbers]), mean=mean)
    expected = compare(of(numbers), mean=mean)

    assert found.ratio == pytest.approx(expected.ratio)
    assert found.interval == (expected.interval and pytest.approx(expected.interval))


@some
@given(positive, st.integers(-20, 20), means)
def test_a_unit_of_a_power_of_two_changes_no_rank(
    numbers: Numbers, power: int, mean: MeanName
) -> None:
    """Others may round two equal differences apart."""
    found = compare(of([(2.0**power * v, 2.0**power * b) for v, b in numbers]), mean=mean)
    expected = compare(of(numbers), mean=mean)

    assert (found.p, found.rank_biserial) == (expected.p, expected.rank_biserial)


@some
@given(positive, means)
def test_the_other_way_round(numbers: Numbers, mean: MeanName) -> None:
    there = compare(of(numbers), mean=mean)
    back = compare(of([(b, v) for v, b in numbers]), mean=mean)

    assert there.ratio is not None
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert (back.above, back.below) == (there.below, there.above)
    assert back.p == there.p
    assert back.rank_biserial == (there.rank_biserial and -there.rank_biserial)


@some
@given(positive, means)
def test_the_ratio_is_inside_what_single_pairs_say(numbers: Numbers, mean: MeanName) -> None:
    found = compare(of(numbers), mean=mean)
    ratios = [v / b for v, b in numbers]

    assert found.ratio is not None
    assert min(ratios) * (1 - 1e-9) <= found.ratio <= max(ratios) * (1 + 1e-9)


RUNS = {
    "easy": {1: [10.0], 2: [20.0], 3: [None]},
    "ga": {1: [12.0, 14.0], 2: [26.0, 24.0], 3: [7.0, 7.0]},
    "fcfs": {1: [5.0], 2: [10.0]},
}


def test_all_candidates_beside_one_baseline() -> None:
    found = compare_all(RUNS, "easy")

    assert {name: c.ratio for name, c in found.items()} == {
        "easy": 1.0,
        "ga": pytest.approx(38 / 30),
        "fcfs": 0.5,
    }
    assert [c.pairs for c in found.values()] == [2, 2, 2]
    assert found["ga"].left_out == (UnpairedRuns(3, "baseline not defined"),)
    assert found["fcfs"].left_out == (UnpairedRuns(3, "not run"),)


def test_p_is_corrected_for_all_that_were_tested() -> None:
    up = compare(pairs([2, 3, 4, 5, 6, 7], [1] * 6))
    mixed = compare(pairs([0, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1]))
    few = compare(pairs([2, 3, 4], [1, 1, 1]))

    found = correct({("ga", "wait"): up, ("ga", "utility"): few, ("fcfs", "wait"): mixed})

    assert list(found) == [("ga", "wait"), ("ga", "utility"), ("fcfs", "wait")]
    assert [c.p for c in found.values()] == [0.03125, None, 0.0625]
    assert [c.corrected_p for c in found.values()] == [0.0625, None, 0.0625]
    assert [c.tests for c in found.values()] == [2, 2, 2]


def test_whether_a_corrected_p_could_be_significant_depends_on_all() -> None:
    few = compare(pairs(list(range(2, 8)), [1] * 6))
    many = compare(pairs(list(range(2, 14)), [1] * 12))

    # 2 / 64 twice, for the smaller of two is multiplied by their number
    assert [c.least_p for c in correct({"a": few, "b": few}).values()] == [0.0625, 0.0625]
    # once, where the other of 12 pairs may be smaller
    assert [c.least_p for c in correct({"a": few, "b": many}).values()] == [0.03125, 2**-10]
    # equal pairs are of no help
    ties = compare(pairs([1, 1, *range(2, 8)], [1] * 8))
    assert correct({"a": ties})["a"].least_p == 0.03125
    assert correct({"a": compare(pairs([2], [1]))})["a"].least_p is None


def test_plain_values_for_programs() -> None:
    plain = compare_all(RUNS, "easy")["fcfs"].to_dict()

    assert plain["ratio"] == 0.5
    assert plain["left_out"] == (UnpairedRuns(3, "not run"),)
