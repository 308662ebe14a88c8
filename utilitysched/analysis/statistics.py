"""Paired comparisons with a baseline: pairs, ratios and intervals, tests and effect sizes.

Functions of numbers and the keys that pair them; what was measured is of no concern here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist, mean
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from swfx.base.columns import Floats
from swfx.base.missing import importing

__all__ = [
    "LEAST",
    "LEVEL",
    "MEANS",
    "POWER",
    "RESAMPLES",
    "SIGNIFICANT",
    "Comparison",
    "Interval",
    "Mean",
    "MeanName",
    "Pairs",
    "Runs",
    "UnpairedRuns",
    "bootstrap_interval",
    "compare",
    "compare_all",
    "correct",
    "correlations",
    "difference_of_means",
    "log_ratio",
    "pair",
    "pairs_needed",
    "pooled",
    "rank_biserial",
    "ratio_of_geometric_means",
    "ratio_of_means",
    "scipy_stats",
    "tested",
    "to_baseline",
]

Runs = Mapping[Hashable, Sequence[float | None]]
"""By circumstances, for instance (workload, slice, seed of the utilities): a value per repeat."""


class UnpairedRuns(NamedTuple):
    """Circumstances, by their key, that do not make a pair, and why."""

    key: Hashable
    reason: str


@dataclass(frozen=True, eq=False)
class Pairs:
    """A value and the baseline's under the same circumstances, pair by pair.

    Attributes
    ----------
    keys : tuple of hashable
        The circumstances, n of them.
    values, baseline : ndarray, shape (n,)
        Finite; of any unit, the same for both.
    left_out : tuple of UnpairedRuns
        Circumstances without a pair.

    Raises
    ------
    ValueError
        If the shapes differ or a value is not finite.
    """

    keys: tuple[Hashable, ...]
    values: Floats
    baseline: Floats
    left_out: tuple[UnpairedRuns, ...] = ()

    def __post_init__(self) -> None:
        if not (len(self.keys),) == self.values.shape == self.baseline.shape:
            raise ValueError("keys, values and baseline must be as many as each other")
        if not (np.isfinite(self.values).all() and np.isfinite(self.baseline).all()):
            raise ValueError("values of a pair must be finite; leave out what is not defined")

    def __len__(self) -> int:
        return len(self.keys)


def pair(values: Runs, baseline: Runs) -> Pairs:
    """Average the repeats of either side, then put equal circumstances side by side.

    Repeats share workload and utilities, so they are no independent draws: four of them tell
    little more about another workload than one does. Only their mean enters the pair. A mean over
    the repeats that happen to be defined would be of another quantity, so one that is not defined
    leaves the pair out.

    Parameters
    ----------
    values, baseline : mapping of hashable to sequence of float or None
        Values of the repeats; None, nan and infinity are not defined. The numbers of repeats
        may differ.

    Examples
    --------
    >>> baseline = {"a": [2.0], "b": [3.0], "c": [1.0]}
    >>> pairs = pair({"a": [3.0, 5.0], "b": [6.0], "c": [None]}, baseline)
    >>> pairs.values.tolist(), pairs.baseline.tolist()
    ([4.0, 6.0], [2.0, 3.0])
    >>> pairs.left_out
    (UnpairedRuns(key='c', reason='not defined'),)
    """
    kept: list[tuple[Hashable, float, float]] = []
    left_out: list[UnpairedRuns] = []
    for key in dict.fromkeys((*baseline, *values)):
        ours, theirs = _mean(values.get(key, ())), _mean(baseline.get(key, ()))
        if isinstance(ours, float) and isinstance(theirs, float):
            kept.append((key, ours, theirs))
        else:
            left_out.append(UnpairedRuns(key, _reason(ours, theirs)))
    keys, first, second = zip(*kept, strict=True) if kept else ((), (), ())
    return Pairs(keys, np.array(first, float), np.array(second, float), tuple(left_out))


def pooled(pairs: Pairs, origin: Callable[[Hashable], Hashable]) -> Pairs:
    """Return one pair per origin: the means over its pairs, on either side.

    Draws of utility functions on one log are to other logs what repeats are to other draws: many
    of them say much about this log, and little about another one. What is to be said of several
    workloads has to come from as many values as there are workloads.

    Parameters
    ----------
    pairs : Pairs
        Any number.
    origin : callable
        What the pairs of a key have in common: its workload.

    Examples
    --------
    >>> keys = (("log", 1), ("log", 2), ("other", 1))
    >>> pairs = Pairs(keys, np.array([1.0, 3.0, 6.0]), np.array([1.0, 2.0, 4.0]))
    >>> found = pooled(pairs, lambda key: key[0])
    >>> found.keys, found.values.tolist(), found.baseline.tolist()
    (('log', 'other'), [2.0, 6.0], [1.5, 4.0])
    """
    members: dict[Hashable, list[int]] = {}
    for place, key in enumerate(pairs.keys):
        members.setdefault(origin(key), []).append(place)
    values, baseline = (
        np.array([mean(column[places].tolist()) for places in members.values()], float)
        for column in (pairs.values, pairs.baseline)
    )
    return Pairs(tuple(members), values, baseline, pairs.left_out)


def _mean(repeats: Sequence[float | None]) -> float | str:
    """Return the mean, or why there is none; the mean of equal values is that value exactly."""
    numbers = [value for value in repeats if value is not None and math.isfinite(value)]
    if not repeats:
        return "not run"
    return float(mean(numbers)) if len(numbers) == len(repeats) else "not defined"


def _reason(ours: float | str, theirs: float | str) -> str:
    return ours if isinstance(ours, str) else f"baseline {theirs}"


MeanName = Literal["arithmetic", "geometric", "median", "difference"]
"""Names of the means."""


def ratio_of_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Divide the mean of the values by the mean of the baseline; nan unless the latter is above 0.

    Examples
    --------
    >>> float(ratio_of_means(np.array([2.0, 4.0]), np.array([1.0, 3.0])))
    1.5
    """
    return _ratio(values.mean(axis), baseline.mean(axis))


