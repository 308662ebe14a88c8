"""Wilcoxon's signed ranks: whether differences have a sign, and how strongly."""

import numpy as np

from utilitysched.analysis.statistics.pairing import Floats

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
