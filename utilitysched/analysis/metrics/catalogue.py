"""Catalogue of metrics: names, titles and units of `summary`'s, and metrics of one's own."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from swfx.base.plugin_file import is_outdated
from swfx.base.plugins import import_family
from swfx.base.registry import check_free
from utilitysched.model.schedule import Schedule

if TYPE_CHECKING:
    from utilitysched.analysis.statistics import MeanName

LEE_LEVELS = (25, 50, 75, 98, 100)
"""Percentiles of the tables."""

Better = Literal["lower", "higher"]
MetricFunction = Callable[[Workload, Schedule, NDArray[np.bool_]], float | None]


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
    better : str
        Whether ``lower`` or ``higher`` values are better.
    function : callable, optional
        What computes a metric of one's own, see `metric`.
    """

    name: str
    title: str
    unit: str = ""
    mean: MeanName | None = None
    better: Better = "lower"
    function: MetricFunction | None = None


def _percentiles(
    name: str, title: str, unit: str = "", better: Better = "lower"
) -> Iterator[Metric]:
    for level in LEE_LEVELS:
        yield Metric(f"{name}_p{level}", f"{title}, {level}%", unit, better=better)


def _counted(name: str, title: str, better: Better = "lower") -> Iterator[Metric]:
    yield Metric(f"jobs_{name}", f"jobs {title}", better=better)
    yield Metric(f"share_{name}", f"share of jobs {title}", better=better)


OF_SUBMISSIONS = (
    Metric("submission_wait_mean", "mean wait from submission", "s"),
    *_percentiles("submission_wait", "wait from submission", "s"),
    Metric("submission_turnaround_mean", "mean turnaround from submission", "s"),
    Metric("submission_slowdown_mean", "mean slowdown from submission"),
    Metric("submission_bounded_slowdown_mean", "mean bounded slowdown from submission"),
)
"""Metrics of workloads in which jobs are submitted when eligible; others have none of them."""

OF_CUTS = (*_counted("cut_short", "killed before their work was done"),)
"""Metrics of schedules in which stops or neighbours can make jobs run out of time."""

OF_STOPS = (
    Metric("effective_utilisation", "utilisation by work that was not lost", better="higher"),
    Metric("preemptions", "preemptions"),
    Metric("preemptions_max", "most preemptions of a job"),
    *_counted("preempted", "preempted"),
    *OF_CUTS,
    Metric("queued_mean", "mean time in the queue", "s"),
    Metric("failures", "failures of running jobs"),
    Metric("processor_hours_lost", "processor-hours of work lost"),
    Metric("processor_hours_lost_to_failures", "processor-hours lost to failures"),
    Metric("processor_hours_overhead", "processor-hours of restart overhead"),
)
"""Metrics of schedules in which jobs could be preempted or fail; others have none of them."""

OF_MACHINES = (
    Metric("room_wait_hours", "hours waited for room"),
    Metric("limit_wait_hours", "hours waited for limits"),
    Metric("window_wait_hours", "hours waited for windows"),
    *_counted("held_by_limits", "held by limits"),
    *_counted("held_by_windows", "held by windows"),
    Metric("share_deviation", "deviation of weekly usage from shares"),
)
"""Metrics of schedules on the machine of a machine file; others have none of them."""

OF_SHARING = (
    Metric("realised_slowdown_mean", "mean slowdown by realised run times"),
    Metric("realised_slowdown_sd", "standard deviation of it"),
    Metric("realised_bounded_slowdown_mean", "mean bounded slowdown by realised run times"),
    Metric("realised_bounded_slowdown_sd", "standard deviation of it"),
    Metric("processor_slowdown_mean", "the same per processor"),
    Metric("processor_slowdown_sd", "standard deviation of it"),
    Metric("job_speedup_mean", "mean job speedup", better="higher"),
    Metric("job_speedup_sd", "standard deviation of it"),
    Metric("job_speedup_weighted", "job speedup weighted by area", better="higher"),
    Metric("job_speedup_weighted_sd", "standard deviation of it"),
    *_counted("slowed", "slowed by neighbours"),
    *OF_CUTS,
)
"""Metrics of schedules in which jobs may share nodes; others have none of them."""

OF_CEILINGS = (
    Metric("ceiling", "ceiling of the utility", "SU"),
    Metric("gap_share", "share of the gap to the ceiling", mean="difference", better="higher"),
    Metric("effective_losers", "effective number of losing jobs"),
)
"""Metrics of `utilitysched.exact.ceiling.ceiling_metrics`, measured on request only."""

