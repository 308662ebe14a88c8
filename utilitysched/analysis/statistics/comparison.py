"""Comparison of a candidate with the baseline: all that is said about it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

import numpy as np

from swfx.base.columns import Floats
from utilitysched.analysis.statistics.interval import Interval, bootstrap_interval
from utilitysched.analysis.statistics.pairing import (
    MEANS,
    Mean,
    MeanName,
    Pairs,
    Runs,
    UnpairedRuns,
    pair,
)
from utilitysched.analysis.statistics.significance import (
    CorrectionName,
    corrected,
    rank_biserial,
    signed_rank_p,
    smallest_p,
)

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


def correct(
    comparisons: Mapping[Name, Comparison], method: CorrectionName = "holm"
) -> dict[Name, Comparison]:
    """Correct p of the comparisons for their number: give all together that are shown together.

    Parameters
    ----------
    comparisons : mapping of hashable to Comparison
        Of several candidates, and where there are several metrics or workloads, of all of these.
    method : {"holm", "benjamini-hochberg"}
        See `corrected`.
    """
    all_p = [comparison.p for comparison in comparisons.values()]
    least = [
        None if found.p is None else smallest_p(found.unequal) for found in comparisons.values()
    ]
    tests = sum(p is not None for p in all_p)
    adjusted = zip(corrected(all_p, method), corrected(least, method), strict=True)
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
    from scipy.stats import kendalltau, pearsonr, spearmanr  # noqa: PLC0415  slow to import

    kinds = {"Pearson": pearsonr, "Kendall": kendalltau, "Spearman": spearmanr}
    found = {name: np.full((len(columns), len(columns)), np.nan) for name in kinds}
    varied = [k for k, column in enumerate(columns) if len(column) > 1 and np.ptp(column) > 0]
    for name, coefficient in kinds.items():
        for a in varied:
            for b in varied:
                found[name][a, b] = coefficient(columns[a], columns[b]).statistic
    return found