def ratio_of_medians(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Divide the median of the values by that of the baseline; nan unless the latter is above 0.

    Examples
    --------
    >>> float(ratio_of_medians(np.array([2.0, 3.0, 90.0]), np.array([1.0, 2.0, 9.0])))
    1.5
    """
    return _ratio(np.median(values, axis), np.median(baseline, axis))


def _ratio(over: Floats, under: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(under > 0, over / under, np.nan)


def difference_of_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Return the mean of the differences of the pairs.

    Examples
    --------
    >>> float(difference_of_means(np.array([2.0, 4.0]), np.array([1.0, 1.0])))
    2.0
    """
    difference: Floats = (values - baseline).mean(axis)
    return difference


def ratio_of_geometric_means(values: Floats, baseline: Floats, axis: int = -1) -> Floats:
    """Return the geometric mean of the ratios of the pairs; nan unless every value is above 0.

    Examples
    --------
    >>> round(float(ratio_of_geometric_means(np.array([2.0, 1.0]), np.array([1.0, 2.0]))), 12)
    1.0
    """
    ratio: Floats = np.exp(log_ratio(values, baseline).mean(axis))
    return ratio


def log_ratio(values: Floats, baseline: Floats) -> Floats:
    """Return the logarithm of each pair's ratio; nan unless both values are above 0.

    Equal ratios have equal logarithms, which the difference of two logarithms would not give.
    """
    positive = (values > 0) & (baseline > 0)
    over, under = np.where(positive, values, np.nan), np.where(positive, baseline, np.nan)
    logarithm: Floats = np.log(over / under)
    return logarithm


class Mean(NamedTuple):
    """A way to sum up pairs.

    Attributes
    ----------
    ratio : callable
        Of values, baseline and an axis: the ratio of the means, or their difference.
    difference : callable
        Of values and baseline: each pair's difference, whose ranks make the effect size.
    middle : callable
        Of values: what stands beside the ratio.
    """

    ratio: Callable[[Floats, Floats, int], Floats]
    difference: Callable[[Floats, Floats], Floats]
    middle: Callable[[Floats], Any] = np.mean


MEANS: dict[MeanName, Mean] = {
    "arithmetic": Mean(ratio_of_means, np.subtract),
    "geometric": Mean(ratio_of_geometric_means, log_ratio),
    "median": Mean(ratio_of_medians, np.subtract, np.median),
    "difference": Mean(difference_of_means, np.subtract),
}
"""The arithmetic mean counts each pair by its size, the geometric mean counts all alike.

The median is for pairs of which a few would decide a mean, windows of a log among them.

By differences are compared what may be 0 or less, shares of a gap among them.
"""


def to_baseline(values: Mapping[str, float], baseline: str) -> dict[str, float]:
    """Return the ratios of values to the baseline's, by name; none without it, or if it is 0."""
    base = values.get(baseline)
    return {name: value / base for name, value in values.items()} if base else {}


LEVEL = 0.95
"""Share of all cases in which an interval should hold the true value."""

RESAMPLES = 9999
"""Draws of the bootstrap."""

LEAST = 3
"""Pairs below which there is no interval: two values say next to nothing about others."""


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float


def bootstrap_interval(
    ratio: Callable[[Floats, Floats, int], Floats], values: Floats, baseline: Floats, *, seed: int
) -> Interval | None:
    """Return the 95% percentile bootstrap interval of a ratio; pairs are what is drawn anew.

    Parameters
    ----------
    ratio : callable
        Of values, baseline and the axis of the pairs.
    values, baseline : ndarray, shape (n,)
        Pairs.
    seed : int
        Of the draws.

    Returns
    -------
    Interval or None
        None for fewer than `LEAST` pairs, or if a draw has no ratio, as where the baselines
        drawn are all 0.

    Examples
    --------
    >>> from utilitysched.analysis.statistics import ratio_of_means
    >>> bootstrap_interval(ratio_of_means, np.array([2.0, 3.0, 4.0]), np.ones(3), seed=0)
    Interval(low=2.0, high=4.0)

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    ratios = _resampled(ratio, values, baseline, seed)
    if len(values) < LEAST or not np.isfinite(ratios).all():
        return None
    low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def _resampled(
    ratio: Callable[[Floats, Floats, int], Floats], values: Floats, baseline: Floats, seed: int
) -> Floats:
    """Return the ratios of `RESAMPLES` draws of as many pairs, not finite where there is none."""
    if not len(values):
        return np.full(RESAMPLES, np.nan)
    drawn = np.random.default_rng(seed).integers(0, len(values), (RESAMPLES, len(values)))
    with np.errstate(divide="ignore", invalid="ignore"):
        return ratio(values[drawn], baseline[drawn], -1)


SIGNIFICANT = 0.05
"""A corrected p below this is called significant: the chance of even one false claim."""

POWER = 0.8
"""Chance that the number of pairs said to be needed shows the difference."""

ROUNDING = 1e-12
"""Difference between pairs, relative to their size, that comes from rounding alone."""


def scipy_stats() -> Any:
    """Import the tests of scipy, an extra.

    Raises
    ------
    InputError
        If scipy is not installed.
    """
    with importing("a test of significance", "scipy"):
        from scipy import stats  # noqa: PLC0415  slow to import
    return stats


def rank_biserial(differences: Floats) -> float | None:
    """Return the matched-pairs rank-biserial correlation, from -1 to 1.

    Absolute differences are ranked; the ranks of positive differences less those of negative ones
    are divided by the sum of all. 1: no pair is below its baseline; 0: as much above as below.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Of the pairs; those without difference are left out.

    Returns
    -------
    float or None
        None if a difference is not defined, or all are 0.

    Examples
    --------
    >>> rank_biserial(np.array([1.0, -2.0, 3.0, 4.0]))
    0.6

    References
    ----------
    D. S. Kerby, The simple difference formula, Comprehensive Psychology 3, 11.IT.3.1, 2014.
    """
    unequal = differences[differences != 0]
    if not len(unequal) or not np.isfinite(unequal).all():
        return None
    ranks = scipy_stats().rankdata(np.abs(unequal))
    return float(np.sum(np.sign(unequal) * ranks) / np.sum(ranks))


Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True)
class Comparison:
    """Estimate, interval, test and effect size of paired values; None where undefined.

    Interval and test are one: the interval excludes `null` exactly if `corrected_p` is below 5%.
    Neither is there where all pairs say the same: these leave nothing to chance.

    Attributes
    ----------
    pairs : int
        How many.
    above, below : int
        How many of them are above the baseline's value, and below.
    mean, baseline_mean : float or None
        Arithmetic means over the pairs.
    ratio : float or None
        Of the means that were asked for, to the baseline's; or their difference.
    interval : Interval or None
        That of the t test. It holds the true value in 95% of all cases together with the intervals
        of all comparisons made together; see `correct`.
    p : float or None
        Of the paired t test, two-sided.
    corrected_p : float or None
        The same, corrected for all comparisons made together; see `correct`.
    rank_biserial : float or None
        Effect size, -1 to 1; above 0 is above the baseline.
    left_out : tuple of UnpairedRuns
        Circumstances without a pair.
    tests : int
        How many comparisons interval and `corrected_p` are corrected for.
    spread : float or None
        Standard deviation over the pairs of the difference, the ratio or its logarithm; 0 if all
        pairs say the same, None if it is not known.
    is_ratio : bool
        Whether `ratio` is one, not a difference.
    is_log : bool
        Whether `spread` is that of the logarithm.
    """

    pairs: int
    above: int
    below: int
    mean: float | None
    baseline_mean: float | None
    ratio: float | None
    interval: Interval | None
    p: float | None
    corrected_p: float | None
    rank_biserial: float | None
    left_out: tuple[UnpairedRuns, ...] = ()
    tests: int = 1
    spread: float | None = None
    is_ratio: bool = True
    is_log: bool = False

    @property
    def unequal(self) -> int:
        """Pairs whose values differ."""
        return self.above + self.below

    @property
    def null(self) -> float:
        """Value of `ratio` if there is no difference."""
        return 1.0 if self.is_ratio else 0.0

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes `null`: the difference is more than chance."""
        interval = self.interval
        return interval is not None and not interval.low <= self.null <= interval.high

    @property
    def is_certain(self) -> bool:
        """Whether there is a difference, and either more than chance or the same in all pairs."""
        return self.is_significant or (self.spread == 0 and self.distance > ROUNDING)

    @property
    def distance(self) -> float:
        """How far `ratio` is from `null`, in the unit of `spread`; nan without a ratio."""
        if self.ratio is None:
            return math.nan
        return abs(math.log(self.ratio)) if self.is_log else abs(self.ratio - self.null)


def compare(pairs: Pairs, *, mean: MeanName = "arithmetic") -> Comparison:
    """Compare values with the baseline's, pair by pair; the order of the pairs is of no effect.

    The test is the paired t test; of ratios, on the logarithm if all samples with one pair left
    out have one. The standard error is that of the jackknife; of medians, that of `RESAMPLES`
    bootstrap draws.

    Parameters
    ----------
    pairs : Pairs
        Any number.
    mean : {"arithmetic", "geometric", "median", "difference"}
        What the ratio is of: `utilitysched.analysis.statistics.MEANS`.

    Examples
    --------
    >>> compare(Pairs(("a", "b"), np.array([3.0, 5.0]), np.array([2.0, 3.0]))).ratio
    1.6
    """
    order = np.lexsort((pairs.values, pairs.baseline))
    values, baseline = pairs.values[order], pairs.baseline[order]
    way = MEANS[mean]
    comparison = Comparison(
        pairs=len(pairs),
        above=int(np.sum(values > baseline)),
        below=int(np.sum(values < baseline)),
        mean=_middle(way, values),
        baseline_mean=_middle(way, baseline),
        ratio=_finite(way.ratio(values, baseline, -1)) if len(pairs) else None,
        interval=None,
        p=None,
        corrected_p=None,
        rank_biserial=rank_biserial(way.difference(values, baseline)),
        left_out=pairs.left_out,
        is_ratio=mean != "difference",
    )
    return tested(_with_spread(comparison, way, values, baseline), 1)


def _with_spread(comparison: Comparison, way: Mean, values: Floats, baseline: Floats) -> Comparison:
    """Return a comparison with its standard deviation over the pairs, if that can be known.

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, sections 6.2 and 11.2.
    """
    ratio, n = comparison.ratio, comparison.pairs
    if ratio is None or n < LEAST:
        return comparison
    expected = ratio * baseline if comparison.is_ratio else ratio + baseline
    if np.abs(values - expected).max() <= ROUNDING * np.abs([values, baseline]).max():
        return replace(comparison, spread=0.0)
    if way.middle is np.median:
        samples, scale = _resampled(way.ratio, values, baseline, 0), math.sqrt(n)
    else:
        others = np.nonzero(~np.eye(n, dtype=bool))[1].reshape(n, n - 1)
        samples = way.ratio(values[others], baseline[others], -1)
        scale = math.sqrt(n * (n - 1))
    is_log = comparison.is_ratio and ratio > 0 and bool((samples > 0).all())
    spread = float(np.std(np.log(samples) if is_log else samples)) * scale
    known = math.isfinite(spread) and spread > 0
    return replace(comparison, spread=spread if known else None, is_log=is_log)


def tested(comparison: Comparison, tests: int) -> Comparison:
    """Return a comparison with test and interval, corrected for a number of tests."""
    ratio, spread, n = comparison.ratio, comparison.spread, comparison.pairs
    if ratio is None or not spread:
        return replace(comparison, interval=None, p=None, corrected_p=None, tests=tests)
    t = scipy_stats().t
    error = spread / math.sqrt(n)
    p = float(2 * t.sf(comparison.distance / error, n - 1))
    width = float(t.isf(SIGNIFICANT / (2 * tests), n - 1)) * error
    low, high = ratio - width, ratio + width
    if comparison.is_log:
        factor = math.exp(min(width, 700.0))  # more is no number
        low, high = ratio / factor, ratio * factor
    return replace(
        comparison,
        interval=Interval(low, high),
        p=p,
        corrected_p=min(1.0, tests * p),
        tests=tests,
    )


def pairs_needed(comparison: Comparison) -> int | None:
    """Return how many pairs would show the difference with a power of 80%, if it is as observed.

    n = (z_a + z_b)^2 (s / d)^2 + z_a^2 / 2: d is the difference or the logarithm of the ratio, s
    its standard deviation over the pairs, z_a the normal quantile of 1 - 5% / (2 `tests`) and z_b
    that of the power. The last term makes up for the t distribution.

    Parameters
    ----------
    comparison : Comparison
        Corrected for all comparisons made together; see `correct`.

    Returns
    -------
    int or None
        At least `LEAST`; None where no spread is known, or no difference was observed.

    References
    ----------
    W. C. Guenther, Sample size formulas for normal theory t tests, The American Statistician
    35(4), 1981.

    Examples
    --------
    >>> values, baseline = np.array([1.0, 3.0, -1.0, 1.5]), np.zeros(4)
    >>> pairs_needed(compare(Pairs(tuple("abcd"), values, baseline), mean="difference"))
    19
    """
    spread, distance = comparison.spread, comparison.distance
    if not spread or not distance > 0:
        return None
    claim = NormalDist().inv_cdf(1 - SIGNIFICANT / (2 * comparison.tests))
    both = claim + NormalDist().inv_cdf(POWER)
    return max(math.ceil((both * spread / distance) ** 2 + claim**2 / 2), LEAST)


def compare_all(
    runs: Mapping[str, Runs], baseline: str, *, mean: MeanName = "arithmetic"
) -> dict[str, Comparison]:
    """Compare every candidate with the baseline, the baseline itself included.

    Parameters
    ----------
    runs : mapping of str to Runs
        Values by candidate, circumstances and repeat.
    baseline : str
        One of the candidates.
    mean
        As in `compare`.

    Raises
    ------
    KeyError
        If the baseline is not among the candidates.
    """
    return {name: compare(pair(values, runs[baseline]), mean=mean) for name, values in runs.items()}


def correct(comparisons: Mapping[Name, Comparison]) -> dict[Name, Comparison]:
    """Correct intervals and p for the number of comparisons: give all that are shown together.

    Each of m comparisons is tested at 5% / m, and its interval is as wide as that: all of them
    together hold their true values in at least 95% of all cases, however they depend on each
    other; comparisons with one baseline do. Holm's step-down method finds a little more, but has
    no two-sided intervals that go with it.

    Parameters
    ----------
    comparisons : mapping of hashable to Comparison
        Of several candidates, and where there are several metrics or workloads, of all of these.
        Those without p do not count.

    References
    ----------
    O. J. Dunn, Multiple comparisons among means, J. Am. Stat. Assoc. 56, 1961.
    K. Strassburger and F. Bretz, Compatible simultaneous lower confidence bounds for the Holm
    procedure and other Bonferroni-based closed tests, Statistics in Medicine 27, 2008.
    """
    tests = max(sum(each.p is not None for each in comparisons.values()), 1)
    return {name: tested(comparison, tests) for name, comparison in comparisons.items()}


def _middle(way: Mean, values: Floats) -> float | None:
    return float(way.middle(values)) if len(values) else None


def _finite(value: Floats) -> float | None:
    return float(value) if np.isfinite(value) else None


def correlations(columns: Sequence[Floats]) -> dict[str, Floats]:
    """Return the coefficients of Pearson, Kendall and Spearman of each two columns.

    Parameters
    ----------
    columns : sequence of (n,) float64
        m figures of the same n cases.

    Returns
    -------
    mapping of str to (m, m) float64
        By name; not a number where a figure is always the same.
    """
    stats = scipy_stats()
    kinds = {
        "Pearson": stats.pearsonr,
        "Kendall": stats.kendalltau,
        "Spearman": stats.spearmanr,
    }
    tables = {name: np.full((len(columns), len(columns)), np.nan) for name in kinds}
    varied = [k for k, column in enumerate(columns) if len(column) > 1 and np.ptp(column) > 0]
    for name, coefficient in kinds.items():
        for a in varied:
            for b in varied:
                tables[name][a, b] = coefficient(columns[a], columns[b]).statistic
    return tables
