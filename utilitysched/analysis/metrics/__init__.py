"""Metrics: functions of a workload and a schedule of it.

One value per job from `jobs`, one metric per machine or week from `machine`, and `summary` for all
of them together; `metric` adds one of one's own.
"""

from utilitysched.analysis.metrics.catalogue import LEE_LEVELS, metric
from utilitysched.analysis.metrics.groups import GroupWaits, wait_kinds, waits_by
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
from utilitysched.analysis.metrics.resources import ResourceUse, resource_use
from utilitysched.analysis.metrics.shares import WeeklyUsage, share_deviation, usage_by_week
from utilitysched.analysis.metrics.summary import (
    LeeRow,
    gini,
    jain,
    lee_table_row,
    measured,
    percentiles,
    slowdown_metrics,
    summary,
    user_means,
)

__all__ = [
    "LEE_LEVELS",
    "GroupWaits",
    "LeeRow",
    "ResourceUse",
    "Week",
    "WeeklyUsage",
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
    "metric",
    "percentiles",
    "preempted",
    "premature",
    "processor_bounded_slowdown",
    "realised_utility",
    "requested_expansion_factor",
    "resource_use",
    "share_deviation",
    "slowdown",
    "slowdown_metrics",
    "start_value_share",
    "starved",
    "submission_utilisation",
    "summary",
    "turnaround",
    "usage_by_week",
    "user_means",
    "utilisation",
    "wait",
    "wait_kinds",
    "waits_by",
    "weekly",
]
