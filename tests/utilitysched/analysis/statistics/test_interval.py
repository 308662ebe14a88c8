from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy.stats import bootstrap

from swfx.base.columns import Floats
from utilitysched.analysis.statistics import Interval, bootstrap_interval, ratio_of_means

Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]


def test_worked_by_hand() -> None:
    """Of four draws from 0, 1, 2, 3 the sum is at most 1 in 5 of 256 cases, at most 2 in 15.

    So 2 is where 2.5% are reached, and 10 on the other side: 2/4 and 10/4 of a baseline of 1.
    """
    values, baseline = np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4)

    assert bootstrap_interval(ratio_of_means, values, baseline, seed=0) == Interval(0.5, 2.5)


def test_pairs_are_drawn_and_never_parted() -> None:
    """Every pair has the ratio 2, so every draw of pairs has; parted values would not."""
    baseline = np.array([1.0, 64.0, 512.0, 4096.0])

    interval = bootstrap_interval(ratio_of_means, 2 * baseline, baseline, seed=0)

    assert interval == Interval(2.0, 2.0)


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


@pytest.mark.parametrize(
    ("draw", "n", "least", "most"),
    [
        (_normal, 3, 0.66, 0.84),
        (_skewed, 3, 0.64, 0.82),
        (_normal, 4, 0.70, 0.88),  # too narrow, as docs/metrics.md says
        (_normal, 20, 0.90, 0.98),
        (_skewed, 4, 0.70, 0.88),
        (_skewed, 20, 0.87, 0.97),
    ],
)
@pytest.mark.slow
def test_how_often_the_true_ratio_is_inside(draw: Draw, n: int, least: float, most: float) -> None:
    """Of 200 samples; the standard error of the share is 0.02 to 0.03."""
    generator = np.random.default_rng(5)
    inside = 0
    for seed in range(200):
        interval = bootstrap_interval(ratio_of_means, *draw(generator, n), seed=seed)
        assert interval is not None
        inside += interval.low <= 1.2 <= interval.high

    assert least < inside / 200 < most
