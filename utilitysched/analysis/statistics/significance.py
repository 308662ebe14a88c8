"""Tests of pairs: Wilcoxon's signed ranks, and corrections of p for many comparisons."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from swfx.base.columns import Floats

SIGNIFICANT = 0.05
"""A p value below this is called significant."""


def smallest_p(pairs: int) -> float:
    """Return the smallest p that unequal pairs can have: that of differences of one sign.

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
    from scipy.stats import wilcoxon  # noqa: PLC0415  slow to import

    unequal = differences[differences != 0]
    if len(unequal) < least_pairs() or not np.isfinite(unequal).all():
        return None
    return float(wilcoxon(unequal).pvalue)


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
    from scipy.stats import rankdata  # noqa: PLC0415  slow to import

    unequal = differences[differences != 0]
    if not len(unequal) or not np.isfinite(unequal).all():
        return None
    ranks = rankdata(np.abs(unequal))
    return float(np.sum(np.sign(unequal) * ranks) / np.sum(ranks))


CorrectionName = Literal["holm", "benjamini-hochberg"]
"""Names of the corrections."""


def _holm(ascending: Floats) -> Floats:
    """Multiply each p by how many are not below it; none is less than one before it."""
    times = np.arange(len(ascending), 0, -1)
    return np.maximum.accumulate(ascending * times)


def _benjamini_hochberg(ascending: Floats) -> Floats:
    """Divide each p by the share of those not above it; none is more than one behind it."""
    share = np.arange(1, len(ascending) + 1) / len(ascending)
    return np.minimum.accumulate((ascending / share)[::-1])[::-1]


CORRECTIONS: dict[CorrectionName, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}
"""Corrections of p in ascending order."""


def corrected(
    p_values: Sequence[float | None], method: CorrectionName = "holm"
) -> list[float | None]:
    """Correct the p of all comparisons that are made together.

    Parameters
    ----------
    p_values : sequence of float or None
        None where nothing was tested; it does not count, and stays None.
    method : {"holm", "benjamini-hochberg"}
        Holm's step-down method bounds the chance of even one false claim, however the tests depend
        on each other: comparisons with one baseline do. Benjamini and Hochberg's bounds the share
        of false claims among those made, which is less.

    Examples
    --------
    >>> corrected([0.03125, None, 0.0625])
    [0.0625, None, 0.0625]

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, J. R. Statist. Soc. B 57,
    1995.
    """
    tested = {at: p for at, p in enumerate(p_values) if p is not None}
    order = sorted(tested, key=tested.__getitem__)
    adjusted = CORRECTIONS[method](np.array([tested[at] for at in order]))
    found = list(p_values)
    for at, p in zip(order, np.minimum(adjusted, 1.0).tolist(), strict=True):
        found[at] = p
    return found
