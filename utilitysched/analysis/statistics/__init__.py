"""Paired comparisons with a baseline: ratios, their intervals, tests and effect sizes.

Functions of numbers and the keys that pair them; what was measured is of no concern here.
"""

from utilitysched.analysis.statistics.comparison import (
    Comparison,
    compare,
    compare_all,
    correct,
    correlations,
)
from utilitysched.analysis.statistics.interval import (
    LEAST,
    LEVEL,
    RESAMPLES,
    Interval,
    bootstrap_interval,
    coverage,
)
from utilitysched.analysis.statistics.pairing import (
    MEANS,
    Mean,
    MeanName,
    Pairs,
    Runs,
    UnpairedRuns,
    difference_of_means,
    log_ratio,
    pair,
    pooled,
    ratio_of_geometric_means,
    ratio_of_means,
    to_baseline,
)
from utilitysched.analysis.statistics.significance import (
    CORRECTIONS,
    SIGNIFICANT,
    CorrectionName,
    corrected,
    least_pairs,
    rank_biserial,
    signed_rank_p,
    smallest_p,
)

__all__ = [
    "CORRECTIONS",
    "LEAST",
    "LEVEL",
    "MEANS",
    "RESAMPLES",
    "SIGNIFICANT",
    "Comparison",
    "CorrectionName",
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
    "signed_rank_p",
    "smallest_p",
    "to_baseline",
]
