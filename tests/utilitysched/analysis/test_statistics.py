"""Pairs, ratios, intervals, tests, corrections and effect sizes."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, nct, ttest_1samp, ttest_rel
from scipy.stats import t as student

from swfx.base.columns import Floats
from tests.scale import many
from utilitysched.analysis.statistics import (
    MEANS,
    Comparison,
    Interval,
    MeanName,
    Pairs,
    UnpairedRuns,
    bootstrap_interval,
    compare,
    compare_all,
    correct,
    pair,
    pairs_needed,
    pooled,
    rank_biserial,
    ratio_of_geometric_means,
    ratio_of_means,
)


def test_equal_circumstances_meet_whatever_their_order() -> None:
    pairs = pair({("blue", 2): [4.0], ("blue", 1): [3.0]}, {("blue", 1): [1.0], ("blue", 2): [2.0]})

    assert pairs.keys == (("blue", 1), ("blue", 2))
    assert pairs.values.tolist() == [3.0, 4.0]
    assert pairs.baseline.tolist() == [1.0, 2.0]
    assert pairs.left_out == ()


def test_repeats_become_one_value_before_they_are_paired() -> None:
    pairs = pair({1: [1.0, 2.0, 6.0], 2: [5.0, 7.0]}, {1: [4.0], 2: [3.0, 4.0]})

    assert len(pairs) == 2
    assert pairs.values.tolist() == [3.0, 6.0]
    assert pairs.baseline.tolist() == [4.0, 3.5]


def test_the_mean_of_equal_repeats_is_no_other_number() -> None:
    value = 0.1  # three of them are 0.30000000000000004, and a third of that is no 0.1

    pairs = pair({1: [value] * 3}, {1: [value]})

    assert pairs.values.tolist() == pairs.baseline.tolist() == [0.1]


def test_what_makes_no_pair_is_told() -> None:
    ours = {1: [1.0], 2: [1.0, None], 3: [math.nan], 4: [1.0], 6: [1.0]}
    theirs = {1: [1.0], 2: [1.0], 3: [1.0], 4: [math.inf], 5: [1.0]}

    pairs = pair(ours, theirs)

    assert pairs.keys == (1,)
    assert pairs.left_out == (
        UnpairedRuns(2, "not defined"),
        UnpairedRuns(3, "not defined"),
        UnpairedRuns(4, "baseline not defined"),
        UnpairedRuns(5, "not run"),
        UnpairedRuns(6, "baseline not run"),
    )


def test_pairs_of_one_origin_are_one() -> None:
    keys = (("log", 1), ("other", 1), ("log", 2))
    left_out = (UnpairedRuns(("other", 2), "not run"),)
    pairs = Pairs(keys, np.array([1.0, 6.0, 3.0]), np.array([1.0, 4.0, 2.0]), left_out)

    found = pooled(pairs, lambda key: key[0] if isinstance(key, tuple) else key)

    assert found.keys == ("log", "other")
    assert (found.values.tolist(), found.baseline.tolist()) == ([2.0, 6.0], [1.5, 4.0])
    assert found.left_out == left_out


def test_nothing_in_common() -> None:
    pairs = pair({}, {})

    assert (len(pairs), pairs.values.shape, pairs.left_out) == (0, (0,), ())


@pytest.mark.parametrize(
    ("values", "message"), [([1.0, 2.0], "as many as each other"), ([math.nan], "finite")]
)
def test_refused(values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Pairs((1,), np.array(values), np.array([1.0]))


TWICE_AND_HALF = np.array([2.0, 50.0]), np.array([1.0, 100.0])


def test_the_ratio_of_means_counts_pairs_by_their_size() -> None:
    assert ratio_of_means(*TWICE_AND_HALF) == pytest.approx(52 / 101)


def test_the_ratio_of_medians_leaves_out_a_few_that_are_large() -> None:
    values, baseline = np.array([2.0, 3.0, 1e9]), np.array([1.0, 2.0, 3.0])

    assert MEANS["median"].ratio(values, baseline, -1) == pytest.approx(1.5)
    assert compare(Pairs(("a", "b", "c"), values, baseline), mean="median").mean == 3.0


def test_along_an_axis() -> None:
    values, baseline = np.array([[2.0, 4.0], [3.0, 27.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])

    assert ratio_of_means(values, baseline).tolist() == [3.0, 15.0]
    assert ratio_of_means(values, baseline, axis=0).tolist() == [2.5, 15.5]
    assert ratio_of_geometric_means(values, baseline) == pytest.approx([8**0.5, 9])


@pytest.mark.parametrize("baseline", [[0.0, 0.0], [1.0, -1.0], [-1.0, -2.0]])
def test_no_ratio_to_nothing_or_less(baseline: list[float]) -> None:
    assert np.isnan(ratio_of_means(np.array([1.0, 2.0]), np.array(baseline)))


def test_one_baseline_of_0_is_part_of_a_mean_but_of_no_geometric_one() -> None:
    values, baseline = np.array([1.0, 3.0]), np.array([0.0, 2.0])

    assert ratio_of_means(values, baseline) == 2.0
    assert np.isnan(ratio_of_geometric_means(values, baseline))
    assert np.isnan(ratio_of_geometric_means(baseline, values))


Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def test_worked_by_hand() -> None:
    """Of four draws from 0, 1, 2, 3 the sum is at most 1 in 5 of 256 cases, at most 2 in 15.

    So 2 is where 2.5% are reached, and 10 on the other side: 2/4 and 10/4 of a baseline of 1.
    """
    values, baseline = np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4)

    assert bootstrap_interval(ratio_of_means, values, baseline, seed=0) == Interval(0.5, 2.5)


def test_beside_all_draws_there_are() -> None:
    values, baseline = np.array([2.0, 3.0, 5.0, 7.0, 11.0]), np.array([1.0, 2.0, 2.0, 3.0, 9.0])
    draws = np.array(list(product(range(5), repeat=5)))
    exact = np.quantile(ratio_of_means(values[draws], baseline[draws]), [0.025, 0.975])

    interval = bootstrap_interval(ratio_of_means, values, baseline, seed=0)

    assert interval == pytest.approx(exact.tolist(), rel=0.01)


def test_beside_the_bootstrap_of_scipy() -> None:
    generator = np.random.default_rng(0)
    values, baseline = generator.lognormal(size=8), generator.lognormal(size=8)
    theirs = bootstrap(
        (values, baseline), ratio_of_means, paired=True, method="percentile", rng=3
    ).confidence_interval

    interval = bootstrap_interval(ratio_of_means, values, baseline, seed=3)

    assert interval == pytest.approx(tuple(theirs), rel=1e-12)


def test_a_seed_gives_one_interval() -> None:
    generator = np.random.default_rng(0)
    values, baseline = generator.lognormal(size=30), generator.lognormal(size=30)
    found = [bootstrap_interval(ratio_of_means, values, baseline, seed=s) for s in (1, 1, 2)]

    assert found[0] == found[1] != found[2]


def test_two_pairs_say_nothing_of_others() -> None:
    assert bootstrap_interval(ratio_of_means, np.array([2.0, 3.0]), np.ones(2), seed=0) is None
    assert bootstrap_interval(ratio_of_means, np.array([2.0, 3.0, 4.0]), np.ones(3), seed=0)


def test_none_where_draws_have_no_ratio() -> None:
    """With three baselines of four at 0, one draw in three has nothing but those."""
    baseline = np.array([0.0, 0.0, 0.0, 1.0])

    assert bootstrap_interval(ratio_of_means, np.ones(4), baseline, seed=0) is None


def _normal(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    baseline = generator.normal(100, 10, n)
    return 1.2 * baseline + generator.normal(0, 5, n), baseline


def _skewed(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Log-normal baselines and ratios; E exp(N(0, s**2)) = exp(s**2 / 2)."""
    baseline = generator.lognormal(0, 0.3, n)
    return 1.2 * baseline * generator.lognormal(-(0.3**2) / 2, 0.3, n), baseline


