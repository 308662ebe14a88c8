"""Errors of users about run times, in their requests and in their own best guesses (LEE 5)."""

from utilitysched.analysis.estimates.study import (
    LEAST_REQUEST,
    ExcludedJobs,
    Group,
    Level,
    Padding,
    Sample,
    Study,
    Use,
    UserEstimates,
    inaccuracy,
    sample,
    study,
)

__all__ = [
    "LEAST_REQUEST",
    "ExcludedJobs",
    "Group",
    "Level",
    "Padding",
    "Sample",
    "Study",
    "Use",
    "UserEstimates",
    "inaccuracy",
    "sample",
    "study",
]
