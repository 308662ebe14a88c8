"""Metrics: functions of a workload and a schedule of it.

One array per job from `times` and `value`, one truth value per job from `kinds`, one metric per
machine from `machine`, and `summary` for all of them together.
"""

from utilitysched.analysis.metrics.distribution import (
    LEE_LEVELS,
    LeeRow,
    gini,
    jain,
    lee_table_row,
    percentiles,
    user_means,
)
from utilitysched.analysis.metrics.jobs import (
    aggregate_utility,
    at_once,
    bounded_slowdown,
    cut_short,
    effective_losers,
    expansion_factor,
    lost_utility,
    preempted,
    premature,
    processor_bounded_slowdown,
    realised_utility,
    requested_expansion_factor,
    slowdown,
    start_value_share,
    starved,
    turnaround,
    wait,
)
from utilitysched.analysis.metrics.machine import (
    Week,
    effective_utilisation,
    makespan,
    submission_utilisation,
    utilisation,
    weekly,
)
from utilitysched.analysis.metrics.summary import measured, slowdown_metrics, summary

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
