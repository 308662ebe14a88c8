"""Errors of users about run times, in their requests and in their own best guesses (LEE 5)."""

from utilitysched.analysis.estimates.judged import inaccuracy
from utilitysched.analysis.estimates.results import Group, Level, Padding, Study, Use, UserEstimates
from utilitysched.analysis.estimates.sample import LEAST_REQUEST, ExcludedJobs, Sample, sample
from utilitysched.analysis.estimates.study import study

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
