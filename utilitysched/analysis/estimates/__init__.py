"""Errors of users about run times, in their requests and in their own best guesses (LEE 5)."""

from utilitysched.analysis.estimates.forecasts import ForecastScore, Scoreboard, scoreboard
from utilitysched.analysis.estimates.results import (
    LEAST_REQUEST,
    ExcludedJobs,
    Group,
    Level,
    Padding,
    Sample,
    Study,
    Use,
    UserEstimates,
    sample,
)
from utilitysched.analysis.estimates.study import inaccuracy, study

__all__ = [
    "LEAST_REQUEST",
    "ExcludedJobs",
    "ForecastScore",
    "Group",
    "Level",
    "Padding",
    "Sample",
    "Scoreboard",
    "Study",
    "Use",
    "UserEstimates",
    "inaccuracy",
    "sample",
    "scoreboard",
    "study",
]