OF_SLOWDOWNS = (
    Metric("share_slowdown_1", "share of jobs with slowdown 1", better="higher"),
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
        Metric("aggregate_utility", "aggregate utility", "SU", better="higher"),
        Metric("start_value", "start value", "SU"),
        Metric("aggregate_share", "utility over start value", better="higher"),
        Metric("start_value_share_mean", "mean share of start value", better="higher"),
        *_percentiles("start_value_share", "share of start value", better="higher"),
        Metric("jobs_without_utility", "jobs without utility function"),
        Metric("starvation_threshold", "starvation threshold", "s"),
        *_counted("run_at_once", "run at once", "higher"),
        *_counted("premature", "premature"),
        *_counted("backfilled", "backfilled"),
        *_counted("starved", "starved"),
        Metric("machine_size", "machine size"),
        Metric("makespan", "makespan", "s"),
        Metric("utilisation", "utilisation", better="higher"),
        Metric("submission_utilisation", "utilisation until the last submission", better="higher"),
        Metric("passes", "scheduling passes"),
        *OF_MACHINES,
        *OF_STOPS,
        *OF_SHARING,
        Metric("users", "users"),
        Metric(
            "jain_user_bounded_slowdown",
            "Jain's index of users' bounded slowdowns",
            better="higher",
        ),
        Metric("gini_user_bounded_slowdown", "Gini coefficient of users' bounded slowdowns"),
        *OF_CEILINGS,
        *OF_SLOWDOWNS,
    )
}
"""By name, in the order of the columns of results."""

CEILING, SLOWDOWNS = (
    tuple(metric.name for metric in group) for group in (OF_CEILINGS, OF_SLOWDOWNS)
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

RESERVED = (
    *("scheduler", "tau", "trim", "over_time", "seed", "cell", "workload", "slice"),
    *("apply", "apply_seed", "utilities", "utility_seed"),
    *BILL_METRICS,
    *AUDIT_METRICS,
)
"""Keys of summaries and columns of results that are no metrics of schedules."""

_NAME = re.compile("[a-z][a-z0-9_]*")


def metric(
    name: str,
    *,
    title: str = "",
    unit: str = "",
    better: Better = "lower",
    mean: MeanName | None = None,
) -> Callable[[MetricFunction], MetricFunction]:
    """Enter the decorated function as the metric `name`.

    It is called as ``function(workload, schedule, counts)``, where `counts`, (n,) bool, marks the
    jobs that are measured, and returns a number; None, NaN and infinite mean: not defined.

    Parameters
    ----------
    name : str
        Key in summaries; letters, digits and ``_``.
    title : str
        For headings; default: the name.
    unit, better, mean
        See `Metric`.

    Raises
    ------
    InputError
        The name is taken, or is none; `better` is neither ``lower`` nor ``higher``; `mean` is no
        key of `utilitysched.analysis.statistics.MEANS`.
    """

    def enter(function: MetricFunction) -> MetricFunction:
        if not _NAME.fullmatch(name) or name in RESERVED:
            problem, remedy = f"{name!r} cannot name a metric", "write late_share, in small letters"
            raise InputError(problem, field="name", remedy=remedy)
        if better not in ("lower", "higher"):
            raise InputError(f"{better!r} is not lower or higher", source=name, field="better")
        if mean is not None:
            _check_mean(name, mean)
        earlier = METRICS.get(name)
        check_free("metric", name, earlier and (earlier.function or Metric), function)
        heading = title or name.replace("_", " ")
        METRICS[name] = Metric(name, heading, unit, mean, better, function)
        return function

    return enter


def _check_mean(name: str, mean: str) -> None:
    from utilitysched.analysis.statistics import MEANS  # noqa: PLC0415  slow to import

    if mean not in MEANS:
        raise InputError(f"{mean!r} is not {' or '.join(MEANS)}", source=name, field="mean")


def known_metrics() -> dict[str, Metric]:
    """Return all metrics by name, those of plug-ins last, in the order of columns of results."""
    import_family("utilitysched.analysis.metrics", "utilitysched.metrics")
    return {
        name: each
        for name, each in METRICS.items()
        if each.function is None or not is_outdated(each.function.__module__)
    }


def own_metrics() -> list[Metric]:
    """Return the metrics of plug-ins."""
    return [each for each in known_metrics().values() if each.function]


def own_values(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, float | None]:
    """Return the values of the metrics of plug-ins by name, None where one is not defined.

    Raises
    ------
    InputError
        A function returned something that is no number.
    """
    marks = counts.view()
    marks.flags.writeable = False  # the next metric gets the same
    return {
        each.name: _number(each, each.function(workload, schedule, marks))
        for each in own_metrics()
        if each.function
    }


def _number(metric: Metric, value: Any) -> float | None:
    try:
        number = math.nan if value is None else float(value)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"metric {metric.name} is {value!r}, no number",
            source=getattr(sys.modules[metric.function.__module__], "__file__", None),
            remedy="return a float, or None where it is not defined",
        ) from error
    return number if math.isfinite(number) else None


def matching(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the names that patterns mean, in the order of the patterns, each once.

    Examples
    --------
    >>> matching(["aggregate_utility", "wait_p9*"])
    ('aggregate_utility', 'wait_p98')
    """
    names = (name for pattern in patterns for name in known_metrics() if fnmatchcase(name, pattern))
    return tuple(dict.fromkeys(names))
