"""Metrics: functions of a workload and a schedule of it.

One array per job from `times` and `value`, one truth value per job from `kinds`, one metric per
machine from `machine`, and `summary` for all of them together.
"""

from utilitysched.analysis.metrics.fairness import gini, jain, user_means
from utilitysched.analysis.metrics.kinds import at_once, cut_short, preempted, premature, starved
from utilitysched.analysis.metrics.losses import effective_losers, lost_utility
from utilitysched.analysis.metrics.machine import (
    effective_utilisation,
    makespan,
    submission_utilisation,
    utilisation,
)
from utilitysched.analysis.metrics.percentiles import LEE_LEVELS, LeeRow, lee_table_row, percentiles
from utilitysched.analysis.metrics.slowdowns import slowdown_metrics
from utilitysched.analysis.metrics.summary import measured, summary
from utilitysched.analysis.metrics.times import (
    bounded_slowdown,
    expansion_factor,
    processor_bounded_slowdown,
    requested_expansion_factor,
    slowdown,
    turnaround,
    wait,
)
from utilitysched.analysis.metrics.value import (
    aggregate_utility,
    realised_utility,
    start_value_share,
)
from utilitysched.analysis.metrics.weekly import Week, weekly

__all__ = [
    "LEE_LEVELS",
    "LeeRow",
    "Week",
    "aggregate_utility",
    "at_once",
    "bounded_slowdown",
    "cut_short",
    "effective_losers",
    "effective_utilisation",
    "expansion_factor",
    "gini",
    "jain",
    "lee_table_row",
    "lost_utility",
    "makespan",
    "measured",
    "percentiles",
    "preempted",
    "premature",
    "processor_bounded_slowdown",
    "realised_utility",
    "requested_expansion_factor",
    "slowdown",
    "slowdown_metrics",
    "start_value_share",
    "starved",
    "submission_utilisation",
    "summary",
    "turnaround",
    "user_means",
    "utilisation",
    "wait",
    "weekly",
]
