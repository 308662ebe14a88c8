"""Names of the metrics that an experiment can be asked for, and their titles in tables."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from utilitysched.analysis.metrics import LEE_LEVELS
from utilitysched.analysis.statistics import MeanName


class Metric(NamedTuple):
    """A metric of `utilitysched.analysis.metrics.summary`, or another one of a schedule.

    Attributes
    ----------
    name : str
        Its key there.
    title : str
        For headings.
    unit : str
        ``s``, ``SU``, or empty: a ratio, a share from 0 to 1, or a count.
    mean : str, optional
        How it is compared, whatever the experiment says.
    """

    name: str
    title: str
    unit: str = ""
    mean: MeanName | None = None


def _percentiles(name: str, title: str, unit: str = "") -> Iterator[Metric]:
    for level in LEE_LEVELS:
        yield Metric(f"{name}_p{level}", f"{title}, {level}%", unit)


def _counted(name: str, title: str) -> Iterator[Metric]:
    yield Metric(f"jobs_{name}", f"jobs {title}")
    yield Metric(f"share_{name}", f"share of jobs {title}")


OF_SUBMISSIONS = (
    Metric("submission_wait_mean", "mean wait from submission", "s"),
    *_percentiles("submission_wait", "wait from submission", "s"),
    Metric("submission_turnaround_mean", "mean turnaround from submission", "s"),
    Metric("submission_slowdown_mean", "mean slowdown from submission"),
    Metric("submission_bounded_slowdown_mean", "mean bounded slowdown from submission"),
)
"""Metrics of workloads in which jobs are submitted when eligible; others have none of them."""

OF_STOPS = (
    Metric("effective_utilisation", "utilisation by work that was not lost"),
    Metric("preemptions", "preemptions"),
    Metric("preemptions_max", "most preemptions of a job"),
    *_counted("preempted", "preempted"),
    *_counted("cut_short", "cut short after a restart"),
    Metric("queued_mean", "mean time in the queue", "s"),
    Metric("failures", "failures of running jobs"),
    Metric("processor_hours_lost", "processor-hours of work lost"),
    Metric("processor_hours_lost_to_failures", "processor-hours lost to failures"),
    Metric("processor_hours_overhead", "processor-hours of restart overhead"),
)
"""Metrics of schedules in which jobs could be preempted or fail; others have none of them."""

OF_SHARING = (
    Metric("realised_slowdown_mean", "mean slowdown by realised run times"),
    Metric("realised_slowdown_sd", "standard deviation of it"),
    Metric("realised_bounded_slowdown_mean", "mean bounded slowdown by realised run times"),
    Metric("realised_bounded_slowdown_sd", "standard deviation of it"),
    Metric("processor_slowdown_mean", "the same per processor"),
    Metric("processor_slowdown_sd", "standard deviation of it"),
    Metric("job_speedup_mean", "mean job speedup"),
    Metric("job_speedup_sd", "standard deviation of it"),
    Metric("job_speedup_weighted", "job speedup weighted by area"),
    Metric("job_speedup_weighted_sd", "standard deviation of it"),
    *_counted("slowed", "slowed by neighbours"),
)
"""Metrics of schedules in which jobs may share nodes; others have none of them."""

OF_CEILINGS = (
    Metric("ceiling", "ceiling of the utility", "SU"),
    Metric("gap_share", "share of the gap to the ceiling", mean="difference"),
    Metric("effective_losers", "effective number of losing jobs"),
)
"""Metrics of `utilitysched.exact.ceiling.ceiling_metrics`, measured on request only."""

OF_SLOWDOWNS = (
    Metric("share_slowdown_1", "share of jobs with slowdown 1"),
    Metric("share_slowdown_to_10", "share of jobs with slowdown above 1 to 10"),
    Metric("share_slowdown_to_100", "share of jobs with slowdown above 10 to 100"),
    Metric("share_slowdown_over_100", "share of jobs with slowdown above 100"),
    Metric("premature_slowdown_ratio", "slowdown of premature jobs over that of others"),
    Metric("slowest_size_median", "median processors of the hundred slowest jobs"),
)
"""Metrics of `utilitysched.analysis.metrics.slowdown_metrics`, measured on request only."""

METRICS = {
    metric.name: metric
    for metric in (
        Metric("jobs", "jobs"),
        Metric("jobs_measured", "jobs measured"),
        Metric("wait_mean", "mean wait", "s"),
        *_percentiles("wait", "wait", "s"),
        Metric("turnaround_mean", "mean turnaround", "s"),
        Metric("slowdown_mean", "mean slowdown"),
        Metric("bounded_slowdown_mean", "mean bounded slowdown"),
        Metric("bounded_slowdown_max", "largest bounded slowdown"),
        Metric("processor_bounded_slowdown_mean", "mean bounded slowdown per processor"),
        *_percentiles("expansion_factor", "expansion factor"),
        *_percentiles("requested_expansion_factor", "expansion factor by request"),
        Metric("jobs_without_run_time", "jobs without run time"),
        Metric("jobs_over_slowdown_100", "jobs over slowdown 100"),
        Metric("weekly_bounded_slowdown_sum", "sum of weekly bounded slowdowns"),
        *OF_SUBMISSIONS,
        Metric("aggregate_utility", "aggregate utility", "SU"),
        Metric("start_value", "start value", "SU"),
        Metric("aggregate_share", "utility over start value"),
        Metric("start_value_share_mean", "mean share of start value"),
        *_percentiles("start_value_share", "share of start value"),
        Metric("jobs_without_utility", "jobs without utility function"),
        Metric("starvation_threshold", "starvation threshold", "s"),
        *_counted("run_at_once", "run at once"),
        *_counted("premature", "premature"),
        *_counted("backfilled", "backfilled"),
        *_counted("starved", "starved"),
        Metric("machine_size", "machine size"),
        Metric("makespan", "makespan", "s"),
        Metric("utilisation", "utilisation"),
        Metric("submission_utilisation", "utilisation until the last submission"),
        Metric("passes", "scheduling passes"),
        *OF_STOPS,
        *OF_SHARING,
        Metric("users", "users"),
        Metric("jain_user_bounded_slowdown", "Jain's index of users' bounded slowdowns"),
        Metric("gini_user_bounded_slowdown", "Gini coefficient of users' bounded slowdowns"),
        *OF_CEILINGS,
        *OF_SLOWDOWNS,
    )
}
"""By name, in the order of the columns of results."""

MORE_IS_BETTER = {
    *("aggregate_utility", "aggregate_share", "start_value_share_mean"),
    *("utilisation", "submission_utilisation", "effective_utilisation"),
    *("job_speedup_mean", "job_speedup_weighted", "jain_user_bounded_slowdown"),
}
"""Metrics of which the greater value is the better one."""

STOPPED, SHARED, CEILING, SLOWDOWNS, SUBMISSIONS = (
    tuple(metric.name for metric in group)
    for group in (OF_STOPS, OF_SHARING, OF_CEILINGS, OF_SLOWDOWNS, OF_SUBMISSIONS)
)

BILL_METRICS = {
    metric.name: metric
    for metric in (
        Metric("jobs_billed", "jobs billed"),
        Metric("revenue", "revenue", "SU"),
        Metric("revenue_share", "revenue over value"),
        Metric("revenue_per_hour", "revenue per processor-hour", "SU"),
        Metric("jobs_free", "jobs free"),
        Metric("share_free", "share of jobs free"),
        Metric("jobs_overcharged", "jobs overcharged"),
        Metric("share_overcharged", "share of jobs overcharged"),
        Metric("overcharge", "overcharge", "SU"),
        Metric("charge_error", "standard error of a charge", "SU"),
    )
}
"""Metrics of `utilitysched.experiments.measures.bill_metrics`, by name, in the order of columns."""

AUDIT_METRICS = {
    metric.name: metric
    for metric in (
        Metric("jobs_audited", "jobs"),
        Metric("value_lie_gain", "gain by the best misreport of value", "SU"),
        Metric("value_lie_share", "share of jobs misreporting"),
        Metric("lie_gain", "gain by the best misreport", "SU"),
        Metric("lie_share", "share of jobs misreporting"),
        Metric("placebo_gain", "gain by the truth under other seeds", "SU"),
        Metric("true_value", "value under the truth", "SU"),
    )
}
"""Metrics of audits, means over their jobs, by name, in the order of columns."""


def matching(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the names that patterns mean, in the order of the patterns, each once.

    Examples
    --------
    >>> matching(["aggregate_utility", "wait_p9*"])
    ('aggregate_utility', 'wait_p98')
    """
    names = (name for pattern in patterns for name in METRICS if fnmatchcase(name, pattern))
    return tuple(dict.fromkeys(names))