def _heavy(generator: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Baselines and ratios over a factor of ten."""
    baseline = generator.lognormal(0, 1, n)
    return 1.2 * baseline * generator.lognormal(-0.5, 1, n), baseline


@pytest.mark.parametrize(
    ("draw", "n", "least", "most"),
    [
        (_skewed, 3, 0.92, 0.98),
        (_normal, 4, 0.92, 0.98),
        (_skewed, 20, 0.92, 0.98),
        (_heavy, 4, 0.85, 0.98),
    ],
)
def test_how_often_the_true_ratio_is_inside(draw: Draw, n: int, least: float, most: float) -> None:
    """Of 500 samples; the standard error of the share is 0.01."""
    generator = np.random.default_rng(5)
    inside = 0
    for _ in range(500):
        interval = compare(Pairs(tuple(range(n)), *draw(generator, n))).interval
        assert interval is not None
        inside += interval.low <= 1.2 <= interval.high

    assert least < inside / 500 < most


def test_differences_are_tested_as_scipy_does() -> None:
    values, baseline = np.random.default_rng(0).normal(size=(2, 9))
    theirs = ttest_rel(values, baseline)

    ours = compare(Pairs(tuple(range(9)), values, baseline), mean="difference")

    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.interval == pytest.approx(tuple(theirs.confidence_interval()))


def test_logarithms_of_ratios_are_tested_as_scipy_does() -> None:
    values, baseline = np.exp(np.random.default_rng(0).normal(size=(2, 9)))
    theirs = ttest_rel(np.log(values), np.log(baseline))

    ours = compare(Pairs(tuple(range(9)), values, baseline), mean="geometric")

    assert ours.p == pytest.approx(theirs.pvalue)
    assert ours.interval == pytest.approx(tuple(np.exp(theirs.confidence_interval())))


def test_the_ratio_of_means_worked_by_hand() -> None:
    """Without one pair the ratios are 5/2, 3/2 and 2: s is 2 times their logarithms' spread."""
    found = compare(Pairs(("a", "b", "c"), np.array([1.0, 3.0, 2.0]), np.ones(3)))

    spread = 2 * np.std(np.log([2.5, 1.5, 2.0]), ddof=1)
    assert found.spread == pytest.approx(spread)
    assert found.p == pytest.approx(2 * student.sf(math.log(2) / (spread / 3**0.5), 2))
    factor = math.exp(student.isf(0.025, 2) * spread / 3**0.5)
    assert found.interval == pytest.approx((2 / factor, 2 * factor))


def test_a_ratio_below_0_is_tested_as_it_is() -> None:
    """Beside a baseline that is always the same it is the t test of the mean."""
    values = np.array([-3.0, 1.0, -2.0, -1.0])
    theirs = ttest_1samp(values / 2, 1.0)

    found = compare(pairs(values.tolist(), [2.0] * 4))

    assert found.p == pytest.approx(theirs.pvalue)
    assert found.interval == pytest.approx(tuple(theirs.confidence_interval()))
    assert found.is_significant


def test_medians_are_tested_with_the_standard_error_of_a_bootstrap() -> None:
    generator = np.random.default_rng(4)
    values, baseline = _skewed(generator, 40)
    theirs = bootstrap(
        (values, baseline),
        lambda x, y, axis: np.log(MEANS["median"].ratio(x, y, axis)),
        paired=True,
        rng=1,
    ).standard_error

    found = compare(Pairs(tuple(range(40)), values, baseline), mean="median")

    assert found.spread == pytest.approx(theirs * 40**0.5, rel=0.05)
    assert found.interval is not None


@pytest.mark.parametrize(
    ("values", "baseline"),
    [
        ([1, 2], [2, 5]),  # fewer than three
        ([1, 2, 3], [0, 0, 0]),
    ],
)
def test_neither_test_nor_interval(values: list[float], baseline: list[float]) -> None:
    found = compare(pairs(values, baseline))

    assert (found.interval, found.p, found.corrected_p, found.spread) == (None,) * 4
    assert not found.is_certain


@pytest.mark.parametrize(
    ("values", "mean", "is_certain"),
    [
        ([2.2, 4.4, 6.6, 11.0], "arithmetic", True),
        ([2.2, 4.4, 6.6, 11.0], "geometric", True),
        ([2.2, 4.4, 6.6, 11.0], "median", True),
        ([2.5, 4.5, 6.5, 10.5], "difference", True),
        ([0, 0, 0, 0], "arithmetic", True),
        ([2, 4, 6, 10], "arithmetic", False),
        ([2, 4, 6, 10], "difference", False),
    ],
)
def test_what_is_the_same_in_all_pairs_needs_no_test(
    values: list[float], mean: MeanName, is_certain: bool
) -> None:
    found = compare(pairs(values, [2, 4, 6, 10]), mean=mean)

    assert (found.interval, found.p, found.spread) == (None, None, 0.0)
    assert found.is_certain == is_certain
    assert pairs_needed(found) is None


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


def test_nothing_slow_is_loaded_before_it_is_needed() -> None:
    code = "import sys, utilitysched.analysis.statistics; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())

    assert "utilitysched.analysis.statistics" in loaded
    assert {"scipy", "pandas"} & loaded == set()


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

    # differences 1, 2, 3, 4, 5, -0.5: rank 1 is negative
    assert (found.pairs, found.above, found.below, found.unequal) == (6, 5, 1, 6)
    assert (found.mean, found.baseline_mean) == (5.5, 18.5 / 6)
    assert found.ratio == pytest.approx(33 / 18.5)
    assert found.p == found.corrected_p
    assert found.rank_biserial == pytest.approx(19 / 21)
    assert found.interval is not None
    assert found.interval.low < 33 / 18.5 < found.interval.high


def test_the_geometric_mean_counts_pairs_alike() -> None:
    found = compare(pairs([2, 50, 8], [1, 100, 8]), mean="geometric")

    assert found.ratio == pytest.approx(1.0)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(1 / found.interval.high)
    assert found.rank_biserial == pytest.approx(0.0)


def test_differences_to_a_baseline_of_nothing_but_0() -> None:
    found = compare(pairs([0.5, -0.1, 0.2, 0.4], [0, 0, 0, 0]), mean="difference")

    assert found.ratio == pytest.approx(0.25)
    assert found.interval is not None
    assert sum(found.interval) / 2 == pytest.approx(0.25)


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
    assert (found.ratio, found.interval) == (1.0, None)


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
@given(positive, st.integers(-20, 20), means)
def test_a_unit_changes_neither_ratio_nor_rank(
    numbers: Numbers, power: int, mean: MeanName
) -> None:
    """Units that are no powers of two may round two equal differences apart."""
    found = compare(of([(2.0**power * v, 2.0**power * b) for v, b in numbers]), mean=mean)
    expected = compare(of(numbers), mean=mean)

    assert found.rank_biserial == expected.rank_biserial
    assert found.p == (expected.p and pytest.approx(expected.p))
    assert found.ratio == pytest.approx(expected.ratio)
    assert found.interval == (expected.interval and pytest.approx(expected.interval))


@some
@given(positive, means)
def test_the_other_way_round(numbers: Numbers, mean: MeanName) -> None:
    there = compare(of(numbers), mean=mean)
    back = compare(of([(b, v) for v, b in numbers]), mean=mean)

    assert there.ratio is not None
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert (back.above, back.below) == (there.below, there.above)
    assert back.p == (there.p and pytest.approx(there.p))
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


def test_p_and_interval_are_corrected_for_all_that_were_tested() -> None:
    up = compare(pairs([2, 3, 4, 5, 6, 7], [1] * 6))
    mixed = compare(pairs([0, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1]))
    few = compare(pairs([2, 3], [1, 1]))

    found = correct({("ga", "wait"): up, ("ga", "utility"): few, ("fcfs", "wait"): mixed})

    assert list(found) == [("ga", "wait"), ("ga", "utility"), ("fcfs", "wait")]
    assert up.p is not None
    assert found["ga", "wait"].corrected_p == 2 * up.p
    assert found["ga", "utility"].corrected_p is None
    assert [c.tests for c in found.values()] == [2, 2, 2]
    wider = found["ga", "wait"].interval
    assert up.interval is not None
    assert wider is not None
    assert wider.low < up.interval.low < up.interval.high < wider.high


samples = st.integers(3, 12).flatmap(
    lambda n: st.lists(st.tuples(st.floats(0.1, 1e3), st.floats(0.1, 1e3)), min_size=n, max_size=n)
)


@settings(max_examples=many(200))
@given(st.lists(samples, min_size=1, max_size=4), st.sampled_from(sorted(MEANS)))
def test_an_interval_excludes_no_difference_exactly_if_p_is_below_5_percent(
    several: list[Numbers], mean: MeanName
) -> None:
    found = correct({i: compare(of(numbers), mean=mean) for i, numbers in enumerate(several)})

    for each in found.values():
        assert (each.interval is None) == (each.corrected_p is None)
        if each.interval is not None and abs((each.corrected_p or 0) - 0.05) > 1e-9:
            assert each.is_significant == ((each.corrected_p or 0) < 0.05)
            assert each.interval.low <= (each.ratio or 0) <= each.interval.high


def test_all_intervals_together_hold_their_values() -> None:
    """Of 200 families of six comparisons with one baseline at most 5% miss one, within noise."""
    generator = np.random.default_rng(3)
    missed = 0
    for _ in range(200):
        baseline = generator.normal(100, 10, 6)
        others = [
            pairs(list(baseline + generator.normal(0, 9, 6)), list(baseline)) for _ in "abcdef"
        ]
        family = {i: compare(other, mean="difference") for i, other in enumerate(others)}
        missed += any(each.is_significant for each in correct(family).values())

    assert missed / 200 < 0.1


@pytest.mark.parametrize(("effect", "tests"), [(0.3, 1), (0.8, 1), (1.5, 6), (0.5, 12)])
def test_pairs_needed_are_those_of_the_exact_power(effect: float, tests: int) -> None:
    """The noncentral t distribution says which is the first number of pairs of 80% power."""

    def power(n: int) -> float:
        claim = student.isf(0.025 / tests, n - 1)
        return float(nct.sf(claim, n - 1, effect * math.sqrt(n)))

    exact = next(n for n in range(2, 2000) if power(n) >= 0.8)
    found = replace(compare(pairs([1], [0]), mean="difference"), spread=1 / effect, tests=tests)

    needed = pairs_needed(found)

    assert needed is not None
    assert abs(needed - exact) <= max(1, 0.06 * exact)


def test_so_many_pairs_show_the_difference_four_times_of_five() -> None:
    generator = np.random.default_rng(6)
    planned = replace(compare(pairs([1.1], [1.0]), mean="geometric"), spread=0.15)
    needed = pairs_needed(planned)
    assert needed is not None
    shown = 0
    for _ in range(500):
        ratios = 1.1 * np.exp(generator.normal(0, 0.15, needed))
        drawn = Pairs(tuple(range(needed)), ratios, np.ones(needed))
        shown += compare(drawn, mean="geometric").is_significant

    assert 0.75 < shown / 500 < 0.87


@pytest.mark.parametrize("values", [[1, 1, 1], [2], [2, 2, 2]])
def test_no_number_of_pairs_without_difference_or_spread(values: list[float]) -> None:
    assert pairs_needed(compare(pairs(values, [1.0] * len(values)))) is None
