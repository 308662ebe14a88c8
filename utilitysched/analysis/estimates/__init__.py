"""Errors of users about run times, in their requests and in their own best guesses (LEE 5)."""

from utilitysched.analysis.estimates.figures import Group, Level, Padding, Study, Use, UserFigures
from utilitysched.analysis.estimates.judged import inaccuracy
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
    "UserFigures",
    "inaccuracy",
    "sample",
    "study",
]
