"""Paired comparisons with a baseline: pairs, ratios and intervals, tests and effect sizes.

Functions of numbers and the keys that pair them; what was measured is of no concern here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from swfx.base.columns import Floats
from swfx.base.missing import importing

__all__ = [
    "LEAST",
    "LEVEL",
    "MEANS",
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
    "corrected",
    "correlations",
    "coverage",
    "difference_of_means",
    "least_pairs",
    "log_ratio",
    "pair",
    "pooled",
    "rank_biserial",
    "ratio_of_geometric_means",
    "ratio_of_means",
    "scipy_stats",
    "signed_rank_p",
    "smallest_p",
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
        Of values and baseline: each pair's difference whose sign and rank are tested.
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

COVERAGE = {3: 0.74, 4: 0.78, 5: 0.83, 6: 0.84, 7: 0.86, 8: 0.88, 10: 0.90, 14: 0.91, 20: 0.92}
"""Share of all cases in which the interval of so many pairs holds the true value.

Of 3000 samples of each size, half of them normal, half log-normal: docs/metrics.md.
"""


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float


def coverage(pairs: int) -> float:
    """Return how often an interval of so many pairs holds the true value; at least `LEAST` pairs.

    Examples
    --------
    >>> coverage(4), coverage(9)
    (0.78, 0.88)
    """
    return COVERAGE[max(size for size in COVERAGE if size <= pairs)]


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
    if len(values) < LEAST:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(values), (RESAMPLES, len(values)))
    with np.errstate(divide="ignore", invalid="ignore"):  # a draw has no ratio: see below
        ratios = ratio(values[drawn], baseline[drawn], -1)
    if not np.isfinite(ratios).all():
        return None
    low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


SIGNIFICANT = 0.05
"""A p value below this is called significant."""


def smallest_p(pairs: int) -> float:
    """Return the smallest p of so many unequal pairs, reached if all differences have one sign.

    Examples
    --------
    >>> smallest_p(5), smallest_p(6)
    (0.0625, 0.03125)
    """
    return min(1.0, 2.0 ** (1 - pairs))


def least_pairs(tests: int = 1) -> int:
    """Return how many unequal pairs each of some tests needs to be able to reach 5%.

    Holm's correction multiplies the smallest p by the number of tests.

    Examples
    --------
    >>> least_pairs(), least_pairs(tests=10)
    (6, 9)
    """
    pairs = 1
    while tests * smallest_p(pairs) > SIGNIFICANT:
        pairs += 1
    return pairs


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


def signed_rank_p(differences: Floats) -> float | None:
    """Return the two-sided p of Wilcoxon's signed-rank test, pairs without difference left out.

    It is exact up to 50 unequal pairs, up to 13 where absolute differences are tied, and from the
    normal approximation beyond.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Of the pairs.

    Returns
    -------
    float or None
        None if a difference is not defined, or unequal pairs are fewer than `least_pairs`: no
        outcome could reach 5%, so a p would only seem to be evidence of equality.

    Examples
    --------
    >>> signed_rank_p(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0]))
    0.03125

    References
    ----------
    F. Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1(6), 1945.
    """
    unequal = differences[differences != 0]
    if len(unequal) < least_pairs() or not np.isfinite(unequal).all():
        return None
    return float(scipy_stats().wilcoxon(unequal).pvalue)


def rank_biserial(differences: Floats) -> float | None:
    """Return the matched-pairs rank-biserial correlation, from -1 to 1.

    Absolute differences are ranked; the ranks of positive differences less those of negative ones
    are divided by the sum of all. 1: no pair is below its baseline; 0: as much above as below.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Of the pairs; those without difference are left out, as in the test.

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


def _holm(ascending: Floats) -> Floats:
    """Return ascending p values times the number of tests left, made non-decreasing."""
    times = np.arange(len(ascending), 0, -1)
    return np.maximum.accumulate(ascending * times)


def corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct the p of all comparisons that are made together by Holm's step-down method.

    It bounds the chance of even one false claim, however the tests depend on each other:
    comparisons with one baseline do.

    Parameters
    ----------
    p_values : sequence of float or None
        None where nothing was tested; it does not count, and stays None.

    Examples
    --------
    >>> corrected([0.03125, None, 0.0625])
    [0.0625, None, 0.0625]

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    """
    tested = {at: p for at, p in enumerate(p_values) if p is not None}
    order = sorted(tested, key=tested.__getitem__)
    adjusted = _holm(np.array([tested[at] for at in order]))
    p_adjusted = list(p_values)
    for at, p in zip(order, np.minimum(adjusted, 1.0).tolist(), strict=True):
        p_adjusted[at] = p
    return p_adjusted


Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True)
class Comparison:
    """Estimate, interval, test and effect size of paired values; None where undefined.

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
        95% bootstrap interval of that.
    p : float or None
        Of Wilcoxon's signed-rank test.
    corrected_p : float or None
        The same, corrected for all comparisons made together; see `correct`.
    rank_biserial : float or None
        Effect size, -1 to 1; above 0 is above the baseline.
    left_out : tuple of UnpairedRuns
        Circumstances without a pair.
    tests : int
        How many p `corrected_p` is corrected for.
    least_p : float or None
        The smallest `corrected_p` that so many pairs could have had.
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
    least_p: float | None = None

    @property
    def unequal(self) -> int:
        """Pairs that the test is over."""
        return self.above + self.below

    def to_dict(self) -> dict[str, object]:
        """Return the metrics as plain values."""
        return asdict(self)


def compare(pairs: Pairs, *, mean: MeanName = "arithmetic", seed: int = 0) -> Comparison:
    """Compare values with the baseline's, pair by pair; the order of the pairs is of no effect.

    Parameters
    ----------
    pairs : Pairs
        Any number.
    mean : {"arithmetic", "geometric", "median", "difference"}
        What the ratio is of: `utilitysched.analysis.statistics.MEANS`.
    seed : int
        Of the bootstrap.

    Examples
    --------
    >>> compare(Pairs(("a", "b"), np.array([3.0, 5.0]), np.array([2.0, 3.0]))).ratio
    1.6
    """
    order = np.lexsort((pairs.values, pairs.baseline))
    values, baseline = pairs.values[order], pairs.baseline[order]
    way = MEANS[mean]
    differences = way.difference(values, baseline)
    p = signed_rank_p(differences)
    ratio = _finite(way.ratio(values, baseline, -1)) if len(pairs) else None
    interval = None
    if ratio is not None:
        interval = bootstrap_interval(way.ratio, values, baseline, seed=seed)
    return Comparison(
        pairs=len(pairs),
        above=int(np.sum(values > baseline)),
        below=int(np.sum(values < baseline)),
        mean=_middle(way, values),
        baseline_mean=_middle(way, baseline),
        ratio=ratio,
        interval=interval,
        p=p,
        corrected_p=p,
        rank_biserial=rank_biserial(differences),
        left_out=pairs.left_out,
    )


def compare_all(
    runs: Mapping[str, Runs], baseline: str, *, mean: MeanName = "arithmetic", seed: int = 0
) -> dict[str, Comparison]:
    """Compare every candidate with the baseline, the baseline itself included.

    Parameters
    ----------
    runs : mapping of str to Runs
        Values by candidate, circumstances and repeat.
    baseline : str
        One of the candidates.
    mean, seed
        As in `compare`. The same draws serve all candidates.

    Raises
    ------
    KeyError
        If the baseline is not among the candidates.
    """
    return {
        name: compare(pair(values, runs[baseline]), mean=mean, seed=seed)
        for name, values in runs.items()
    }


def correct(comparisons: Mapping[Name, Comparison]) -> dict[Name, Comparison]:
    """Correct p of the comparisons for their number: give all together that are shown together.

    Parameters
    ----------
    comparisons : mapping of hashable to Comparison
        Of several candidates, and where there are several metrics or workloads, of all of these.
    """
    all_p = [comparison.p for comparison in comparisons.values()]
    least = [None if each.p is None else smallest_p(each.unequal) for each in comparisons.values()]
    tests = sum(p is not None for p in all_p)
    adjusted = zip(corrected(all_p), corrected(least), strict=True)
    return {
        name: replace(comparison, corrected_p=p, tests=tests, least_p=floor)
        for (name, comparison), (p, floor) in zip(comparisons.items(), adjusted, strict=True)
    }


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
