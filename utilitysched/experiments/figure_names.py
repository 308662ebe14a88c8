"""Figures that an experiment can be asked for, and what they are called in tables."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from utilitysched.analysis.metrics import LEE_LEVELS


class Figure(NamedTuple):
    """A figure of `utilitysched.analysis.metrics.summary`.

    Attributes
    ----------
    name : str
        Its key there.
    title : str
        For headings.
    unit : str
        ``s``, ``SU``, or empty: a ratio, a share from 0 to 1, or a count.
    """

    name: str
    title: str
    unit: str = ""


def _percentiles(name: str, title: str, unit: str = "") -> Iterator[Figure]:
    for level in LEE_LEVELS:
        yield Figure(f"{name}_p{level}", f"{title}, {level}%", unit)


def _counted(name: str, title: str) -> Iterator[Figure]:
    yield Figure(f"jobs_{name}", f"jobs {title}")
    yield Figure(f"share_{name}", f"share of jobs {title}")


FIGURES = {
    figure.name: figure
    for figure in (
        Figure("jobs", "jobs"),
        Figure("jobs_measured", "jobs measured"),
        Figure("wait_mean", "mean wait", "s"),
        *_percentiles("wait", "wait", "s"),
        Figure("turnaround_mean", "mean turnaround", "s"),
        Figure("slowdown_mean", "mean slowdown"),
        Figure("bounded_slowdown_mean", "mean bounded slowdown"),
        Figure("bounded_slowdown_max", "largest bounded slowdown"),
        Figure("processor_bounded_slowdown_mean", "mean bounded slowdown per processor"),
        *_percentiles("expansion_factor", "expansion factor"),
        *_percentiles("requested_expansion_factor", "expansion factor by request"),
        Figure("jobs_without_run_time", "jobs without run time"),
        Figure("jobs_over_slowdown_100", "jobs over slowdown 100"),
        Figure("weekly_bounded_slowdown_sum", "sum of weekly bounded slowdowns"),
        Figure("aggregate_utility", "aggregate utility", "SU"),
        Figure("start_value", "start value", "SU"),
        Figure("aggregate_share", "utility over start value"),
        Figure("start_value_share_mean", "mean share of start value"),
        *_percentiles("start_value_share", "share of start value"),
        Figure("jobs_without_utility", "jobs without utility function"),
        Figure("starvation_threshold", "starvation threshold", "s"),
        *_counted("run_at_once", "run at once"),
        *_counted("premature", "premature"),
        *_counted("backfilled", "backfilled"),
        *_counted("starved", "starved"),
        Figure("machine_size", "machine size"),
        Figure("makespan", "makespan", "s"),
        Figure("utilisation", "utilisation"),
        Figure("submission_utilisation", "utilisation until the last submission"),
        Figure("passes", "scheduling passes"),
        Figure("effective_utilisation", "utilisation by work that was not lost"),
        Figure("bumps", "bumps"),
        Figure("bumps_max", "most bumps of a job"),
        *_counted("bumped", "bumped"),
        *_counted("cut_short", "cut short after a restart"),
        Figure("queued_mean", "mean time in the queue", "s"),
        Figure("failures", "failures of running jobs"),
        Figure("processor_hours_lost", "processor-hours of work lost"),
        Figure("processor_hours_lost_to_failures", "processor-hours lost to failures"),
        Figure("processor_hours_overhead", "processor-hours of restart overhead"),
        Figure("users", "users"),
        Figure("jain_user_bounded_slowdown", "Jain's index of users' bounded slowdowns"),
        Figure("gini_user_bounded_slowdown", "Gini coefficient of users' bounded slowdowns"),
    )
}
"""By name, in the order of the columns of results."""

STOPPED = (
    *("effective_utilisation", "bumps", "bumps_max", "jobs_bumped", "share_bumped"),
    "queued_mean",
    *("jobs_cut_short", "share_cut_short"),
    *("failures", "processor_hours_lost", "processor_hours_lost_to_failures"),
    "processor_hours_overhead",
)
"""Those of schedules in which jobs could be bumped; others have none of them."""

BILLS = {
    figure.name: figure
    for figure in (
        Figure("jobs_billed", "jobs billed"),
        Figure("revenue", "revenue", "SU"),
        Figure("revenue_share", "revenue over value"),
        Figure("revenue_per_hour", "revenue per processor-hour", "SU"),
        Figure("jobs_free", "jobs free"),
        Figure("share_free", "share of jobs free"),
        Figure("jobs_overcharged", "jobs overcharged"),
        Figure("share_overcharged", "share of jobs overcharged"),
        Figure("overcharge", "overcharge", "SU"),
        Figure("charge_error", "standard error of a charge", "SU"),
    )
}
"""Figures of `utilitysched.experiments.bill_figures`, by name, in the order of columns."""

AUDITS = {
    figure.name: figure
    for figure in (
        Figure("jobs_audited", "jobs"),
        Figure("value_lie_gain", "gain by the best lie about value", "SU"),
        Figure("value_lie_share", "share of jobs lying"),
        Figure("lie_gain", "gain by the best lie", "SU"),
        Figure("lie_share", "share of jobs lying"),
        Figure("placebo_gain", "gain by the truth under other seeds", "SU"),
        Figure("true_value", "value under the truth", "SU"),
    )
}
"""Figures of audits, means over their jobs, by name, in the order of columns."""


def matching(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the names that patterns mean, in the order of the patterns, each once.

    Examples
    --------
    >>> matching(["aggregate_utility", "wait_p9*"])
    ('aggregate_utility', 'wait_p98')
    """
    found = (name for pattern in patterns for name in FIGURES if fnmatchcase(name, pattern))
    return tuple(dict.fromkeys(found))
